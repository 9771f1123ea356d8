// Words that people use for fields in notes and tables: "tp", "seq", "kv heads", "num_hidden_layers".
#pragma once

#include <string>
#include <string_view>

namespace megamem {

struct ShortName {
    std::string_view word;  // in the form of plain_word()
    std::string_view key;   // of the field; empty where `note` says why none is set
    bool everyday = false;  // an English word too: it needs clear surroundings to mean the field
    std::string_view note = {};
};

// "Micro-Batch Size" as "micro_batch_size".
std::string plain_word(std::string_view written);

// Null where the word is nobody's. Keys of fields aren't in it.
const ShortName* find_short_name(std::string_view plain);

}  // namespace megamem
