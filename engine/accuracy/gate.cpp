#include "accuracy/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "accuracy/evidence.h"
#include "base/decimal.h"
#include "base/units.h"

namespace megamem {

namespace {

// Fewer say nothing of the spread.
constexpr std::size_t kEnoughRuns = 3;

// Left out of a scenario: an import's questions, and values that no field takes.
constexpr std::array<std::string_view, 10> kLeftOpen = {
    "open_question", "missing_value", "unknown_choice", "not_a_boolean", "not_an_integer",
    "not_a_decimal", "out_of_range",  "bad_value",      "json_cut",      "cut",
};

Bytes rounded_up(Wide product, std::int64_t divisor) {
    return narrow((product + divisor - 1) / divisor);
}

struct Margin {
    Bytes bytes = 0;
    std::string source;
};

// Errors are shares of what was measured: a run that was predicted too low by e took predicted / (1 - e).
Bytes shortfall(Bytes predicted, double error) {
    constexpr std::int64_t kAll = 10'000;  // the evidence is in hundredths of a percent
    const std::int64_t share = std::min<std::int64_t>(std::llround(error * kAll), kAll - 1);
    return rounded_up(Wide{predicted} * share, kAll - share);
}

Margin measured_margin(const Scenario& scenario, const Report& report) {
    const Evidence evidence = evidence_for(scenario, report);
    if (evidence.alike >= kEnoughRuns) {
        std::string source = fmt::format("worst error of {} measured runs like it: {}", evidence.alike,
                                         percent_text(evidence.worst));
        if (!evidence.missing.empty()) source += fmt::format(" ({})", evidence.missing);
        return {shortfall(report.needed(), evidence.worst), source};
    }
    double worst = 0;
    std::size_t count = 0;
    for (const Spread& spread : evidence_spreads()) {
        worst = std::max(worst, spread.worst);
        count += spread.count;
    }
    const std::string alike = evidence.alike == 0 ? "no measured run is like it"
                              : evidence.alike == 1
                                  ? "only 1 measured run is like it"
                                  : fmt::format("only {} measured runs are like it", evidence.alike);
    return {shortfall(report.needed(), worst),
            fmt::format("{}; worst error of all {}: {}", alike, count, percent_text(worst))};
}

// nullopt: no run was measured against the method.
std::optional<Margin> margin_of(const Scenario& scenario, const Report& report, const MarginRule& rule) {
    switch (rule.from) {
        case MarginRule::From::measured:
            if (report.method != Method::detailed) return std::nullopt;
            return measured_margin(scenario, report);
        case MarginRule::From::share:
            return Margin{rounded_up(Wide{report.needed()} * rule.amount, 1'000'000), "given"};
        case MarginRule::From::bytes:
            return Margin{rule.amount, rule.amount == 0 ? "none" : "given"};
    }
    return std::nullopt;
}

std::string counted_from(const Problems& open) {
    return open.size() == 1 ? open[0].message
                            : fmt::format("{} (and {} more)", open[0].message, open.size() - 1);
}

// "rank 3 needs 71.20 GiB + 0.90 GiB margin of 79.11 GiB (H100-80), detailed"
std::string balance(const Report& report, Bytes margin) {
    const std::string where =
        report.worst_rank < 0 ? "the most loaded shard" : fmt::format("rank {}", report.worst_rank);
    const std::string more = margin == 0 ? "" : fmt::format(" + {} GiB margin", gib(margin));
    return fmt::format("{} needs {} GiB{} of {} GiB ({}), {}", where, gib(report.needed()), more,
                       gib(report.capacity.usable), report.capacity.gpu, name_of(report.method));
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    constexpr std::array<std::string_view, 4> kNames = {"fits", "does_not_fit", "bad_input", "cannot_say"};
    return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view words_of(Verdict verdict) {
    constexpr std::array<std::string_view, 4> kWords = {"fits", "does not fit", "bad input", "can't say"};
    return kWords[static_cast<std::size_t>(verdict)];
}

std::optional<MarginRule> parse_margin(std::string_view text) {
    using From = MarginRule::From;
    if (text == "auto") return MarginRule{From::measured, 0};
    if (text == "none") return MarginRule{From::bytes, 0};
    const bool share = text.ends_with('%');
    if (!share && !text.ends_with("GiB")) return std::nullopt;
    const auto number = parse_decimal4(text.substr(0, text.size() - (share ? 1 : 3)));
    if (!number) return std::nullopt;
    if (share) return MarginRule{From::share, number->ten_thousandths};  // of a percent: millionths
    return MarginRule{From::bytes, narrow(Wide{number->ten_thousandths} * kGiB / Decimal4::kOne)};
}

bool leaves_open(const Problem& problem) {
    if (problem.severity != Severity::warning) return false;
    return problem.code == "not_modelled" ||
           std::find(kLeftOpen.begin(), kLeftOpen.end(), problem.code) != kLeftOpen.end();
}

Gate refused(const Problems& problems) {
    Gate gate;
    const auto error = std::find_if(problems.begin(), problems.end(), [](const Problem& problem) {
        return problem.severity == Severity::error;
    });
    if (error != problems.end()) gate.reason = error->message;
    return gate;
}

Gate gate_of(const Scenario& scenario, const Report& report, const MarginRule& rule) {
    Gate gate;
    Problems open;
    std::copy_if(report.problems.begin(), report.problems.end(), std::back_inserter(open), leaves_open);
    if (report.valid) gate.needed = report.needed();
    if (!open.empty()) {
        gate.verdict = Verdict::cannot_say;
        gate.reason = counted_from(open);
        return gate;
    }
    if (!report.valid) return refused(report.problems);
    const auto margin = margin_of(scenario, report, rule);
    if (!margin) {
        gate.verdict = Verdict::cannot_say;
        gate.reason = fmt::format("no measured run tells the margin of the method {}; give --margin",
                                  name_of(report.method));
        return gate;
    }
    gate.margin = margin->bytes;
    gate.margin_source = margin->source;
    const Bytes free = report.headroom();
    if (free < 0) {
        gate.verdict = Verdict::does_not_fit;
        gate.reason = fmt::format("{}: {} GiB too much", balance(report, 0), gib(-free));
    } else {
        gate.verdict = gate.margin <= free ? Verdict::fits : Verdict::cannot_say;
        gate.reason = fmt::format("{}; margin: {}", balance(report, gate.margin), gate.margin_source);
    }
    return gate;
}

}  // namespace megamem
