// A gate before a launch: whether a run fits with a margin for the method's own error, and in words why.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/integers.h"
#include "memory/report.h"

namespace megamem {

enum class Verdict { fits, does_not_fit, bad_input, cannot_say };
std::string_view name_of(Verdict verdict);   // "does_not_fit"
std::string_view words_of(Verdict verdict);  // "does not fit"

struct MarginRule {
    enum class From {
        measured,  // the error seen on measured runs like it
        share,     // of what is needed
        bytes
    };
    From from = From::measured;
    std::int64_t amount = 0;  // millionths, or bytes
};

// "auto", "none", "5%", "2GiB".
std::optional<MarginRule> parse_margin(std::string_view text);

struct Gate {
    Verdict verdict = Verdict::bad_input;
    std::string reason;  // one line
    Bytes needed = 0;    // with a valid report only
    Bytes margin = 0;
    std::string margin_source;
};

// Fits: what is needed and the margin together are within the capacity. Doesn't fit: what is needed isn't.
// The gate can't say in between, and wherever the number may be of another run than the one that starts: with
// open questions, values that were dropped, and memory that isn't modelled.
Gate gate_of(const Scenario& scenario, const Report& report, const MarginRule& rule);

// Of an input that no report is made of.
Gate refused(const Problems& problems);

// Problems of a report that stand in the way of a verdict.
bool leaves_open(const Problem& problem);

}  // namespace megamem
