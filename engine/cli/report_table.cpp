#include "cli/report_table.h"

#include <fmt/format.h>

#include "accuracy/evidence.h"
#include "base/units.h"
#include "cli/shards_table.h"

namespace megamem::cli {

namespace {

std::string head(const Scenario& scenario, const Report& report) {
    const Totals& worst = report.worst().totals;
    std::string text =
        fmt::format("{}{}: rank {} needs {} GiB of {} GiB on {}, headroom {} GiB\n",
                    scenario.name.empty() ? "" : scenario.name + ": ",
                    report.fits() ? "fits" : "does not fit", report.worst_rank, gib(worst.total),
                    gib(report.capacity.usable), report.capacity.gpu, gib(report.headroom()));
    text += fmt::format(
        "{} parameters, {} active; {} GPUs, DP {}, EDP {}, VPP {}, {} micro-batches; method {}\n\n",
        short_count(report.parameters.total), short_count(report.parameters.active), report.groups.world_size,
        report.groups.data_parallel_size, report.groups.expert_data_parallel_size, report.virtual_stages,
        report.micro_batches, name_of(report.method));
    return text;
}

std::string ranks_table(const Report& report) {
    std::string text = fmt::format("{:>4} {:>7} {:>9} {:>8} {:>9} {:>8} {:>9} {:>11} {:>8} {:>8} {:>9}\n",
                                   "rank", "layers", "weight", "fp8", "grad", "master", "optimizer",
                                   "activation", "vision", "reserve", "total GiB");
    for (const RankReport& rank : report.ranks) {
        const Totals& t = rank.totals;
        text += fmt::format("{:>4} {:>7} {:>9} {:>8} {:>9} {:>8} {:>9} {:>11} {:>8} {:>8} {:>9}{}\n",
                            rank.pipeline_rank, rank.layers.dense + rank.layers.moe, gib(t.weight),
                            gib(t.fp8_cache), gib(t.grad), gib(t.master), gib(t.optimizer), gib(t.activation),
                            gib(t.vision), gib(t.reserve), gib(t.total),
                            rank.pipeline_rank == report.worst_rank ? "  worst" : "");
    }
    return text;
}

std::string modules_table(const Report& report) {
    std::string text =
        fmt::format("\nmodules of rank {}{:>17} {:>9} {:>8} {:>9} {:>8} {:>9}\n", report.worst_rank,
                    "parameters", "weight", "fp8", "grad", "master", "optimizer");
    for (const Part part : {Part::language, Part::vision}) {
        for (const ModuleRow& row : module_rows(report.worst(), part)) {
            if (row.elements == 0) continue;
            text += fmt::format("{:<24} {:>10} {:>9} {:>8} {:>9} {:>8} {:>9}\n", row.module,
                                short_count(row.elements), gib(row.weight), gib(row.fp8_cache), gib(row.grad),
                                gib(row.master), gib(row.optimizer));
        }
    }
    return text;
}

// How well the measured runs that are most like it are predicted.
std::string evidence_line(const Scenario& scenario, const Report& report) {
    if (report.method != Method::detailed) return "";
    const Evidence evidence = evidence_for(scenario, report);
    std::string text = "\nevidence: ";
    if (evidence.alike > 0) {
        text += fmt::format("{} like {}, median error {}, worst {}", evidence.alike,
                            evidence.alike == 1 ? "run" : "runs", percent_text(evidence.median),
                            percent_text(evidence.worst));
        if (!evidence.missing.empty()) text += "; ";
    }
    return text + evidence.missing + "\n";
}

std::string notes(const Report& report) {
    std::string text = "\n";
    for (const Assumption& assumption : report.assumptions)
        text += fmt::format("- {}\n", assumption.message);
    return text;
}

}  // namespace

std::string report_table(const Scenario& scenario, const Report& report) {
    if (!report.shards.empty()) return shards_table(scenario, report) + notes(report);
    return head(scenario, report) + ranks_table(report) + modules_table(report) +
           evidence_line(scenario, report) + notes(report);
}

}  // namespace megamem::cli
