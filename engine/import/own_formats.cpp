#include "import/own_formats.h"

#include <algorithm>

#include "base/json_reader.h"
#include "base/text.h"
#include "link/link.h"
#include "scenario/field.h"
#include "scenario/presets.h"
#include "scenario/scenario_json.h"

namespace megamem {

namespace {

// Where the keys of an object stand, in one pass: a map from key to line would be more than this needs.
std::size_t line_of_key(std::string_view text, std::string_view key, std::size_t& at, std::size_t& line) {
    const std::string quoted = "\"" + std::string(key) + "\"";
    // Keys of the file come in the order of the search mostly; else the search begins again.
    std::size_t found = text.find(quoted, at);
    if (found == std::string_view::npos) {
        at = 0;
        line = 1;
        found = text.find(quoted);
    }
    if (found == std::string_view::npos) return 0;
    line += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                text.begin() + static_cast<std::ptrdiff_t>(found), '\n'));
    at = found;
    return line;
}

}  // namespace

bool looks_like_scenario(std::string_view text) {
    const std::string_view start = trim(text.substr(0, 200'000));
    if (!start.starts_with('{')) return false;
    // "schema" is ours; a scenario written by hand has no key that only a model's config has.
    if (start.find("\"model_type\"") != std::string_view::npos ||
        start.find("\"architectures\"") != std::string_view::npos)
        return false;
    if (start.find("\"schema\"") != std::string_view::npos) return true;
    for (const std::string_view key :
         {"\"seq_length\"", "\"micro_batch_size\"", "\"gpus_per_node\"", "\"tensor_model_parallel_size\"",
          "\"nodes\"", "\"global_batch_size\""}) {
        if (start.find(key) != std::string_view::npos && start.find("\"--") == std::string_view::npos)
            return true;
    }
    return false;
}

Import import_scenario(std::string_view text) {
    Import import;
    import.format = Format::scenario;
    import.recognised = "megamem scenario";
    ReadScenario read = read_scenario_json(text);
    const ReadJson json = read_json(text);
    if (json.value.is_object()) {
        std::size_t at = 0;
        std::size_t line = 1;
        for (const Field& field : field_table()) {
            if (!json.value.contains(field.key)) continue;
            const auto bad = std::any_of(read.problems.begin(), read.problems.end(),
                                         [&](const Problem& p) { return p.path == field.key; });
            if (bad) continue;
            import.taken.push_back({field.key, get_text(read.scenario, field), std::string(field.key),
                                    line_of_key(text, field.key, at, line)});
        }
    }
    import.problems = std::move(read.problems);
    return import;
}

bool looks_like_link(std::string_view text) {
    const std::string_view line = trim(text);
    if (line.size() > 20'000 || line.find('\n') != std::string_view::npos) return false;
    const std::size_t hash = line.find('#');
    if (hash == std::string_view::npos) return false;
    const std::string_view start = line.substr(hash + 1);
    return (start.starts_with("v=") || start.starts_with("v%3D") || start.starts_with("m=")) &&
           start.find_first_of("=%") != std::string_view::npos;
}

Import import_link(std::string_view text) {
    Import import;
    import.format = Format::link;
    import.recognised = "megamem link";
    ReadLink read = read_link(trim(text));
    const Scenario plain;
    for (const Field& field : field_table()) {
        if (!equal(read.scenario, plain, field))
            import.taken.push_back(
                {field.key, get_text(read.scenario, field), std::string(field.link_key), 0});
    }
    import.problems = std::move(read.problems);
    return import;
}

}  // namespace megamem
