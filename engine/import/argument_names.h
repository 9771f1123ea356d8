// Names of arguments: which field an argument sets, and what is known of those that set none.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "import/megatron_arguments.h"
#include "scenario/field.h"

namespace megamem {

// "--num_layers", "num-layers" -> "--num-layers": dashes in front and within.
std::string canonical_flag(std::string_view written);

// Another spelling of a field.
struct Alias {
    std::string_view flag;
    std::string_view key;
    std::string_view value = {};  // empty: the flag's own value
};

const Alias* find_alias(std::string_view canonical, Dialect dialect);

// The field with that flag or key; `by_key`: a boolean is said positively, whatever its flag says.
struct NamedField {
    const Field* field = nullptr;
    bool by_key = false;
};
NamedField find_argument_field(std::string_view canonical);

enum class Arity { none, one, several };

// A flag that no field has.
struct KnownFlag {
    Arity arity = Arity::one;
    bool matters = false;  // it changes memory and isn't modelled
};
std::optional<KnownFlag> find_known_flag(std::string_view canonical, Dialect dialect);

// How many values the flag takes, for readers that have to tell values from other words; nullopt: unknown.
std::optional<Arity> arity_of(std::string_view canonical, Dialect dialect);

// A flag that looks like this one, for a mistyped one; empty where none does.
std::string similar_flag(std::string_view canonical);

}  // namespace megamem
