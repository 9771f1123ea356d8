// Settings: "a path has a value", the common form of YAML maps, overrides and log lines before anyone knows
// what the names mean (config_names.h does).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "import/yaml_subset.h"

namespace megamem {

struct Setting {
    std::string path;             // "model.tensor_model_parallel_size"
    std::string value;            // as text; "None" for null; a list as "[1, \"a\"]"
    std::size_t line = 0;         // 1-based
    std::string source;           // as written, for people
    std::string unresolved = {};  // why only people can tell the value; the value doesn't count then
    std::string defaulted = {};   // a variable whose default was taken for a placeholder in the value
    bool variable = false;        // of the shell script around: for placeholders only
};

// Text as written, for people: cut to a length, control characters blanked.
std::string shown_source(std::string text, std::size_t limit = 100);

// The last of the path's parts.
std::string_view name_of(const Setting& setting);

// No configuration has more; the rest isn't read.
inline constexpr std::size_t kMostSettings = 20'000;

// Adds the leaves of a map in the order of the text. Lists are leaves.
void add_settings(const YamlNode& document, std::vector<Setting>& settings);

// Fills in placeholders: ${NAME:default} (Primus), ${NAME:-default} and $NAME (shell),
// ${oc.env:NAME,default},
// ${oc.select:path,default}, ${path.of.another} and ${.sibling} (OmegaConf). A name may be another setting's.
// ??? and all else without a value becomes unresolved.
void fill_placeholders(std::vector<Setting>& settings);

}  // namespace megamem
