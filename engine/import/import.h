// What a reader of foreign text found: which field gets which value, and what became of everything else that
// stood there. Nothing is applied by a reader; merge.h does that, so that a page can show it all first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"

namespace megamem {

enum class Format {
    unknown,        // nothing that any reader knows: the problems say what it looks like
    scenario,       // megamem's own JSON
    link,           // megamem's own link
    hf_config,      // config.json of Hugging Face and its relatives
    launch_script,  // a shell script or command line with Megatron-LM's or ms-swift's flags
    argument_dump,  // the argument lines of Megatron-LM's log
    argument_map,   // a YAML map of arguments: functional tests, MindSpeed, Primus
    overrides,      // a.b.c=value: Megatron-Bridge, NeMo, verl, slime
    notes,          // "tp 8, seq 32K", and a bare pipeline layout
};
inline constexpr Format kLastFormat = Format::notes;

// A field that the text sets.
struct Taken {
    std::string_view key;  // of the field table
    std::string value;     // canonical text, as get_text() gives it
    std::string source;    // as written: "--num-layers 61", "num_hidden_layers"
    std::size_t line = 0;  // 1-based; 0: no single line
};

// Something that stood in the text and sets no field.
struct Mention {
    std::string source;  // as written
    std::size_t line = 0;
    std::string note;  // why, where there is more to say than the list's own title
};

// Something that only the reader of the page can answer: a variable without a value, say.
struct Question {
    std::string_view key;  // the field to fill; empty where that isn't known
    std::string source;    // "--num-layers $NUM_LAYERS"
    std::size_t line = 0;
    std::string message;
};

struct Import {
    Format format = Format::unknown;
    std::string recognised;        // for people: "Hugging Face config.json (qwen3_moe)"
    std::vector<Taken> taken;      // in the order of the text; of repeated fields only the last
    std::vector<Taken> defaults;   // what silence means in this format: Megatron-LM's defaults for a script
    std::vector<Mention> neutral;  // known and without influence on memory
    std::vector<Mention> unknown;  // nobody knows it here
    std::vector<Question> questions;
    // Errors: nothing can be taken. Warnings: bad values, repeated flags, what matters and isn't modelled.
    Problems problems;
};

// Recognises the format and reads the text. Total: any bytes are allowed.
Import import_text(std::string_view text);

}  // namespace megamem
