// YAML as JSON text, so that what someone keeps as YAML reaches the readers of JSON (a config.json of Hugging
// Face, say).
#pragma once

#include <string>

#include "import/yaml_subset.h"

namespace megamem {

// Plain scalars become null, booleans and numbers where YAML's core schema says so, else strings.
std::string json_text_of(const YamlNode& node);

}  // namespace megamem
