#include "memory/explain_cell.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/expression.h"
#include "engine/support/detailed_scenarios.h"
#include "engine/support/problems.h"
#include "memory/cells.h"
#include "memory/estimate.h"
#include "memory/explain_json.h"
#include "scenario/presets.h"

namespace megamem {

using test::holds;
using test::with;

namespace {

// What the table shows in a cell, from the report itself: by the item sums that the tables are made of.
std::int64_t shown_in_row(const RankReport& rank, std::string_view row, std::string_view column) {
    std::int64_t sum = 0;
    std::int64_t elements = 0;
    for (const LineItem& item : rank.items) {
        if ((item.module.empty() ? item.component : item.module) != row) continue;
        elements = std::max(elements, item.elements);
        if (column == "total" ? item.kind != Kind::held : name_of(item.kind) == column) sum += item.bytes;
    }
    return column == "parameters" ? elements : sum;
}

std::int64_t shown_in_sum(const RankReport& rank, std::string_view column) {
    if (column == "total") return rank.totals.total;
    std::set<std::string_view> rows;
    for (const LineItem& item : rank.items)
        rows.insert(item.module.empty() ? item.component : item.module);
    std::int64_t sum = 0;
    for (const std::string_view row : rows)
        sum += shown_in_row(rank, row, column);
    return sum;
}

std::int64_t shown_total(const Report& report, const RankReport& rank, std::string_view name) {
    const Totals& t = rank.totals;
    const std::pair<std::string_view, Bytes> totals[] = {
        {"weight", t.weight},
        {"fp8_cache", t.fp8_cache},
        {"grad", t.grad},
        {"master", t.master},
        {"optimizer", t.optimizer},
        {"activation", t.activation},
        {"vision", t.vision},
        {"transient", t.transient},
        {"workspace", t.workspace},
        {"held", t.held},
        {"reserve", t.reserve},
        {"steady_allocated", t.steady_allocated},
        {"peak_allocated", t.peak_allocated},
        {"peak_reserved", t.peak_reserved},
        {"total", t.total},
        {"headroom", report.capacity.usable - t.total},
    };
    for (const auto& [key, bytes] : totals) {
        if (key == name) return bytes;
    }
    std::int64_t in_flight = 0;
    for (const std::int64_t chunk : rank.in_flight)
        in_flight += chunk;
    return name == "in_flight" ? in_flight : -1;
}

std::int64_t shown(const Report& report, const RankReport& rank, const std::string& cell) {
    const std::size_t dot = cell.rfind('.');
    if (dot == std::string::npos) return shown_total(report, rank, cell);
    const std::string row = cell.substr(0, dot);
    const std::string column = cell.substr(dot + 1);
    return row == "total" ? shown_in_sum(rank, column) : shown_in_row(rank, row, column);
}

double shown(const Shard& shard, const std::string& cell) {
    if (cell == "parameters") return shard.parameters;
    if (cell == "weight_and_optimizer") return shard.weight_and_optimizer_bytes;
    if (cell == "activation") return shard.activation_bytes.value_or(-1);
    if (cell == "total") return shard.total_bytes().value_or(-1);
    const std::size_t dot = cell.rfind('.');
    const std::string column = cell.substr(dot + 1);
    for (const ShardItem& item : column == "activation" ? shard.activations : shard.modules) {
        if (item.component == cell.substr(0, dot))
            return column == "parameters" ? item.parameters : item.bytes;
    }
    return -1;
}

// The numbers put into the formula come to the result, but for divisions that round down: a byte an item and
// tensor. Only some of the detailed method's formulas are words.
void check_arithmetic(const Explanation& e) {
    if (e.substitution.empty() || e.unit == "micro-batches") return;
    const auto value = evaluate(e.substitution);
    REQUIRE(value);
    const double times = *value * static_cast<double>(e.multiplicity);
    CHECK(times == Catch::Approx(e.exact.value_or(static_cast<double>(e.result))).epsilon(1e-6).margin(64));
}

// A cell and what its parts lead to.
void check_cell(const Scenario& scenario, const Report& report, std::int64_t rank, const std::string& cell,
                int depth = 0) {
    INFO(cell);
    const auto e = explain_cell(scenario, report, rank, cell);
    REQUIRE(e);
    CHECK(e->cell == cell);
    CHECK_FALSE(e->title.empty());
    CHECK_FALSE(e->symbols.empty());
    CHECK_FALSE(e->source.empty());
    check_arithmetic(*e);
    Bytes sum = 0;
    double exact = 0;
    for (const ExplanationPart& part : e->parts) {
        sum += part.bytes;
        exact += part.exact.value_or(0);
        if (part.cell.empty() || depth > 3) continue;
        const auto deeper = explain_cell(scenario, report, rank, part.cell);
        INFO(part.cell);
        REQUIRE(deeper);
        if (e->sum) CHECK(deeper->result == part.bytes);
        if (e->sum && deeper->parts.size() < 4) check_cell(scenario, report, rank, part.cell, depth + 1);
    }
    if (!e->sum) return;
    if (e->exact) {
        CHECK(exact == Catch::Approx(*e->exact).epsilon(1e-12));
    } else {
        CHECK(sum == e->result);
    }
}

void check_report(const Scenario& scenario, Method method) {
    const Report report = estimate(scenario, method);
    INFO(name_of(method) << "\n" << test::shown(report.problems));
    REQUIRE(report.valid);
    const auto last = static_cast<std::int64_t>(std::max(report.ranks.size(), report.shards.size())) - 1;
    // Ranks between differ from the worst one in their numbers only.
    for (const std::int64_t rank :
         std::set{std::int64_t{0}, std::max<std::int64_t>(report.worst_rank, 0), last}) {
        INFO("rank " << rank);
        const auto at = static_cast<std::size_t>(rank);
        for (const std::string& cell : cell_names(report, rank)) {
            check_cell(scenario, report, rank, cell);
            const auto e = explain_cell(scenario, report, rank, cell);
            if (cell == "headroom") {
                CHECK(e->result ==
                      report.capacity.usable -
                          (report.ranks.empty() ? report.needed() : report.ranks[at].totals.total));
            } else if (report.shards.empty()) {
                INFO(cell);
                CHECK(e->result == shown(report, report.ranks[at], cell));
            } else {
                INFO(cell);
                REQUIRE(e->exact);
                // The report adds up in another order.
                CHECK(*e->exact == Catch::Approx(shown(report.shards[at], cell)).epsilon(1e-14));
            }
        }
    }
}

}  // namespace

TEST_CASE("Every cell of every preset is explained, to the byte", "[memory][explain][cells]") {
    for (const ModelPreset& preset : model_presets()) {
        INFO(preset.id);
        for (const Method method : {Method::detailed, Method::calculator, Method::megatron_report})
            check_report(scenario_of(preset), method);
    }
}

TEST_CASE("Every cell of what presets don't have", "[memory][explain][cells]") {
    for (const test::Named& named : test::detailed_scenarios()) {
        INFO(named.settings);
        // Pieces of full recompute with MTP hold inputs of two sizes under one formula.
        if (holds(named.settings, "mtp_num_layers=2 recompute_granularity=full")) continue;
        check_report(named.scenario, Method::detailed);
    }
    for (const char* settings :
         {"", "framework_version=2025-11-01", "multi_latent_attention=1 num_query_groups=16",
          "tensor_model_parallel_size=1 sequence_parallel=0 pipeline_model_parallel_size=1",
          "use_distributed_optimizer=0 mtp_num_layers=1 moe_latent_size=256"})
        check_report(with(test::clean_moe(), settings), Method::megatron_report);
}

TEST_CASE("Cells by name", "[memory][explain][cells]") {
    const Scenario scenario = test::clean_moe();
    const Report report = estimate(scenario, Method::detailed);
    REQUIRE(report.valid);
    const auto result = [&](std::string_view name) {
        const auto e = explain_cell(scenario, report, 0, name);
        return e ? e->result : -1;
    };
    // 2 MoE layers, 2 micro-batches in flight, 2048 tokens over TP 2 with 4 experts each.
    CHECK(result("experts.activation.expert_fc1_output") == 2 * 4096 * 2 * 512 * 4);
    // A row and a column that meet in nothing hold nothing.
    CHECK(result("router.workspace") == 0);
    CHECK(result("vision") == 0);
    for (const char* nothing :
         {"", ".", "..", "router", "router.", ".weight", "router.colour", "nothing.weight", "total.nothing",
          "router.weight.nothing", "router.activation.router#9", "a.b.c.d", "weight_and_optimizer",
          "held.total"}) {
        INFO(nothing);
        CHECK(result(nothing) == -1);
    }
    CHECK_FALSE(explain_cell(scenario, report, -1, "weight"));
    CHECK_FALSE(explain_cell(scenario, report, 9, "weight"));
    CHECK_FALSE(explain_cell({}, estimate({}, Method::detailed), 0, "weight"));
    CHECK(cell_names(report, 9).empty());
    // Any other name is of a module or term, as ever.
    CHECK(explain_named(scenario, report, 0, "router.total").size() == 1);
    CHECK(explain_named(scenario, report, 0, "router").size() > 1);
}

TEST_CASE("Items of one name have numbers", "[memory][explain][cells]") {
    // Dense and MoE layers keep a norm's input each.
    const Scenario scenario = test::clean_moe();
    const Report report = estimate(scenario, Method::detailed);
    const auto e = explain_cell(scenario, report, 0, "norms.activation.mlp_norm_input");
    REQUIRE(e);
    REQUIRE(e->parts.size() == 2);
    CHECK(e->parts[1].cell == "norms.activation.mlp_norm_input#2");
    CHECK(holds(e->title, "norms activations, mlp_norm_input"));
    const auto second = explain_cell(scenario, report, 0, e->parts[1].cell);
    REQUIRE(second);
    CHECK(second->result == e->parts[1].bytes);
    CHECK_FALSE(second->sum);
}

TEST_CASE("In flight: the schedule's own count", "[memory][explain][cells]") {
    const auto numbers = [](const char* settings, std::int64_t rank) {
        const Scenario scenario = with(test::clean_dense(), settings);
        const Report report = estimate(scenario, Method::detailed);
        INFO(test::shown(report.problems));
        const auto e = explain_cell(scenario, report, rank, "in_flight");
        REQUIRE(e);
        CHECK(e->unit == "micro-batches");
        return std::pair(e->substitution, e->result);
    };
    // DP 2, so 8 micro-batches: 1F1B keeps PP - rank of them.
    const char* const plain = "pipeline_model_parallel_size=4 global_batch_size=16";
    CHECK(numbers(plain, 1).first == "min(4 - 1, 8)");
    CHECK(numbers(plain, 1).second == 3);
    // DP 4, so 16 micro-batches. Warm-up 2 (2 - 0 - 1) + (2 - 1) 2, and one more at the peak.
    const char* const interleaved = "pipeline_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=2";
    CHECK(numbers(interleaved, 0).first == "min(2 × (2 - 0 - 1) + (2 - 1) × 2 + 0 + 1, 16 × 2)");
    CHECK(numbers(interleaved, 0).second == 5);
    CHECK(numbers("pipeline_model_parallel_size=2 pipeline_schedule=gpipe", 1).second == 16);
}

TEST_CASE("An assumption stands beside the cells that it bears on", "[memory][explain][cells]") {
    const Scenario scenario = test::clean_moe();
    const Report report = estimate(scenario, Method::detailed);
    const auto has = [&](std::string_view cell, std::string_view id) {
        const auto e = explain_cell(scenario, report, 0, cell);
        REQUIRE(e);
        return std::any_of(e->assumptions.begin(), e->assumptions.end(),
                           [&](const Assumption& a) { return a.id == id; });
    };
    CHECK(has("experts.activation", "detailed.routing"));
    CHECK_FALSE(has("experts.weight", "detailed.routing"));
    CHECK(has("nccl_buffer.total", "detailed.outside_torch"));
    // A sum has what its parts have.
    CHECK(has("total", "detailed.routing"));
    CHECK(has("total", "detailed.outside_torch"));
}

TEST_CASE("An explanation outlives the name that asked for it", "[memory][explain][cells]") {
    const Scenario scenario = test::clean_moe();
    const Report report = estimate(scenario, Method::megatron_report);
    std::string name = "layers.activation";
    const auto e = explain_cell(scenario, report, 0, name);
    name.assign(name.size(), '?');
    REQUIRE(e);
    CHECK(e->kind == "activation");
    CHECK(e->cell == "layers.activation");
}

TEST_CASE("A cell in JSON", "[memory][explain][cells]") {
    const Scenario scenario = test::clean_moe();
    const Report report = estimate(scenario, Method::megatron_report);
    const auto e = explain_cell(scenario, report, 0, "total");
    REQUIRE(e);
    const OrderedJson json = json_of(*e);
    CHECK(json["cell"] == "total");
    CHECK(json["unit"] == "bytes");
    CHECK(json["sum"] == true);
    CHECK(json["bytes"].get<double>() == Catch::Approx(*report.shards[0].total_bytes()).epsilon(1e-14));
    REQUIRE(json["parts"].size() == 2);
    CHECK(json["parts"][0]["cell"] == "weight_and_optimizer");
    CHECK(json["assumptions"].size() == e->assumptions.size());
}

TEST_CASE("sections add up to the rank, and explain themselves", "[explain_cell]") {
    for (const char* preset : {"deepseek-v3", "llama-3.1-70b", "qwen3-vl-8b", "llava-1.5-7b"}) {
        const Scenario s = scenario_of(*find_preset(preset));
        for (const Method method : {Method::detailed, Method::calculator}) {
            const Report report = estimate(s, method);
            REQUIRE(report.valid);
            for (const RankReport& rank : report.ranks) {
                Bytes all = 0;
                for (std::size_t i = 0; i < kSections; ++i) {
                    const auto section = static_cast<Section>(i);
                    Bytes rows = 0;
                    for (const TableRow& row : table_rows(rank))
                        rows += section_of(row) == section ? row.total() : 0;
                    const std::string name = cell_name(section_row(section), kTotalColumn);
                    CHECK(section_named(section_row(section)) == section);
                    check_cell(s, report, rank.pipeline_rank, name);
                    CHECK(explain_cell(s, report, rank.pipeline_rank, name)->result == rows);
                    all += rows;
                }
                CHECK(all == rank.totals.total);
            }
        }
    }
    const Scenario s = scenario_of(*find_preset("deepseek-v3"));
    const Report report = estimate(s, Method::detailed);
    check_cell(s, report, 2, "all layers.activation");
    check_cell(s, report, 2, "all layers.parameters");
    CHECK_FALSE(explain_cell(s, report, 2, "all oceans.weight"));
    CHECK_FALSE(explain_cell(s, report, 2, "all layers.water"));
}

}  // namespace megamem
