#include "memory/compare.h"

#include <fmt/format.h>

#include <cmath>

#include "memory/estimate.h"

namespace megamem {

namespace {

std::optional<Totals> worst_totals(const Report& report) {
    if (!report.valid || report.worst_rank < 0) return std::nullopt;
    return report.worst().totals;
}

std::optional<Bytes> rounded(std::optional<double> bytes) {
    if (!bytes) return std::nullopt;
    return static_cast<Bytes>(std::llround(*bytes));
}

struct Reasons {
    const Scenario& s;
    const Report& detailed;

    bool moe() const { return s.num_experts > 0; }

    std::string weights() const {
        std::string text = "detailed counts norms, biases and the padded vocabulary";
        if (s.tensor_model_parallel_size > 1) text += "; calculator doesn't divide dense MLPs by TP";
        if (s.pipeline_model_parallel_size > 1) text += "; Megatron spreads the layers evenly over PP";
        if (s.mtp_num_layers > 0) text += "; calculator leaves MTP out";
        return text + ".";
    }
    std::string fp8() const {
        if (s.fp8_format == Fp8Format::none) return "No FP8.";
        return "detailed keeps the copies that recipe and GPU need; calculator one as large as the weight; "
               "Megatron's line none.";
    }
    std::string gradients() const {
        return "calculator always counts 4 bytes; detailed the type that precision and optimizer settings "
               "give.";
    }
    std::string masters() const {
        return "Megatron shards over DP x CP (experts: EDP with ETP); calculator over DP, world / PP or "
               "world / PP / EP.";
    }
    std::string optimizer() const { return "Adam keeps 8 bytes a parameter; calculator counts 4."; }
    std::string activations() const {
        std::string text = "detailed keeps what the schedule has in flight";
        if (detailed.virtual_stages > 1) {
            text += fmt::format("; calculator multiplies by VPP {}", detailed.virtual_stages);
        } else if (s.pipeline_model_parallel_size > 1) {
            text += "; calculator counts one micro-batch";
        }
        if (moe()) text += "; Megatron's line treats every layer as dense";
        return text + ".";
    }
    std::string others() const {
        return "Workspaces, dummy gradients and what is alive at the peak only: detailed alone counts them.";
    }
    std::string vision() const {
        return "detailed puts the tower on the first rank, divided by TP; calculator on every rank.";
    }
    std::string reserve() const {
        return "What lies outside torch is your setting; detailed adds the allocator's own reserve.";
    }
    std::string total() const { return "For the rank that needs most."; }
};

}  // namespace

Comparison compare_methods(const Scenario& scenario) {
    const Report detailed = estimate(scenario, Method::detailed);
    const Report calculator = estimate(scenario, Method::calculator);
    const Report printed = estimate(scenario, Method::megatron_report);
    const auto d = worst_totals(detailed);
    const auto c = worst_totals(calculator);
    const Reasons reasons{scenario, detailed};

    Comparison comparison;
    comparison.detailed_rank = detailed.worst_rank;
    comparison.calculator_rank = calculator.worst_rank;
    comparison.has_megatron_report = printed.valid && !printed.shards.empty();
    const auto row = [&](std::string_view name, Bytes Totals::*member, std::string reason) {
        MethodRow out{std::string(name), {}, {}, {}, std::move(reason)};
        if (d) out.detailed = (*d).*member;
        if (c) out.calculator = (*c).*member;
        comparison.rows.push_back(std::move(out));
    };
    row("weights", &Totals::weight, reasons.weights());
    row("FP8 copies", &Totals::fp8_cache, reasons.fp8());
    row("gradients", &Totals::grad, reasons.gradients());
    row("master weights", &Totals::master, reasons.masters());
    row("optimizer", &Totals::optimizer, reasons.optimizer());
    row("activations", &Totals::activation, reasons.activations());
    comparison.rows.push_back({"workspaces and peak", {}, {}, {}, reasons.others()});
    if (d) comparison.rows.back().detailed = d->workspace + d->transient;
    if (c) comparison.rows.back().calculator = 0;
    if (scenario.vision_num_layers > 0) row("vision tower", &Totals::vision, reasons.vision());
    row("reserve", &Totals::reserve, reasons.reserve());
    row("total", &Totals::total, reasons.total());

    if (comparison.has_megatron_report) {
        const Shard& most = printed.shards.front();
        // Megatron prints weights, gradients and states as one figure.
        comparison.rows.insert(
            comparison.rows.begin() + 5,
            {"weights to optimizer",
             d ? std::optional(d->weight + d->fp8_cache + d->grad + d->master + d->optimizer) : std::nullopt,
             c ? std::optional(c->weight + c->fp8_cache + c->grad + c->master + c->optimizer) : std::nullopt,
             rounded(most.weight_and_optimizer_bytes),
             "Megatron prints these as one figure, for an even split."});
        for (MethodRow& out : comparison.rows) {
            if (out.name == "activations") out.megatron_report = rounded(most.activation_bytes);
            if (out.name == "total") out.megatron_report = rounded(most.total_bytes());
        }
    }
    return comparison;
}

}  // namespace megamem
