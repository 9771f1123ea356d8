#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/help.h"

namespace megamem::cli {

namespace {

using CommandFunction = int (*)(const std::vector<std::string>& arguments);

constexpr std::array<std::pair<std::string_view, CommandFunction>, 8> kCommands = {{
    {"estimate", estimate_command},
    {"check", check_command},
    {"explain", explain_command},
    {"import", import_command},
    {"export", export_command},
    {"accuracy", accuracy_command},
    {"presets", presets_command},
    {"fields", fields_command},
}};

bool asks_for_help(const std::vector<std::string>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const std::string& argument) { return argument == "--help" || argument == "-h"; });
}

int print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kDone;
}

}  // namespace

void tell_people(const Problems& problems) {
    for (const Problem& problem : problems) {
        fmt::print(stderr, "megamem: {}: {}\n", name_of(problem.severity), problem.message);
    }
}

int usage_error(const std::string& message) {
    fmt::print(stderr, "megamem: {}\n", message);
    return kBadInput;
}

int run(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        fmt::print(stderr, "{}", help());
        return kBadInput;
    }
    const std::string& command = arguments[0];
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    for (const auto& [name, function] : kCommands) {
        if (command != name) continue;
        return asks_for_help(rest) ? print(help_of(command)) : function(rest);
    }
    if (command == "--help" || command == "-h") return print(help());
    if (command == "help") {
        const std::string_view text = rest.empty() ? help() : help_of(rest[0]);
        if (!text.empty()) return print(text);
        return usage_error(fmt::format("there is no command {}; megamem --help lists them", quote(rest[0])));
    }
    if (command == "--version") return print("megamem " MEGAMEM_VERSION "\n");
    return usage_error(fmt::format("unknown command {}; megamem --help lists them", quote(command)));
}

}  // namespace megamem::cli
