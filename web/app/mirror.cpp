#include "app/mirror.h"

#include <fmt/format.h>

#include "base/units.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

std::string headline_of(const State& s) {
    const Verdict verdict = verdict_of(s.report);
    if (verdict == Verdict::invalid) {
        return fmt::format("{}: {}", word_of(verdict),
                           s.report.problems.empty() ? "" : s.report.problems[0].message);
    }
    return fmt::format("{}: {} needs {} GiB of {} GiB", word_of(verdict), where_of(s.report),
                       gib(s.report.needed()), gib(s.report.capacity.usable));
}

void translate(std::string& text) {
    if (is_chinese()) text = std::string(translated(text));
}

}  // namespace

Verdict verdict_of(const Report& report) {
    if (!report.valid) return Verdict::invalid;
    if (!report.fits()) return Verdict::does_not_fit;
    // Less than a twentieth left: fragmentation alone can take that.
    return report.headroom() * 20 < report.capacity.usable ? Verdict::tight : Verdict::fits;
}

const char* word_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::fits:
            return words::kFits;
        case Verdict::tight:
            return words::kTight;
        case Verdict::does_not_fit:
            return words::kDoesNotFit;
        case Verdict::invalid:
            return words::kInvalid;
    }
    return "";
}

std::string where_of(const Report& report) {
    return report.worst_rank < 0 ? std::string(words::kMostLoadedShard)
                                 : fmt::format("rank {}", report.worst_rank);
}

void mirror_result(const State& s) {
    platform::Mirror mirror;
    mirror.headline = headline_of(s);
    mirror.caption =
        fmt::format("{}: bytes per pipeline rank, method {}", s.scenario.name, name_of(s.report.method));
    mirror.rows.push_back({"rank", "weight", "fp8_cache", "grad", "master", "optimizer", "activation",
                           "vision", "reserve", "total"});
    for (const RankReport& rank : s.report.ranks) {
        const Totals& t = rank.totals;
        std::vector<std::string> row = {fmt::format("{}", rank.pipeline_rank)};
        for (const Bytes bytes : {t.weight, t.fp8_cache, t.grad, t.master, t.optimizer, t.activation,
                                  t.vision, t.reserve, t.total}) {
            row.push_back(fmt::format("{}", bytes));
        }
        mirror.rows.push_back(std::move(row));
    }
    translate(mirror.headline);
    translate(mirror.caption);
    for (std::vector<std::string>& row : mirror.rows) {
        for (std::string& cell : row)
            translate(cell);
    }
    platform::set_mirror(mirror);
    platform::set_title(s.scenario.name.empty() ? words::kProduct
                                                : fmt::format("{} – {}", s.scenario.name, words::kProduct));
}

}  // namespace megamem::web
