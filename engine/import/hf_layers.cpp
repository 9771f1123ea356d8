#include "import/hf_layers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "import/hf_parts.h"

namespace megamem::hf {

namespace {

using Kinds = std::vector<bool>;  // of the layers: true is MoE

// A list with one word or number a layer, or the layers' numbers.
bool fits(const Entry& entry, std::size_t layers) {
    return entry && entry.value->is_array() && entry.value->size() == layers;
}

Kinds from_words(const Json& list, std::string_view dense) {
    Kinds kinds;
    for (const Json& item : list)
        kinds.push_back(!(item.is_string() && item.get_ref<const std::string&>() == dense));
    return kinds;
}

Kinds from_flags(const Json& list) {
    Kinds kinds;
    for (const Json& item : list)
        kinds.push_back(item.is_number_integer() && item.get<std::int64_t>() != 0);
    return kinds;
}

void set_listed(const Entry& entry, Kinds& kinds, bool value) {
    const auto set = [&](OptionalInt layer) {
        if (layer && *layer >= 0 && *layer < static_cast<std::int64_t>(kinds.size()))
            kinds[static_cast<std::size_t>(*layer)] = value;
    };
    if (entry.value->is_array()) {
        for (const Json& item : *entry.value)
            set(item.is_number_integer() ? OptionalInt(item.get<std::int64_t>()) : std::nullopt);
    } else if (entry.value->is_string()) {  // "4,5,6"
        for (const std::string_view item : split(entry.value->get_ref<const std::string&>(), ','))
            set(parse_unsigned(trim(item)));
    }
}

std::string text_of(const Kinds& kinds) {
    std::string text = "[";
    for (const bool moe : kinds) {
        text += moe ? '1' : '0';
        text += ',';
    }
    text.back() = ']';
    return text;
}

// The class's rule, as conditions on the layer's number. The first dense layers are said by one number.
class Rule {
  public:
    Rule(Reader& r, std::size_t layers) : r_(r), kinds_(layers, true) {}

    void apply() {
        if (read_list()) return set();
        read_steps();
        read_first_dense();
        read_ernie();
        if (source_) set();
    }

  private:
    bool read_list() {
        const Entry words = r_.find({"mlp_layer_types"});
        const Entry flags = r_.find({"moe_layer_freq"});
        const Entry listed = r_.find({"moe_layers", "moe_layers_enum"});
        if (fits(words, kinds_.size())) {
            kinds_ = from_words(*words.value, "dense");
            source_ = words;
        } else if (fits(flags, kinds_.size())) {
            kinds_ = from_flags(*flags.value);
            source_ = flags;
        } else if (listed) {
            kinds_.assign(kinds_.size(), false);
            set_listed(listed, kinds_, true);
            source_ = listed;
        } else if (r_.has(kDoubleLayers)) {
            // Of each pair the second has the experts beside its MLP.
            for (std::size_t i = 0; i < kinds_.size(); i += 2)
                kinds_[i] = false;
            source_ = r_.find({"num_layers"});
        } else if (r_.has(kMamba)) {
            source_ = r_.find({"hybrid_override_pattern", "layers_block_type"});
            Kinds kinds;
            for (const char c : hybrid_pattern(r_)) {
                if (c == 'E' || c == '-') kinds.push_back(c == 'E');
            }
            if (kinds.size() == kinds_.size()) kinds_ = std::move(kinds);
        }
        return static_cast<bool>(source_);
    }

    OptionalInt positive(const Entry& entry) {
        if (entry && entry.value->is_array()) return std::nullopt;  // a list of another length
        const OptionalInt value = r_.number(entry);
        return value && *value > 0 ? value : std::nullopt;
    }

    // Qwen and Llama 4 count a step's last layer, DeepSeek its first.
    void read_steps() {
        const Entry last = r_.find({"decoder_sparse_step", "interleave_moe_layer_step"});
        const Entry first = r_.find({"moe_layer_freq"});
        const OptionalInt last_step = positive(last);
        const OptionalInt first_step = positive(first);
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            const auto layer = static_cast<std::int64_t>(i);
            if (last_step && (layer + 1) % *last_step != 0) kinds_[i] = false;
            if (first_step && layer % *first_step != 0) kinds_[i] = false;
        }
        if (last_step) source_ = last;
        if (first_step) source_ = first;
        if (const Entry dense = r_.find({"mlp_only_layers"})) {
            set_listed(dense, kinds_, false);
            if (!dense.value->empty()) source_ = dense;
        }
    }

    void read_first_dense() {
        const Entry entry = r_.find({"first_k_dense_replace", "n_dense_layers", "moe_layer_num_skipped"});
        const OptionalInt dense = r_.number(entry);
        if (!dense || *dense < 0) return;
        const auto count = std::min<std::int64_t>(*dense, static_cast<std::int64_t>(kinds_.size()));
        std::fill_n(kinds_.begin(), count, false);
        source_ = entry;
    }

    void read_ernie() {
        const Entry start = r_.find({"moe_layer_start_index"});
        const OptionalInt first = r_.number(start);
        const OptionalInt last = r_.number(r_.find({"moe_layer_end_index"}));
        const OptionalInt interval = positive(r_.find({"moe_layer_interval"}));
        if (!first) return;
        const auto layers = static_cast<std::int64_t>(kinds_.size());
        const std::int64_t end = last && *last >= 0 ? *last : layers - 1;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const bool moe = (layer + 1) % interval.value_or(1) == 0 && layer >= *first && layer <= end;
            kinds_[static_cast<std::size_t>(layer)] = moe;
        }
        source_ = start;
    }

    // A start of dense layers is a number, which outlives a change of the layers; anything else is a pattern.
    void set() {
        const auto dense = std::find(kinds_.begin(), kinds_.end(), true) - kinds_.begin();
        const bool only_first = std::find(kinds_.begin() + dense, kinds_.end(), false) == kinds_.end();
        if (only_first) {
            if (dense > 0) r_.take("num_dense_layers", dense, source_);
        } else {
            r_.take("moe_layer_freq", text_of(kinds_), source_);
        }
    }

    Reader& r_;
    Kinds kinds_;
    Entry source_;
};

}  // namespace

void read_layer_kinds(Reader& r) {
    const OptionalInt layers = r.scenario().num_layers;
    if (layers) Rule(r, static_cast<std::size_t>(*layers)).apply();
}

}  // namespace megamem::hf
