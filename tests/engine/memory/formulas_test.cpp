#include "memory/formulas.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "engine/support/scenarios.h"
#include "memory/estimate.h"

namespace megamem {

TEST_CASE("Every formula has an id, symbols and a source", "[memory][formulas]") {
    std::set<std::string_view> ids;
    for (const Formula& formula : formulas()) {
        INFO(formula.id);
        CHECK(ids.insert(formula.id).second);
        CHECK_FALSE(formula.symbols.empty());
        CHECK_FALSE(formula.source.empty());
        CHECK(find_formula(formula.id) == &formula);
    }
    CHECK(find_formula("") == nullptr);
    CHECK(find_formula("calculator.nothing") == nullptr);
}

TEST_CASE("Every line item has its formula, and every formula an item", "[memory][formulas]") {
    const Report report = estimate(
        test::with(test::clean_moe(),
                   "vision_num_layers=1 vision_hidden_size=64 vision_ffn_hidden_size=64 "
                   "vision_num_attention_heads=4 vision_patch_dim=14 vision_projector_ffn_hidden_size=64 "
                   "vision_spatial_merge_size=2 vision_patches_per_micro_batch=1"),
        Method::calculator);
    REQUIRE(report.valid);
    std::set<std::string_view> used;
    for (const LineItem& item : report.ranks[0].items) {
        INFO(item.component);
        CHECK(find_formula(item.formula) != nullptr);
        used.insert(item.formula);
    }
    for (const Formula& formula : formulas()) {
        INFO(formula.id);
        if (formula.id.starts_with("calculator.")) CHECK(used.contains(formula.id));
    }
}

}  // namespace megamem
