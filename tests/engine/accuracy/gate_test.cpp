// A gate's verdict: the arithmetic of its margin, and what keeps it from one.
#include "accuracy/gate.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "accuracy/evidence.h"
#include "engine/support/scenarios.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

using namespace megamem;
using test::with;

namespace {

using From = MarginRule::From;

Scenario preset(std::string_view id, std::string_view settings = "") {
    const ModelPreset* found = find_preset(id);
    REQUIRE(found != nullptr);
    return with(scenario_of(*found), settings);
}

// With a capacity that leaves this much free.
Report report_with(const Scenario& scenario, Bytes free, Method method = Method::detailed) {
    Report report = estimate(scenario, method);
    REQUIRE(report.valid);
    report.capacity = {"test", report.needed() + free};
    return report;
}

Verdict verdict_of(Bytes free, MarginRule rule) {
    const Scenario scenario = preset("llama-2-7b");
    return gate_of(scenario, report_with(scenario, free), rule).verdict;
}

}  // namespace

TEST_CASE("a margin is auto, none, a share or GiB", "[gate]") {
    const auto is = [](std::string_view text, From from, std::int64_t amount) {
        const auto rule = parse_margin(text);
        return rule && rule->from == from && rule->amount == amount;
    };
    CHECK(is("auto", From::measured, 0));
    CHECK(is("none", From::bytes, 0));
    CHECK(is("5%", From::share, 50'000));
    CHECK(is("0.25%", From::share, 2'500));
    CHECK(is("2GiB", From::bytes, 2 * kGiB));
    CHECK(is("1.5GiB", From::bytes, kGiB + kGiB / 2));
    for (const std::string_view wrong : {"", "5", "%", "GiB", "-5%", "5 percent", "5GB", "auto ", "1e3%"})
        CHECK_FALSE(parse_margin(wrong));
}

TEST_CASE("fits up to the last byte; within the margin no verdict; beyond the capacity none that fits",
          "[gate]") {
    constexpr MarginRule kTwoGiB{From::bytes, 2 * kGiB};
    CHECK(verdict_of(2 * kGiB, kTwoGiB) == Verdict::fits);
    CHECK(verdict_of(2 * kGiB - 1, kTwoGiB) == Verdict::cannot_say);
    CHECK(verdict_of(0, kTwoGiB) == Verdict::cannot_say);
    CHECK(verdict_of(-1, kTwoGiB) == Verdict::does_not_fit);
    constexpr MarginRule kNone{From::bytes, 0};
    CHECK(verdict_of(0, kNone) == Verdict::fits);
    CHECK(verdict_of(-1, kNone) == Verdict::does_not_fit);
}

TEST_CASE("a share is of what is needed, rounded up", "[gate]") {
    const Scenario scenario = preset("llama-2-7b");
    const Report report = report_with(scenario, 0);
    const Gate gate = gate_of(scenario, report, {From::share, 50'000});
    CHECK(gate.needed == report.needed());
    CHECK(gate.margin == (report.needed() + 19) / 20);
}

TEST_CASE("the measured margin covers a run that was predicted too low by the worst error", "[gate]") {
    const Scenario scenario = preset("llama-2-7b");
    const Report report = report_with(scenario, 0);
    const Evidence evidence = evidence_for(scenario, report);
    REQUIRE(evidence.alike >= 3);
    REQUIRE(evidence.worst > 0);
    const Gate gate = gate_of(scenario, report, {});
    const double measured = static_cast<double>(report.needed()) / (1 - evidence.worst);
    CHECK(std::fabs(static_cast<double>(report.needed() + gate.margin) - measured) <= 1);
    CHECK(gate.margin_source.find("12 measured runs like it") != std::string::npos);
}

TEST_CASE("with fewer than three runs like it the margin is that of the worst of all runs", "[gate]") {
    const Scenario scenario = preset("deepseek-v3");
    const Report report = report_with(scenario, 0);
    REQUIRE(evidence_for(scenario, report).alike < 3);
    double worst = 0;
    for (const Spread& spread : evidence_spreads())
        worst = std::max(worst, spread.worst);
    const Gate gate = gate_of(scenario, report, {});
    const double measured = static_cast<double>(report.needed()) / (1 - worst);
    CHECK(std::fabs(static_cast<double>(report.needed() + gate.margin) - measured) <= 1);
    CHECK(gate.margin_source.find("all") != std::string::npos);
}

TEST_CASE("no verdict on what isn't known", "[gate]") {
    const Scenario scenario = preset("llama-2-7b");
    Report report = report_with(scenario, 64 * kGiB);
    REQUIRE(gate_of(scenario, report, {}).verdict == Verdict::fits);
    SECTION("open questions and dropped values, whatever the number says") {
        for (const std::string_view code : {"open_question", "out_of_range", "not_modelled"}) {
            Report open = report;
            open.problems.push_back({Severity::warning, code, "", "something"});
            const Gate gate = gate_of(scenario, open, {});
            CHECK(gate.verdict == Verdict::cannot_say);
            CHECK(gate.reason == "something");
        }
    }
    SECTION("what has no effect on memory is no hindrance") {
        report.problems.push_back({Severity::warning, "no_effect", "droprate", "it changes nothing"});
        report.problems.push_back({Severity::warning, "unknown_argument", "", "1 unknown: --foo"});
        CHECK(gate_of(scenario, report, {}).verdict == Verdict::fits);
    }
    SECTION("the measured margin is the detailed method's; a given one is anyone's") {
        const Report other = report_with(scenario, 64 * kGiB, Method::calculator);
        CHECK(gate_of(scenario, other, {}).verdict == Verdict::cannot_say);
        CHECK(gate_of(scenario, other, {From::share, 50'000}).verdict == Verdict::fits);
    }
    SECTION("a scenario that no report can be made of is bad input") {
        const Scenario wrong = with(scenario, "tensor_model_parallel_size=7");
        const Gate gate = gate_of(wrong, estimate(wrong, Method::detailed), {});
        CHECK(gate.verdict == Verdict::bad_input);
        CHECK_FALSE(gate.reason.empty());
    }
}
