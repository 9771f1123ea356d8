#include "memory/explain_records.h"

#include <catch2/catch_test_macros.hpp>

#include "memory/estimate.h"
#include "memory/explain_cell.h"
#include "scenario/presets.h"

namespace megamem {

TEST_CASE("What is shown of an explanation comes back from its records", "[explain][records]") {
    const Scenario scenario = scenario_of(*find_preset("deepseek-v3"));
    for (const Method method : {Method::detailed, Method::calculator, Method::megatron_report}) {
        const Report report = estimate(scenario, method);
        REQUIRE(report.valid);
        std::vector<Explanation> all;
        for (const std::string_view name : explainable_names(report, 0)) {
            for (Explanation& e : explain_named(scenario, report, 0, name))
                all.push_back(std::move(e));
        }
        REQUIRE(all.size() > 3);
        for (const Explanation& e : all) {
            INFO(e.cell);
            const auto read = read_explanation_records(write_explanation_records(e));
            REQUIRE(read);
            CHECK(read->cell == e.cell);
            CHECK(read->title == e.title);
            CHECK(read->component == e.component);
            CHECK(read->module == e.module);
            CHECK(read->kind == e.kind);
            CHECK(read->symbols == e.symbols);
            CHECK(read->substitution == e.substitution);
            CHECK(read->result == e.result);
            CHECK(read->unit == e.unit);
            CHECK(read->multiplicity == e.multiplicity);
            CHECK(read->sum == e.sum);
            CHECK(read->source == e.source);
            REQUIRE(read->legend.size() == e.legend.size());
            for (std::size_t i = 0; i < e.legend.size(); ++i) {
                CHECK(read->legend[i].name == e.legend[i].name);
                CHECK(read->legend[i].value == e.legend[i].value);
                CHECK(read->legend[i].meaning == e.legend[i].meaning);
            }
            REQUIRE(read->parts.size() == e.parts.size());
            for (std::size_t i = 0; i < e.parts.size(); ++i) {
                CHECK(read->parts[i].name == e.parts[i].name);
                CHECK(read->parts[i].text == e.parts[i].text);
                CHECK(read->parts[i].bytes == e.parts[i].bytes);
                CHECK(read->parts[i].cell == e.parts[i].cell);
            }
            REQUIRE(read->assumptions.size() == e.assumptions.size());
            for (std::size_t i = 0; i < e.assumptions.size(); ++i)
                CHECK(read->assumptions[i].message == e.assumptions[i].message);
        }
    }
}

TEST_CASE("No explanation, and what is none", "[explain][records]") {
    CHECK(write_explanation_records(std::nullopt).empty());
    CHECK_FALSE(read_explanation_records(""));
    CHECK_FALSE(read_explanation_records("{}"));
}

}  // namespace megamem
