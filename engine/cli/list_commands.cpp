// `megamem presets` and `megamem fields`.
#include <fmt/format.h>

#include <cstdio>

#include "base/units.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "scenario/field.h"
#include "scenario/listing_json.h"
#include "scenario/presets.h"

namespace megamem::cli {

namespace {

void print_presets() {
    for (const ModelPreset& preset : model_presets()) {
        fmt::print("{:<16} {:<20} {}\n", preset.id, preset.title, preset.source);
    }
    std::puts("");
    for (const Gpu& gpu : gpus()) {
        fmt::print("{:<10} {:>7} GiB usable  {}\n", gpu.id, gib(gpu.usable_bytes), gpu.source);
    }
}

void print_fields() {
    const Scenario defaults;
    for (const Field& field : field_table()) {
        fmt::print("{} ({}){}{}\n    {} {}; {}.{}\n", field.key, field.link_key,
                   field.flag.empty() ? "" : "  ", field.flag, help_of(field), name_of(field.type),
                   describe_range(field),
                   field.required ? " Required." : fmt::format(" Default: {}.", get_text(defaults, field)));
    }
}

template <class Print, class Write>
int list(const std::vector<std::string>& arguments, Print print, Write write) {
    Options options = parse_options(arguments, {"--format"});
    if (options.error.empty() && !options.plain.empty()) options.error = "no argument is expected";
    const auto json = options.error.empty() ? wants_json(options, options.error) : std::nullopt;
    if (!json) return usage_error(options.error);
    if (*json) {
        std::puts(write().c_str());
    } else {
        print();
    }
    return kDone;
}

}  // namespace

int presets_command(const std::vector<std::string>& arguments) {
    return list(arguments, print_presets, [] { return write_presets_json(2); });
}

int fields_command(const std::vector<std::string>& arguments) {
    return list(arguments, print_fields, [] { return write_fields_json(2); });
}

}  // namespace megamem::cli
