// The vision tower out of config.json.
#include <fmt/format.h>

#include <algorithm>

#include "import/hf_parts.h"

namespace megamem::hf {

namespace {

class Tower {
  public:
    Tower(Reader& r, std::string path) : r_(r), path_(std::move(path)) {}

    void read() {
        const Entry layers = find({"num_hidden_layers", "depth", "vt_num_hidden_layers"});
        const OptionalInt count = r_.number(layers);
        if (!count) return r_.ask("vision_num_layers", path_, "the vision tower's layers aren't in the file");
        r_.take("vision_num_layers", *count, layers);
        read_encoder();
        read_deepstack();
        copy("vision_hidden_size", {"embed_dim", "hidden_size", "vt_hidden_size"});
        read_width();
        copy("vision_num_attention_heads", {"num_attention_heads", "num_heads", "vt_num_attention_heads"});
        copy("vision_num_query_groups", {"num_key_value_heads"});
        read_heads();
        copy("vision_patch_dim", {"patch_size", "spatial_patch_size"});
        read_projector();
        r_.ask("vision_patches_per_micro_batch", "",
               "the image patches of a micro-batch: they depend on the data");
        ask_for_missing();
    }

  private:
    Entry find(Keys keys) { return r_.find_in(path_, keys); }

    bool take(std::string_view field, const Entry& entry) {
        const OptionalInt value = r_.number(entry);
        return value && r_.take(field, *value, entry);
    }

    bool copy(std::string_view field, Keys keys) { return take(field, find(keys)); }

    // What the tower is built of; others are taken for a plain ViT.
    void read_encoder() {
        struct Encoder {
            std::string_view model_type;
            std::string_view field;
        };
        constexpr Encoder kEncoders[] = {
            {"clip_vision_model", "clip"},
            {"siglip_vision_model", "siglip"},
            {"intern_vit_6b", "internvit"},
            {"internvl_vision", "internvit"},
            {"radio", "radio"},
            {"qwen2_5_vl", "qwen2_5_vl"},
            {"qwen3_vl", "qwen3_vl"},
            {"qwen3_vl_moe", "qwen3_vl"},
        };
        const Entry type = find({"model_type"});
        if (!type || !type.value->is_string()) return;
        for (const Encoder& encoder : kEncoders) {
            if (type.value->get_ref<const std::string&>() == encoder.model_type)
                r_.take("vision_model_type", encoder.field, type);
        }
    }

    // Qwen3-VL's mergers inside of the encoder: one for each layer that is listed.
    void read_deepstack() {
        const Entry layers = find({"deepstack_visual_indexes"});
        if (layers && layers.value->is_array())
            r_.take("vision_num_deepstack_mergers", static_cast<std::int64_t>(layers.value->size()), layers);
    }

    void read_width() {
        if (copy("vision_ffn_hidden_size", {"intermediate_size", "vt_intermediate_size"})) return;
        const Entry ratio = find({"mlp_ratio"});
        const OptionalInt hidden = r_.scenario().vision_hidden_size;
        if (ratio && hidden && ratio.value->is_number()) {
            const double width = ratio.value->get<double>() * static_cast<double>(*hidden);
            if (width >= 1 && width < 1e9)
                r_.take("vision_ffn_hidden_size", static_cast<std::int64_t>(width), ratio);
        }
    }

    void read_heads() {
        if (copy("vision_kv_channels", {"head_dim"})) return;
        const Entry whole = find({"qkv_hidden_size"});  // of all heads
        const OptionalInt heads = r_.scenario().vision_num_attention_heads;
        const OptionalInt width = r_.number(whole);
        if (width && heads && *width % *heads == 0) r_.take("vision_kv_channels", *width / *heads, whole);
    }

    void read_projector() {
        Entry merge = find({"spatial_merge_size", "merge_kernel_size", "pooling_kernel_size"});
        if (!merge) merge = r_.find_in("", {"spatial_merge_size"});
        const bool merged = merge && take("vision_spatial_merge_size", merge);
        const OptionalInt hidden = r_.scenario().vision_hidden_size;
        const OptionalInt side = r_.scenario().vision_spatial_merge_size;
        // Qwen's and Kimi's mergers are as wide as the merged patches.
        const bool merger =
            find({"out_hidden_size", "mm_projector_type", "mm_hidden_size"}) || r_.name().starts_with("qwen");
        if (merger && merged && hidden && side && *side <= 64)
            r_.take("vision_projector_ffn_hidden_size", *hidden * *side * *side, merge);
    }

    void ask_for_missing() {
        for (const std::string_view field :
             {"vision_hidden_size", "vision_ffn_hidden_size", "vision_num_attention_heads",
              "vision_patch_dim", "vision_projector_ffn_hidden_size", "vision_spatial_merge_size"}) {
            if (!r_.is_set(field)) r_.ask(field, path_, fmt::format("{} isn't in the file", field));
        }
    }

    Reader& r_;
    std::string path_;
};

}  // namespace

void read_vision(Reader& r) {
    // Beside the language model's object, whatever depth that has, or within it.
    std::string above = r.path();
    above.resize(above.rfind('.') == std::string::npos ? 0 : above.rfind('.') + 1);
    for (const std::string_view key : {"vision_config", "vit_config", "visual", "vision_tower_config"}) {
        if (const Entry tower = r.find_in(above.empty() ? "" : above.substr(0, above.size() - 1), {key})) {
            if (tower.value->is_object() && !tower.value->empty())
                return Tower(r, above + std::string(key)).read();
        }
    }
}

}  // namespace megamem::hf
