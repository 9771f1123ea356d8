#include "scenario/field.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

#include "engine/support/problems.h"
#include "engine/support/samples.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bad_values;
using test::good_values;
using test::holds;

namespace {

// A value other than the default's.
std::string other_value(const Field& field) {
    for (const std::string& value : good_values(field)) {
        if (value != get_text(Scenario{}, field)) return value;
    }
    return {};
}

// How many members an aggregate has: the most initializers that it takes.
struct Anything {
    template <class T>
    operator T&() const;
    template <class T>
    operator T&&() const;
};

template <class Aggregate, class... Given>
constexpr std::size_t members_of(Given... given) {
    if constexpr (requires { Aggregate{given..., Anything{}}; }) {
        return members_of<Aggregate>(given..., Anything{});
    } else {
        return sizeof...(Given);
    }
}

}  // namespace

TEST_CASE("Every row is filled in", "[scenario][field]") {
    for (const Field& f : field_table()) {
        INFO(f.key);
        CHECK_FALSE(f.key.empty());
        CHECK_FALSE(f.link_key.empty());
        CHECK_FALSE(f.label.empty());
        CHECK_FALSE(help_of(f).empty());
        CHECK_FALSE(title_of(f.group).empty());
        CHECK_FALSE(name_of(f.type).empty());
        CHECK_FALSE(describe_range(f).empty());
        const bool listed = f.type == FieldType::choice || f.type == FieldType::words;
        CHECK((f.choices != nullptr) == listed);
        if (f.type == FieldType::integer) {
            CHECK(f.min < f.max);
            CHECK(f.step >= 1);
            CHECK((f.max - f.min) % f.step == 0);
        }
        if (!f.flag.empty()) {
            // A Megatron flag is its key with dashes; one that turns a field off says no, with three of
            // Megatron's own spellings.
            std::string flag = (f.negated ? "--no-" : "--") + std::string(f.key);
            std::replace(flag.begin(), flag.end(), '_', '-');
            if (f.key == "add_bias_linear") flag = "--disable-bias-linear";
            if (f.key == "apply_rope_fusion") flag = "--no-rope-fusion";
            if (f.key == "torch_fsdp2_reshard_after_forward") flag = "--torch-fsdp2-no-reshard-after-forward";
            CHECK(f.flag == flag);
            CHECK((!f.negated || f.type == FieldType::boolean));
        }
    }
}

TEST_CASE("Keys, link keys and flags are unique", "[scenario][field]") {
    std::set<std::string_view> keys;
    std::set<std::string_view> link_keys = {"v", "m", "mt", "z"};  // the link's own
    std::set<std::string_view> flags;
    for (const Field& f : field_table()) {
        INFO(f.key);
        CHECK(keys.insert(f.key).second);
        CHECK(link_keys.insert(f.link_key).second);
        if (!f.flag.empty()) CHECK(flags.insert(f.flag).second);
    }
    // A link's key may be a long name too, so neither may mean two fields.
    for (const Field& f : field_table()) {
        const Field* same = find_field_by_link_key(f.key);
        CHECK((same == nullptr || same == &f));
    }
    for (const char* own : {"v", "m", "mt", "z", "schema"})
        CHECK(find_field(own) == nullptr);
}

TEST_CASE("Link keys are what links of version 1 carry", "[scenario][field]") {
    // Frozen. A row may be added; none may be changed or go.
    constexpr std::pair<const char*, const char*> kFrozen[] = {
        {"n", "name"},
        {"l", "num_layers"},
        {"h", "hidden_size"},
        {"f", "ffn_hidden_size"},
        {"vs", "vocab_size"},
        {"sw", "swiglu"},
        {"ut", "untie_embeddings_and_output_weights"},
        {"mtp", "mtp_num_layers"},
        {"a", "num_attention_heads"},
        {"g", "num_query_groups"},
        {"d", "kv_channels"},
        {"og", "attention_output_gate"},
        {"e", "num_experts"},
        {"ef", "moe_ffn_hidden_size"},
        {"k", "moe_router_topk"},
        {"es", "moe_shared_expert_intermediate_size"},
        {"dl", "num_dense_layers"},
        {"mf", "moe_layer_freq"},
        {"nn", "nodes"},
        {"gn", "gpus_per_node"},
        {"tp", "tensor_model_parallel_size"},
        {"pp", "pipeline_model_parallel_size"},
        {"vpp", "num_virtual_stages_per_pipeline_rank"},
        {"cp", "context_parallel_size"},
        {"ep", "expert_model_parallel_size"},
        {"etp", "expert_tensor_parallel_size"},
        {"pl", "pipeline_model_parallel_layout"},
        {"sp", "sequence_parallel"},
        {"s", "seq_length"},
        {"mb", "micro_batch_size"},
        {"gb", "global_batch_size"},
        {"dt", "precision"},
        {"f8", "fp8_format"},
        {"w2", "weight_2b_for_1b"},
        {"eb", "embedding_bytes"},
        {"rb", "router_bytes"},
        {"rg", "recompute_granularity"},
        {"rm", "recompute_modules"},
        {"dr", "droprate"},
        {"gpu", "gpu"},
        {"nc", "nccl_buffer_gib"},
        {"vl", "vision_num_layers"},
        {"bi", "add_bias_linear"},
        {"nm", "normalization"},
        {"pe", "position_embedding_type"},
        {"mp", "max_position_embeddings"},
        {"vb", "make_vocab_size_divisible_by"},
        {"hd", "hidden_dropout"},
        {"fr", "fp32_residual_connection"},
        {"mla", "multi_latent_attention"},
        {"ql", "q_lora_rank"},
        {"kl", "kv_lora_rank"},
        {"qk", "qk_head_dim"},
        {"qr", "qk_pos_emb_head_dim"},
        {"vd", "v_head_dim"},
        {"qb", "add_qkv_bias"},
        {"qn", "qk_layernorm"},
        {"ad", "attention_dropout"},
        {"ro", "apply_rope_fusion"},
        {"ri", "rotary_interleaved"},
        {"rp", "rotary_percent"},
        {"mk", "masked_softmax_fusion"},
        {"qs", "apply_query_key_layer_scaling"},
        {"sg", "moe_shared_expert_gate"},
        {"so", "moe_shared_expert_overlap"},
        {"ml", "moe_latent_size"},
        {"xb", "moe_router_enable_expert_bias"},
        {"gg", "moe_grouped_gemm"},
        {"td", "moe_token_dispatcher_type"},
        {"fb", "moe_flex_dispatcher_backend"},
        {"rd", "moe_router_dtype"},
        {"pf", "moe_permute_fusion"},
        {"cf", "moe_expert_capacity_factor"},
        {"pc", "moe_pad_expert_input_to_capacity"},
        {"lf", "moe_load_factor"},
        {"cc", "cp_comm_type"},
        {"tc", "tp_comm_overlap"},
        {"lv", "num_layers_per_virtual_pipeline_stage"},
        {"fl", "decoder_first_pipeline_num_layers"},
        {"ll", "decoder_last_pipeline_num_layers"},
        {"ae", "account_for_embedding_in_pipeline_split"},
        {"al", "account_for_loss_in_pipeline_split"},
        {"ps", "pipeline_schedule"},
        {"mg", "microbatch_group_size_per_virtual_pipeline_stage"},
        {"oe", "overlap_moe_expert_parallel_comm"},
        {"de", "defer_embedding_wgrad_compute"},
        {"wl", "wgrad_deferral_limit"},
        {"fv", "framework_version"},
        {"te", "transformer_engine_version"},
        {"ct", "container_version"},
        {"ti", "transformer_impl"},
        {"ab", "attention_backend"},
        {"dm", "deterministic_mode"},
        {"nd", "nvte_allow_nondeterministic_algo"},
        {"gf", "gradient_accumulation_fusion"},
        {"cl", "cross_entropy_loss_fusion"},
        {"ci", "cross_entropy_fusion_impl"},
        {"bf", "bias_swiglu_fusion"},
        {"am", "create_attention_mask_in_dataloader"},
        {"cw", "cublas_workspace_config"},
        {"cg", "cuda_graph_impl"},
        {"fi", "first_iteration"},
        {"vh", "vision_hidden_size"},
        {"vf", "vision_ffn_hidden_size"},
        {"va", "vision_num_attention_heads"},
        {"vg", "vision_num_query_groups"},
        {"vk", "vision_kv_channels"},
        {"vp", "vision_patch_dim"},
        {"vj", "vision_projector_ffn_hidden_size"},
        {"vm", "vision_spatial_merge_size"},
        {"vt", "vision_patches_per_micro_batch"},
        {"vy", "vision_model_type"},
        {"ih", "img_h"},
        {"iw", "img_w"},
        {"ck", "class_token_len"},
        {"vc", "disable_vision_class_token"},
        {"vq", "vision_projection_type"},
        {"vx", "vision_num_deepstack_mergers"},
        {"vz", "freeze_vision_projection"},
        {"vr", "recompute_vision"},
        {"fx", "fp8_recipe"},
        {"fg", "fp8_param_gather"},
        {"gr", "grad_reduce_in_bf16"},
        {"ga", "accumulate_allreduce_grads_in_fp32"},
        {"op", "optimizer"},
        {"do", "use_distributed_optimizer"},
        {"di", "num_distributed_optimizer_instances"},
        {"pa", "use_precision_aware_optimizer"},
        {"xg", "main_grads_dtype"},
        {"xp", "main_params_dtype"},
        {"xm", "exp_avg_dtype"},
        {"xv", "exp_avg_sq_dtype"},
        {"oc", "optimizer_cpu_offload"},
        {"of", "optimizer_offload_fraction"},
        {"lw", "use_layer_wise_param_layout"},
        {"fs", "use_megatron_fsdp"},
        {"ss", "data_parallel_sharding_strategy"},
        {"xf", "megatron_fsdp_main_grads_dtype"},
        {"fz", "frozen"},
        {"me", "recompute_method"},
        {"rn", "recompute_num_layers"},
        {"ds", "distribute_saved_activations"},
        {"fo", "fine_grained_activation_offloading"},
        {"om", "offload_modules"},
        {"mo", "min_offloaded_tensor_size"},
        {"af", "activation_offload_fraction"},
        {"cn", "cpu_offloading_num_layers"},
        {"mr", "mtp_use_repeated_layer"},
        {"rc", "moe_expert_rank_capacity_factor"},
        {"pq", "moe_router_padding_for_quantization"},
        {"bl", "first_last_layers_bf16"},
        {"bs", "num_layers_at_start_in_bf16"},
        {"be", "num_layers_at_end_in_bf16"},
        {"f4", "fp4_format"},
        {"fq", "fp4_param_gather"},
        {"lg", "output_logit_dtype"},
        {"os", "outer_dp_sharding_strategy"},
        {"db", "fsdp_double_buffer"},
        {"kt", "keep_fp8_transpose_cache"},
        {"tf", "use_torch_fsdp2"},
        {"tr", "torch_fsdp2_reshard_after_forward"},
        {"df", "delta_offload_bytes_across_pp_ranks"},
        {"gm", "cuda_graph_modules"},
    };
    for (const auto& [link_key, key] : kFrozen) {
        INFO(link_key);
        const Field* f = find_field_by_link_key(link_key);
        REQUIRE(f != nullptr);
        CHECK(f->key == key);
    }
    // A new row is frozen here too, before a link carries it.
    CHECK(std::size(kFrozen) == field_table().size());
}

TEST_CASE("What Megatron does without a flag is told where ours is another", "[scenario][field]") {
    // megatron/training/arguments.py@d98e8a64, and core/transformer/transformer_config.py for its dataclass.
    const std::map<std::string_view, std::string_view> kDefaults = {
        {"add_bias_linear", "1"},
        {"normalization", "LayerNorm"},
        {"position_embedding_type", "learned_absolute"},
        {"hidden_dropout", "0.1"},
        {"attention_dropout", "0.1"},
        {"moe_grouped_gemm", "0"},
        {"moe_token_dispatcher_type", "allgather"},
        {"moe_router_dtype", "none"},
        {"moe_permute_fusion", "0"},
        {"gradient_accumulation_fusion", "1"},
        {"bias_swiglu_fusion", "1"},
        {"create_attention_mask_in_dataloader", "1"},
        {"fp8_recipe", "delayed"},
        {"use_distributed_optimizer", "0"},
        {"use_layer_wise_param_layout", "1"},
        {"torch_fsdp2_reshard_after_forward", "1"},
    };
    std::size_t told = 0;
    for (const Field& f : field_table()) {
        INFO(f.key);
        const auto found = kDefaults.find(f.key);
        CHECK(f.megatron_default == (found == kDefaults.end() ? "" : found->second));
        if (f.megatron_default.empty()) continue;
        ++told;
        CHECK_FALSE(f.flag.empty());
        Scenario scenario;
        CHECK_FALSE(set_text(scenario, f, f.megatron_default));
        CHECK(get_text(scenario, f) == f.megatron_default);
        // A switch that turns off is on without it.
        if (f.negated) CHECK(f.megatron_default == "1");
        // One that turns on is off without it.
        if (f.type == FieldType::boolean && !f.negated) CHECK(f.megatron_default == "0");
    }
    CHECK(told == kDefaults.size());
}

TEST_CASE("Rows are found by key, link key and flag", "[scenario][field]") {
    for (const Field& f : field_table()) {
        CHECK(find_field(f.key) == &f);
        CHECK(find_field_by_link_key(f.link_key) == &f);
        CHECK(find_field_by_flag(f.flag) == (f.flag.empty() ? nullptr : &f));
    }
    for (const char* unknown : {"", "a b", "zzz", "num_layer", "num_layerss", "--", "Num_Layers"}) {
        CHECK(find_field(unknown) == nullptr);
        CHECK(find_field_by_link_key(unknown) == nullptr);
        CHECK(find_field_by_flag(unknown) == nullptr);
    }
}

TEST_CASE("Every member of Scenario has its own row", "[scenario][field]") {
    CHECK(field_table().size() == members_of<Scenario>());
    for (const Field& f : field_table()) {
        INFO(f.key);
        const std::string value = other_value(f);
        Scenario changed;
        REQUIRE_FALSE(set_text(changed, f, value));
        CHECK(changed != Scenario{});
        // The row changes its member and no other row's.
        for (const Field& other : field_table()) {
            INFO(other.key);
            CHECK(equal(changed, Scenario{}, other) == (&other != &f));
        }
        copy_field(changed, Scenario{}, f);
        CHECK(changed == Scenario{});
    }
}

TEST_CASE("Texts go in and come out unchanged, borders included", "[scenario][field]") {
    for (const Field& f : field_table()) {
        for (const std::string& value : good_values(f)) {
            INFO(f.key << " = " << value.substr(0, 80));
            Scenario scenario;
            const auto problem = set_text(scenario, f, value);
            INFO((problem ? problem->message : ""));
            REQUIRE_FALSE(problem);
            CHECK(get_text(scenario, f) == value);
            if (is_optional(f)) CHECK(is_set(scenario, f) == (value != kUnset));
            Scenario padded;
            REQUIRE_FALSE(set_text(padded, f, " " + value + "\n"));
            CHECK(padded == scenario);
        }
    }
}

TEST_CASE("A refused value changes nothing and the message names field and value", "[scenario][field]") {
    for (const Field& f : field_table()) {
        for (const std::string& value : bad_values(f)) {
            INFO(f.key << " = " << value.substr(0, 80));
            Scenario scenario;
            REQUIRE_FALSE(set_text(scenario, f, other_value(f)));
            const Scenario before = scenario;
            const auto problem = set_text(scenario, f, value);
            REQUIRE(problem);
            CHECK(scenario == before);
            CHECK(problem->severity == Severity::error);
            CHECK(holds(problem->path, f.key));
            CHECK(holds(problem->message, f.key));
            INFO(problem->message);
            // Broken and long values are shown otherwise, a list's by its wrong word.
            if (value.size() <= 20 && value.find_first_of("\xC3\xED\xFF") == std::string::npos &&
                value.find('\0') == std::string::npos && value.find(',') == std::string::npos) {
                CHECK(holds(problem->message, value));
            }
        }
    }
}

TEST_CASE("A value out of range is told with its range", "[scenario][field]") {
    Scenario s;
    CHECK(set_text(s, test::field("num_layers"), "0")->message ==
          "num_layers must be a whole number from 1 to 10000, not 0");
    CHECK(set_text(s, test::field("embedding_bytes"), "3")->message ==
          "embedding_bytes must be 2 or 4, not 3");
    CHECK(set_text(s, test::field("precision"), "bf8")->message ==
          "precision must be one of bf16, fp16, fp32, not \"bf8\"");
    CHECK(set_text(s, test::field("swiglu"), "yes")->message == "swiglu must be true or false, not \"yes\"");
    CHECK(holds(set_text(s, test::field("droprate"), "0.00005")->message, "at most 4 decimals"));
    CHECK(set_text(s, test::field("name"), std::string(300, 'a'))->message ==
          "name is 300 bytes long; 200 are allowed");
}

TEST_CASE("Typed setters check range and choices", "[scenario][field]") {
    Scenario s;
    CHECK_FALSE(set_integer(s, test::field("embedding_bytes"), 4));
    CHECK(s.embedding_bytes == 4);
    for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{6}, std::int64_t{-2}, INT64_MAX, INT64_MIN})
        CHECK(set_integer(s, test::field("embedding_bytes"), bad));
    CHECK(s.embedding_bytes == 4);

    CHECK_FALSE(set_decimal(s, test::field("droprate"), Decimal4{7531}));
    CHECK(set_decimal(s, test::field("droprate"), Decimal4{0}));
    CHECK(set_decimal(s, test::field("droprate"), Decimal4{10001}));
    CHECK(s.droprate == Decimal4{7531});

    CHECK_FALSE(set_words(s, test::field("recompute_modules"), {"moe_act", "core_attn", "moe_act"}));
    CHECK(s.recompute_modules == std::vector<std::string>{"core_attn", "moe_act"});
    const auto problem = set_words(s, test::field("recompute_modules"), {"moe_act", "nothing"});
    REQUIRE(problem);
    CHECK(problem->path == "recompute_modules[1]");
    CHECK(holds(problem->message, "\"nothing\""));
    CHECK(s.recompute_modules == std::vector<std::string>{"core_attn", "moe_act"});
}

TEST_CASE("Booleans are taken as words and digits", "[scenario][field]") {
    Scenario s;
    for (const auto& [text, on] : {std::pair{"1", true}, {"0", false}, {"true", true}, {"false", false}}) {
        CHECK_FALSE(set_text(s, test::field("swiglu"), text));
        CHECK(s.swiglu == on);
    }
}

TEST_CASE("none, auto and nothing unset an optional field", "[scenario][field]") {
    for (const char* text : {"none", "auto", "", "  "}) {
        Scenario s;
        s.num_layers = 3;
        s.moe_layer_freq = "2";
        s.pipeline_model_parallel_layout = "EtL";
        for (const char* key : {"num_layers", "moe_layer_freq", "pipeline_model_parallel_layout"})
            CHECK_FALSE(set_text(s, test::field(key), text));
        CHECK(s == Scenario{});
    }
}

TEST_CASE("A layer pattern is kept in its canonical spelling", "[scenario][field]") {
    Scenario s;
    CHECK_FALSE(set_text(s, test::field("moe_layer_freq"), "[0, 0, 0, 1, 1]"));
    CHECK(s.moe_layer_freq == "([0]*3+[1]*2)");
}

TEST_CASE("Required fields have no default, and defaults are in range", "[scenario][field]") {
    std::set<std::string_view> required;
    for (const Field& f : field_table()) {
        INFO(f.key);
        if (f.required) {
            required.insert(f.key);
            CHECK_FALSE(is_set(Scenario{}, f));
        }
        Scenario again;
        CHECK_FALSE(set_text(again, f, get_text(Scenario{}, f)));
        CHECK(again == Scenario{});
    }
    CHECK(required == std::set<std::string_view>{"num_layers", "hidden_size", "vocab_size",
                                                 "num_attention_heads", "seq_length", "micro_batch_size"});
}

}  // namespace megamem
