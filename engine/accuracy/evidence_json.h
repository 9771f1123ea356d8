// A report's JSON with the evidence for it: what the command line and the wasm module write.
#pragma once

#include <string>

#include "accuracy/evidence.h"
#include "base/json_reader.h"

namespace megamem {

// Adds "evidence" where the report is a valid one of the detailed method.
void add_evidence(OrderedJson& json, const Scenario& scenario, const Report& report);

std::string write_report_with_evidence(const Scenario& scenario, const Report& report, int indent = 2);

}  // namespace megamem
