#include "memory/explain.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>

#include "base/expression.h"
#include "engine/support/detailed_scenarios.h"
#include "engine/support/problems.h"
#include "memory/estimate.h"
#include "memory/explain_json.h"
#include "memory/formulas.h"
#include "memory/report_json.h"

namespace megamem {

using test::holds;
using test::with;

TEST_CASE("Arithmetic in the formulas' notation", "[base][expression]") {
    CHECK(evaluate("1 + 2 × 3") == 7);
    CHECK(evaluate("2 × (3 + 4) / 7 - 1") == 1);
    CHECK(evaluate("2 × 2^10") == 2048);
    CHECK(evaluate("0.75 × 4") == 3);
    CHECK(evaluate(" 12 ") == 12);
    for (const char* words :
         {"", "2 ×", "(1", "1)", "2 layers", "× 2", "1 / 0", "the most", "1 2", "2..5", "--1"}) {
        INFO(words);
        CHECK_FALSE(evaluate(words));
    }
    CHECK_FALSE(evaluate(std::string(100'000, '(')));
}

TEST_CASE("Symbols are replaced as whole words, the longest first", "[memory][explain]") {
    const Symbols symbols = {{"h", "4096", ""}, {"MoE layers", "3", ""}, {"layers", "8", ""}, {"s", "7", ""}};
    CHECK(substitute("h × h_e × MoE layers × layers / s", symbols) == "4096 × h_e × 3 × 8 / 7");
    CHECK(substitute("", symbols).empty());
    const Symbols found = symbols_in("s × MoE layers", symbols);
    REQUIRE(found.size() == 2);
    CHECK(found[0].name == "MoE layers");
    CHECK(found[1].name == "s");
}

TEST_CASE("Numbers in formulas: whole, or up to four decimals", "[memory][explain]") {
    CHECK(number(0.0) == "0");
    CHECK(number(6.1875) == "6.1875");
    CHECK(number(-0.5) == "-0.5");
    CHECK(number(1.03125) == "1.03125");
    CHECK(number(1.0000000004) == "1");
    CHECK(number(0.9999999996) == "1");
    CHECK(number(-0.0000000001) == "0");
    CHECK(number(2.0625) == "2.0625");
    CHECK(number(3.05) == "3.05");
    CHECK(number(9007199254740991.0) == "9007199254740991");
    CHECK(number(std::nan("")) == "0");
}

namespace {

// The detailed method's generic vision tower is summed over parts: told in words.
bool is_tower_sum(std::string_view symbols) {
    return holds(symbols, "elements × bytes") || holds(symbols, "what each ViT layer") ||
           holds(symbols, "input and two projector");
}

// What an explanation's numbers come to, times its multiplicity.
void check_sum(const Explanation& e) {
    INFO(e.component << " " << e.kind << ": " << e.symbols << "\n"
                     << e.substitution << " x " << e.multiplicity);
    CHECK_FALSE(e.symbols.empty());
    CHECK_FALSE(e.source.empty());
    // Only walks over a stage's layers, a share of the peak and the vision tower's sums have no numbers; what
    // is left over at a peak is never negative.
    CHECK(e.substitution.empty() ==
          (holds(e.symbols, "the most") || holds(e.symbols, "unfused attention's scores") ||
           holds(e.symbols, "end of the backward pass") || is_tower_sum(e.symbols)));
    if (e.substitution.empty()) return;
    const auto value = evaluate(e.substitution);
    REQUIRE(value);
    // Divisions round down: a byte an item and tensor.
    CHECK(*value * static_cast<double>(e.multiplicity) ==
          Catch::Approx(static_cast<double>(e.result)).epsilon(1e-6).margin(64));
}

void check_all(const Scenario& scenario, Method method) {
    const Report report = estimate(scenario, method);
    INFO(test::shown(report.problems));
    REQUIRE(report.valid);
    const auto ranks = static_cast<std::int64_t>(report.ranks.size());
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        Bytes sum = 0;
        for (const std::string_view name : explainable_names(report, rank)) {
            INFO("rank " << rank << " " << name);
            const auto all = explain(scenario, report, rank, name);
            CHECK_FALSE(all.empty());
            for (const Explanation& e : all) {
                check_sum(e);
                // A component is explained with its module too.
                if (e.component == name) sum += e.result;
            }
        }
        Bytes items = 0;
        for (const LineItem& item : report.ranks[static_cast<std::size_t>(rank)].items)
            items += item.bytes;
        CHECK(sum == items);
    }
}

}  // namespace

TEST_CASE("The numbers put into a formula give the item's bytes: detailed", "[memory][explain][detailed]") {
    for (const test::Named& named : test::detailed_scenarios()) {
        INFO(named.settings);
        // Pieces of full recompute with MTP hold inputs of two sizes under one formula.
        if (holds(named.settings, "mtp_num_layers=2 recompute_granularity=full")) continue;
        check_all(named.scenario, Method::detailed);
    }
}

TEST_CASE("The numbers put into a formula give the item's bytes: calculator", "[memory][explain]") {
    check_all(test::clean_dense(), Method::calculator);
    check_all(with(test::clean_moe(), "droprate=0.5 fp8_format=hybrid attention_output_gate=1"),
              Method::calculator);
    check_all(with(test::clean_moe(),
                   "vision_num_layers=2 vision_hidden_size=64 vision_ffn_hidden_size=64 "
                   "vision_num_attention_heads=4 vision_patch_dim=14 vision_projector_ffn_hidden_size=64 "
                   "vision_spatial_merge_size=2 vision_patches_per_micro_batch=16"),
              Method::calculator);
}

TEST_CASE("A formula of Megatron's report with its numbers", "[memory][explain]") {
    const Scenario scenario = test::clean_moe();
    const Report report = estimate(scenario, Method::megatron_report);
    REQUIRE(report.valid);
    for (const std::string_view name : explainable_names(report, 0)) {
        INFO(name);
        CHECK_FALSE(explain(scenario, report, 0, name).empty());
    }
    const auto attention = explain(scenario, report, 0, "attention");
    REQUIRE(attention.size() == 1);
    CHECK(holds(attention[0].substitution, "2 × 1024 × 64 × (16 + 8) × (8 / 2 + 0) / 2 × (6 + 12 / "));
    REQUIRE(attention[0].parts.size() == 1);
    CHECK(attention[0].parts[0].cell == "attention.parameters");
}

TEST_CASE("A saved tensor is explained to the symbol", "[memory][explain][detailed]") {
    const Scenario scenario = test::clean_moe();
    const Report report = estimate(scenario, Method::detailed);
    const auto all = explain(scenario, report, 0, "expert_fc1_output");
    REQUIRE(all.size() == 1);
    const Explanation& e = all[0];
    CHECK(e.symbols == "element × N × gm × f_e / ETP");
    // 2048 tokens over TP 2, 4 experts each
    CHECK(e.substitution == "2 × 4096 × 2 × 512 / 1");
    // 2 of the rank's 4 layers are MoE, 2 micro-batches are in flight
    CHECK(e.multiplicity == 4);
    CHECK(e.result == 2 * 4096 * 2 * 512 * 4);
    CHECK(e.module == "experts");
    CHECK(holds(e.source, "fused_bias_swiglu.py"));
    REQUIRE(e.legend.size() == 5);
    CHECK(e.legend[0].name == "element");
}

TEST_CASE("A module's states name its tensors", "[memory][explain][detailed]") {
    const Scenario scenario = with(test::clean_dense(), "fp8_format=hybrid");
    const Report report = estimate(scenario, Method::detailed);
    const auto all = explain(scenario, report, 0, "mlp");
    REQUIRE(all.size() > 5);
    CHECK(all[0].kind == "weight");
    CHECK(all[0].substitution == "12582912 × 2");
    REQUIRE(all[0].parts.size() == 2);
    CHECK(all[0].parts[0].name == "mlp.linear_fc1.weight");
    CHECK(all[0].parts[0].text == "4096 × 512 × 4 layers");
    CHECK(all[0].parts[0].bytes == 2 * 4096 * 512 * 4);
    CHECK(all[3].kind == "master");
    CHECK(all[3].substitution == "12582912 × 4 / 8");
}

TEST_CASE("What isn't there isn't explained", "[memory][explain]") {
    const Scenario scenario = test::clean_moe();
    const Report report = estimate(scenario, Method::detailed);
    CHECK(explain(scenario, report, 0, "nothing").empty());
    CHECK(explain(scenario, report, 9, "mlp").empty());
    CHECK(explain(scenario, report, -1, "mlp").empty());
    CHECK(explainable_names(report, 9).empty());
    CHECK(explain({}, estimate({}, Method::detailed), 0, "mlp").empty());
}

TEST_CASE("Explanations in a report's JSON", "[memory][explain]") {
    const Scenario scenario = test::clean_dense();
    const Report report = estimate(scenario, Method::detailed);
    const std::string plain = write_report_json(report);
    CHECK(with_explanations(plain, {}) == plain);
    const auto json = OrderedJson::parse(with_explanations(plain, explain(scenario, report, 0, "embedding")),
                                         nullptr, false);
    REQUIRE_FALSE(json.is_discarded());
    REQUIRE(json["explanations"].size() > 0);
    CHECK(json["explanations"][0]["component"] == "embedding");
    CHECK(json["explanations"][0]["kind"] == "weight");
    CHECK(json["explanations"][0]["parts"].size() == 1);
}

}  // namespace megamem
