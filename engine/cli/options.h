// Options of a command: "--name value" and "--name=value", and plain arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace megamem::cli {

struct Options {
    std::vector<std::pair<std::string, std::string>> named;  // in the order given
    std::vector<std::string> plain;
    std::string error;  // a sentence, else empty

    // The last value given, as with any repeated flag.
    std::optional<std::string> value(std::string_view name) const;
    std::vector<std::string> values(std::string_view name) const;
};

// `known`: names that take a value, with their dashes.
Options parse_options(const std::vector<std::string>& arguments, const std::vector<std::string_view>& known);

// --format: "table" without one; the error names what is allowed.
std::optional<bool> wants_json(const Options& options, std::string& error);

}  // namespace megamem::cli
