// RapidCheck generators of scenarios, all made through the field table.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "engine/support/samples.h"
#include "scenario/field.h"
#include "scenario/scenario.h"

namespace megamem::test {

inline rc::Gen<std::string> joined(rc::Gen<std::vector<std::string>> pieces) {
    return rc::gen::map(std::move(pieces), [](const std::vector<std::string>& all) {
        std::string text;
        for (const std::string& piece : all)
            text += piece;
        return text;
    });
}

inline rc::Gen<std::string> pieces_of(std::vector<std::string> alphabet) {
    return joined(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::move(alphabet))));
}

// Layouts and what looks like one.
inline rc::Gen<std::string> any_layout() {
    return pieces_of({"E",
                      "t",
                      "tt",
                      "m",
                      "L",
                      "|",
                      "||",
                      "(",
                      ")",
                      ")*2",
                      "*3",
                      "*",
                      ",",
                      "[",
                      "]",
                      "'",
                      "\"",
                      " + ",
                      " * 2",
                      "3 * ",
                      "['t']",
                      "[\"decoder\"]",
                      "[[\"embedding\"]]",
                      " ",
                      "0",
                      "7",
                      "e",
                      "x",
                      "\n",
                      "层",
                      "\xFF"});
}

inline rc::Gen<std::string> any_name() {
    return pieces_of({"a",  "Z",  "0", "-", ".",    "_",    "%",    "%41", "&",  "&amp;",
                      "=",  "#",  ";", "+", " ",    "\"",   "'",    "<",   "\\", "/",
                      "模", "型", "é", "🚀", "none", "auto", "\x01", "\n",  "z=1"});
}

// A text that the field takes (it is trimmed on the way in).
inline std::string good_text(const Field& field) {
    if (is_optional(field) && *rc::gen::inRange(0, 4) == 0) return std::string(kUnset);
    switch (field.type) {
        case FieldType::integer: {
            const std::int64_t steps = (field.max - field.min) / field.step;
            return fmt::format("{}", field.min + field.step * *rc::gen::inRange<std::int64_t>(0, steps + 1));
        }
        case FieldType::decimal:
            return to_text(Decimal4{*rc::gen::inRange<std::int64_t>(field.min, field.max + 1)});
        case FieldType::words: {
            std::string text;
            for (const std::string_view word : field.choices()) {
                if (*rc::gen::arbitrary<bool>()) text += (text.empty() ? "" : ",") + std::string(word);
            }
            return text;
        }
        case FieldType::layer_pattern: {
            if (*rc::gen::arbitrary<bool>()) return fmt::format("{}", *rc::gen::inRange(1, 1000));
            std::string text;
            const int runs = *rc::gen::inRange(1, 6);
            for (int i = 0; i < runs; ++i) {
                text += fmt::format("{}[{}]*{}", i > 0 ? "+" : "", *rc::gen::inRange(0, 2),
                                    *rc::gen::inRange(1, 100));
            }
            return text;
        }
        case FieldType::layout:
            return *rc::gen::suchThat(any_layout(), [](const std::string& text) {
                return text.find('\xFF') == std::string::npos && text.size() < 1000;
            });
        case FieldType::text:
            return *rc::gen::suchThat(any_name(), [](const std::string& text) { return text.size() <= 200; });
        case FieldType::boolean:
        case FieldType::choice:
            return *rc::gen::elementOf(good_values(field));
    }
    return {};
}

// Any scenario that the field table can express; most of them break rules. Must be called inside a property.
inline Scenario any_scenario() {
    Scenario scenario;
    for (const Field& field : field_table()) {
        if (*rc::gen::inRange(0, 3) == 0) continue;
        const std::string text = good_text(field);
        const auto problem = set_text(scenario, field, text);
        if (problem) RC_FAIL(problem->message);
    }
    return scenario;
}

inline void set(Scenario& scenario, std::string_view key, std::int64_t value) {
    const auto problem = set_integer(scenario, *find_field(key), value);
    if (problem) RC_FAIL(problem->message);
}

// A scenario for which the `calculator` method gives numbers.
inline Scenario valid_scenario() {
    const auto between = [](std::int64_t low, std::int64_t high) {
        return *rc::gen::inRange<std::int64_t>(low, high + 1);
    };
    const auto power = [&](std::int64_t high) { return std::int64_t{1} << between(0, high); };
    Scenario s;
    const std::int64_t tp = power(3);
    const std::int64_t pp = power(2);
    const std::int64_t cp = power(1);
    const std::int64_t ep = power(3);
    const std::int64_t vpp = pp > 1 ? power(1) : 1;
    set(s, "tensor_model_parallel_size", tp);
    set(s, "pipeline_model_parallel_size", pp);
    set(s, "context_parallel_size", cp);
    set(s, "nodes", tp * pp * cp * ep * between(1, 3));
    if (vpp > 1) set(s, "num_virtual_stages_per_pipeline_rank", vpp);
    set(s, "num_layers", pp * vpp * between(1, 4));
    set(s, "hidden_size", between(1, 4000));
    set(s, "ffn_hidden_size", between(1, 8000));
    set(s, "num_attention_heads", between(1, 64));
    set(s, "num_query_groups", between(1, 64));
    set(s, "kv_channels", between(1, 200));
    set(s, "vocab_size", between(1, 200'000));
    set(s, "mtp_num_layers", between(0, 2));
    if (*rc::gen::arbitrary<bool>()) {
        set(s, "expert_model_parallel_size", ep);
        set(s, "num_experts", ep * between(1, 8));
        set(s, "moe_ffn_hidden_size", between(1, 4000));
        set(s, "moe_router_topk", between(1, 8));
        set(s, "moe_shared_expert_intermediate_size", between(0, 4000));
        set(s, "num_dense_layers", between(0, *s.num_layers));
    }
    set(s, "seq_length", between(1, 10'000));
    set(s, "micro_batch_size", between(1, 8));
    set(s, "embedding_bytes", 2 * between(1, 2));
    set(s, "router_bytes", 2 * between(1, 2));
    s.swiglu = *rc::gen::arbitrary<bool>();
    s.untie_embeddings_and_output_weights = *rc::gen::arbitrary<bool>();
    s.attention_output_gate = *rc::gen::arbitrary<bool>();
    s.sequence_parallel = *rc::gen::arbitrary<bool>();
    s.weight_2b_for_1b = *rc::gen::arbitrary<bool>();
    s.precision = *rc::gen::element(Precision::bf16, Precision::fp16, Precision::fp32);
    s.fp8_format = *rc::gen::element(Fp8Format::none, Fp8Format::e4m3, Fp8Format::hybrid);
    s.droprate = Decimal4{between(1, Decimal4::kOne)};
    if (*rc::gen::arbitrary<bool>()) {
        s.recompute_granularity = RecomputeGranularity::selective;
        s.recompute_modules = {"moe_act"};
    }
    if (*rc::gen::arbitrary<bool>()) {
        set(s, "vision_num_layers", between(1, 30));
        set(s, "vision_hidden_size", between(1, 2000));
        set(s, "vision_ffn_hidden_size", between(1, 6000));
        set(s, "vision_num_attention_heads", between(1, 32));
        set(s, "vision_kv_channels", between(1, 200));
        set(s, "vision_patch_dim", between(1, 32));
        set(s, "vision_projector_ffn_hidden_size", between(1, 6000));
        set(s, "vision_spatial_merge_size", between(1, 4));
        set(s, "vision_patches_per_micro_batch", between(0, 10'000));
    }
    return s;
}

}  // namespace megamem::test
