#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

#include "engine/support/detailed_scenarios.h"
#include "engine/support/problems.h"
#include "memory/estimate.h"
#include "memory/formulas.h"

namespace megamem {

TEST_CASE("Formulas of the detailed method have ids of their own", "[memory][formulas][detailed]") {
    std::set<std::string_view> ids;
    for (const auto table : {formulas(), megatron_report_formulas(), detailed_activation_formulas(),
                             detailed_static_formulas(), detailed_vision_formulas()}) {
        for (const Formula& formula : table) {
            INFO(formula.id);
            CHECK(ids.insert(formula.id).second);
            CHECK_FALSE(formula.symbols.empty());
            CHECK_FALSE(formula.source.empty());
            CHECK(find_formula(formula.id) == &formula);
        }
    }
}

TEST_CASE("Every item of the detailed method has its formula, and every formula an item",
          "[memory][formulas][detailed]") {
    std::set<std::string_view> used;
    for (const test::Named& named : test::detailed_scenarios()) {
        INFO(named.settings);
        const Report report = estimate(named.scenario, Method::detailed);
        INFO(test::shown(report.problems));
        REQUIRE(report.valid);
        for (const RankReport& rank : report.ranks) {
            for (const LineItem& item : rank.items) {
                INFO(item.component << " " << item.formula);
                CHECK(find_formula(item.formula) != nullptr);
                if (item.bytes > 0) used.insert(item.formula);
            }
        }
    }
    for (const auto table :
         {detailed_activation_formulas(), detailed_static_formulas(), detailed_vision_formulas()}) {
        for (const Formula& formula : table) {
            INFO(formula.id);
            CHECK(used.contains(formula.id));
        }
    }
}

}  // namespace megamem
