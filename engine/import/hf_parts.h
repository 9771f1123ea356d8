// The parts of the importer of config.json, in the order in which they run: later ones look at the fields
// that earlier ones have set.
#pragma once

#include <optional>
#include <string>

#include "base/integers.h"
#include "import/hf_reader.h"

namespace megamem::hf {

void read_sizes(Reader& reader);      // layers, widths, vocabulary, norms, MLP, types
void read_attention(Reader& reader);  // heads, multi-latent attention, biases and norms of attention
void read_experts(Reader& reader);    // experts, shared experts, which layers have them, MTP
void read_vision(Reader& reader);     // the vision tower

// Sublayers of a hybrid model, in order: M state space, * attention, E experts, - dense MLP. Empty for
// others.
std::string hybrid_pattern(Reader& reader);

// Warnings about what has no field, with the parameters that are missing where they can be counted. After
// everything else.
void warn_about_layers(Reader& reader);  // layers of other kinds than attention
void warn_about_attention(Reader& reader);

// The parameters of one layer's attention as the engine counts them; nullopt where fields are missing.
std::optional<Wide> attention_parameters(const Scenario& scenario);

// "The parameters shown are 1 234 567 too low.": `missing` is the model's minus the engine's.
std::string tell_missing(Wide missing);

}  // namespace megamem::hf
