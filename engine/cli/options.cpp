#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>

namespace megamem::cli {

std::optional<std::string> Options::value(std::string_view name) const {
    const auto all = values(name);
    return all.empty() ? std::nullopt : std::optional(all.back());
}

std::vector<std::string> Options::values(std::string_view name) const {
    std::vector<std::string> found;
    for (const auto& [key, value] : named) {
        if (key == name) found.push_back(value);
    }
    return found;
}

Options parse_options(const std::vector<std::string>& arguments, const std::vector<std::string_view>& known) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (!argument.starts_with("--")) {
            options.plain.push_back(argument);
            continue;
        }
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            options.error = fmt::format("unknown option {}; it takes {}", name, fmt::join(known, ", "));
            return options;
        }
        if (equals != std::string::npos) {
            options.named.emplace_back(name, argument.substr(equals + 1));
        } else if (i + 1 < arguments.size()) {
            options.named.emplace_back(name, arguments[++i]);
        } else {
            options.error = fmt::format("{} needs a value", name);
            return options;
        }
    }
    return options;
}

std::optional<bool> wants_json(const Options& options, std::string& error) {
    const std::string format = options.value("--format").value_or("table");
    if (format == "json") return true;
    if (format == "table") return false;
    error = fmt::format("--format is table or json, not \"{}\"", format);
    return std::nullopt;
}

}  // namespace megamem::cli
