#include "cli/input.h"

#include <fmt/format.h>

#include <iterator>

#include "base/json_reader.h"
#include "base/text.h"
#include "cli/files.h"
#include "cli/import_review.h"
#include "import/import.h"
#include "import/merge.h"
#include "link/link.h"
#include "scenario/field.h"
#include "scenario/presets.h"

namespace megamem::cli {

namespace {

Problem error(std::string_view code, std::string_view path, std::string message) {
    return {Severity::error, code, std::string(path), std::move(message)};
}

// A question that a later file or --set answers is none.
void drop_answered(std::string_view key, Problems& problems) {
    std::erase_if(problems, [&](const Problem& problem) {
        return problem.code == "open_question" && problem.path == key;
    });
}

// Of several files a later one adds to the earlier; their formats don't matter.
void read_files(const std::vector<std::string>& paths, Input& input) {
    std::vector<Import> imports;
    for (const std::string& path : paths) {
        std::string message;
        const auto text = read_file(path, kMostJsonBytes, message);
        if (!text) {
            input.problems.push_back(error("no_file", "", message));
            return;
        }
        imports.push_back(import_text(*text));
        for (const Taken& taken : imports.back().taken)
            drop_answered(taken.key, input.problems);
        Problems problems = problems_of(imports.back());
        std::move(problems.begin(), problems.end(), std::back_inserter(input.problems));
    }
    Merged merged = merge_imports(input.scenario, imports);
    input.scenario = std::move(merged.scenario);
    std::move(merged.problems.begin(), merged.problems.end(), std::back_inserter(input.problems));
}

void apply_set(const std::string& setting, Input& input) {
    const std::size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    const Field* field = find_field(key);
    if (equals == std::string::npos || field == nullptr) {
        input.problems.push_back(
            equals == std::string::npos
                ? error("bad_setting", "", fmt::format("--set takes key=value, not {}", quote(setting)))
                : error("unknown_key", key,
                        fmt::format("--set: unknown field {}; megamem fields lists them", quote(key))));
        return;
    }
    if (auto problem = set_text(input.scenario, *field, setting.substr(equals + 1))) {
        input.problems.push_back(std::move(*problem));
        return;
    }
    drop_answered(key, input.problems);
}

}  // namespace

void read_preset(const std::string& id, Input& input) {
    if (const ModelPreset* preset = find_preset(id)) {
        input.scenario = scenario_of(*preset);
        input.preset = id;
        return;
    }
    std::string known;
    for (const ModelPreset& preset : model_presets())
        known += fmt::format(" {}", preset.id);
    input.problems.push_back(
        error("unknown_preset", "", fmt::format("unknown preset {}; known are{}", quote(id), known)));
}

Input read_input(const Options& options) {
    Input input;
    const auto preset = options.value("--preset");
    const auto link = options.value("--link");
    if ((preset && link) || (link && !options.plain.empty()) || (!preset && !link && options.plain.empty())) {
        input.problems.push_back(error("bad_usage", "",
                                       "give one of: files (- for standard input) with or without --preset "
                                       "NAME, --preset NAME, --link '#...'"));
        return input;
    }
    if (preset) {
        read_preset(*preset, input);
    }
    if (link) {
        ReadLink read = read_link(*link);
        input.scenario = std::move(read.scenario);
        input.preset = std::move(read.preset);
        input.method = read.method;
        input.problems = std::move(read.problems);
    } else if (!has_error(input.problems)) {
        read_files(options.plain, input);
    }
    for (const std::string& setting : options.values("--set"))
        apply_set(setting, input);
    return input;
}

}  // namespace megamem::cli
