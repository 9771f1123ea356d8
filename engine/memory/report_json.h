// A report as JSON: the shape that the command line, the wasm module and other programs read. Sizes are
// bytes.
#pragma once

#include <string>

#include "base/json_reader.h"
#include "memory/report.h"

namespace megamem {

OrderedJson json_of(const Problem& problem);

OrderedJson json_of(const Report& report);

// Texts of users may hold broken UTF-8; it is replaced, never thrown at.
std::string text_of(const OrderedJson& json, int indent);

std::string write_report_json(const Report& report, int indent = 2);

}  // namespace megamem
