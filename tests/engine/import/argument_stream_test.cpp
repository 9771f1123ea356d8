#include "import/megatron_arguments.h"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "base/text.h"
#include "engine/support/generators.h"
#include "engine/support/problems.h"

namespace megamem {

namespace {

// "--num-layers 4 --bf16": each flag with the words after it.
std::vector<Argument> arguments_of(std::string_view text) {
    std::vector<Argument> arguments;
    for (const std::string_view word : split(text, ' ')) {
        if (word.starts_with("--")) {
            arguments.push_back({std::string(word), {}});
        } else if (!word.empty()) {
            REQUIRE_FALSE(arguments.empty());
            arguments.back().values.emplace_back(word);
        }
    }
    return arguments;
}

Scenario import(std::string_view text) {
    const ImportedArguments out = import_arguments(arguments_of(text));
    INFO(text << '\n' << test::shown(out.problems));
    CHECK(out.problems.empty());
    // Each either sets a field or settles what another one means.
    CHECK(out.taken.size() + out.ignored.size() >= arguments_of(text).size());
    return out.scenario;
}

// A flag that gives the field this value, in Megatron's way.
Argument argument_for(const Field& field, const Scenario& scenario) {
    Argument argument{std::string(field.flag), {}};
    const std::string text = get_text(scenario, field);
    if (field.type == FieldType::words) {
        for (const std::string_view word : split(text, ','))
            argument.values.emplace_back(word);
    } else if (field.type != FieldType::boolean) {
        argument.values.push_back(text);
    }
    return argument;
}

}  // namespace

TEST_CASE("Without a flag it is what Megatron runs with", "[import]") {
    // arguments.py@d98e8a64
    const Scenario s = import_arguments({}).scenario;
    CHECK(s == megatron_defaults());
    CHECK(s.precision == Precision::fp32);
    CHECK(s.add_bias_linear);
    CHECK(s.normalization == Normalization::layer_norm);
    CHECK(s.position_embedding_type == PositionEmbedding::learned_absolute);
    CHECK(s.hidden_dropout == Decimal4{1000});
    CHECK(s.attention_dropout == Decimal4{1000});
    CHECK_FALSE(s.use_distributed_optimizer);
    CHECK(s.moe_token_dispatcher_type == Dispatcher::allgather);
    CHECK(s.create_attention_mask_in_dataloader);
    CHECK(s.gradient_accumulation_fusion);
    CHECK_FALSE(s.untie_embeddings_and_output_weights);
    CHECK_FALSE(s.swiglu);
    CHECK_FALSE(s.num_layers);
}

TEST_CASE("Flags, their opposites and their other spellings", "[import]") {
    CHECK(import("--num-layers 12 --hidden-size 768").num_layers == 12);
    CHECK(import("--bf16").precision == Precision::bf16);
    CHECK(import("--fp16").precision == Precision::fp16);
    CHECK_FALSE(import("--disable-bias-linear").add_bias_linear);
    CHECK_FALSE(import("--no-gradient-accumulation-fusion").gradient_accumulation_fusion);
    CHECK_FALSE(import("--no-create-attention-mask-in-dataloader").create_attention_mask_in_dataloader);
    CHECK_FALSE(import("--no-rope-fusion").apply_rope_fusion);
    CHECK(import("--use-distributed-optimizer").use_distributed_optimizer);
    CHECK(import("--hidden-dropout 0.0").hidden_dropout == Decimal4{0});
    CHECK(import("--normalization RMSNorm").normalization == Normalization::rms_norm);
    CHECK(import("--use-rotary-position-embeddings").position_embedding_type == PositionEmbedding::rope);
    CHECK(import("--use-custom-fsdp").use_megatron_fsdp);
    CHECK(import("--attention-backend AttnBackend.flash").attention_backend == AttentionBackend::flash);
}

TEST_CASE("Query groups count with --group-query-attention only", "[import]") {
    CHECK_FALSE(import("--num-query-groups 8").num_query_groups);
    CHECK(import("--group-query-attention --num-query-groups 8").num_query_groups == 8);
    CHECK(import("--num-query-groups 8 --group-query-attention").num_query_groups == 8);
    CHECK_FALSE(import("--group-query-attention false --num-query-groups 8").num_query_groups);
}

TEST_CASE("Recompute: short forms and defaults", "[import]") {
    const std::vector<std::string> core_attn = {"core_attn"};
    const Scenario s = import("--recompute-activations");
    CHECK(s.recompute_granularity == RecomputeGranularity::selective);
    CHECK(s.recompute_modules == core_attn);
    CHECK(import("--recompute-granularity selective").recompute_modules == core_attn);
    const Scenario named = import("--recompute-granularity selective --recompute-modules moe_act layernorm");
    CHECK(std::set<std::string>(named.recompute_modules.begin(), named.recompute_modules.end()) ==
          std::set<std::string>{"layernorm", "moe_act"});
    CHECK(import("--recompute-granularity full --recompute-method uniform --recompute-num-layers 1")
              .recompute_modules.empty());
}

TEST_CASE("Argument maps: switches with a value, lists as text", "[import]") {
    CHECK_FALSE(import("--sequence-parallel false").sequence_parallel);
    CHECK(import("--sequence-parallel true").sequence_parallel);
    CHECK(import("--disable-bias-linear false").add_bias_linear);
    const ImportedArguments listed = import_arguments(
        {{"--recompute-granularity", {"selective"}}, {"--recompute-modules", {"[moe_act, layernorm]"}}});
    CHECK(listed.problems.empty());
    CHECK(listed.scenario.recompute_modules.size() == 2);
}

TEST_CASE("What isn't known is listed, and told where it changes memory", "[import]") {
    const ImportedArguments out =
        import_arguments(arguments_of("--lr 3e-4 --log-interval 1 --moe-paged-stash"));
    CHECK(out.scenario == megatron_defaults());
    CHECK(out.ignored == std::vector<std::string>{"--lr", "--log-interval", "--moe-paged-stash"});
    REQUIRE(out.problems.size() == 1);
    CHECK(out.problems[0].code == "not_modelled");
    CHECK(out.problems[0].path == "--moe-paged-stash");
    CHECK(out.problems[0].severity == Severity::warning);
}

TEST_CASE("A bad value is a warning with its flag, and changes nothing", "[import]") {
    for (const char* text :
         {"--num-layers four", "--num-layers", "--num-layers -1", "--normalization BatchNorm",
          "--recompute-modules nonsense", "--hidden-dropout x"}) {
        INFO(text);
        const ImportedArguments out = import_arguments(arguments_of(text));
        CHECK(out.scenario == megatron_defaults());
        CHECK(out.taken.empty());
        REQUIRE(out.problems.size() == 1);
        CHECK(out.problems[0].severity == Severity::warning);
        CHECK(out.problems[0].message.starts_with(arguments_of(text)[0].flag));
    }
}

TEST_CASE("Every field with a flag can be imported", "[import]") {
    int imported = 0;
    for (const Field& field : field_table()) {
        if (field.flag.empty()) continue;
        INFO(field.key);
        // A value that isn't the default's.
        Scenario wanted = megatron_defaults();
        for (const std::string& text : test::good_values(field)) {
            if (text == kUnset || text.empty()) continue;
            wanted = megatron_defaults();
            REQUIRE_FALSE(set_text(wanted, field, text));
            if (!equal(wanted, megatron_defaults(), field)) break;
        }
        if (equal(wanted, megatron_defaults(), field)) continue;
        std::vector<Argument> arguments = {argument_for(field, wanted)};
        if (field.key == "num_query_groups") arguments.push_back({"--group-query-attention", {}});
        if (field.key == "moe_layer_freq") {
            arguments.push_back({"--num-experts", {"8"}});
        }
        const ImportedArguments out = import_arguments(arguments);
        INFO(test::shown(out.problems));
        CHECK(out.problems.empty());
        CHECK(get_text(out.scenario, field) == get_text(wanted, field));
        ++imported;
    }
    CHECK(imported >= 90);
}

TEST_CASE("Property: the order of different flags changes nothing", "[import][property]") {
    CHECK(rc::check("order", [] {
        std::vector<Argument> arguments;
        Scenario scenario;
        for (const Field& field : field_table()) {
            if (field.flag.empty() || *rc::gen::inRange(0, 3) > 0) continue;
            if (const auto problem = set_text(scenario, field, test::good_text(field)))
                RC_FAIL(problem->message);
            if (field.type == FieldType::boolean) {
                arguments.push_back({std::string(field.flag), {}});
            } else {
                arguments.push_back(argument_for(field, scenario));
            }
        }
        arguments.push_back({"--group-query-attention", {}});
        arguments.push_back({"--unknown-to-us", {"1"}});
        const ImportedArguments first = import_arguments(arguments);
        for (std::size_t i = arguments.size(); i > 1; --i)
            std::swap(arguments[i - 1], arguments[*rc::gen::inRange<std::size_t>(0, i)]);
        const ImportedArguments second = import_arguments(arguments);
        RC_ASSERT(first.scenario == second.scenario);
        RC_ASSERT(first.problems.size() == second.problems.size());
        RC_ASSERT(std::multiset<std::string>(first.taken.begin(), first.taken.end()) ==
                  std::multiset<std::string>(second.taken.begin(), second.taken.end()));
    }));
}

}  // namespace megamem
