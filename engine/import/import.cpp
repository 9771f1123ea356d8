// Which reader a text is for.
#include "import/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/json_reader.h"
#include "base/text.h"
#include "import/argument_dump.h"
#include "import/argument_map.h"
#include "import/hf_config.h"
#include "import/launch_script.h"
#include "import/model_name.h"
#include "import/notes.h"
#include "import/overrides.h"
#include "import/own_comment.h"
#include "import/own_formats.h"

namespace megamem {

namespace {

Import refused(std::string_view code, std::string recognised, std::string message) {
    Import import;
    import.recognised = std::move(recognised);
    import.problems.push_back({Severity::error, code, "", std::move(message)});
    return import;
}

bool is_utf16(std::string_view text) {
    return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
           (text.size() > 3 && text[0] != '\0' && text[1] == '\0' && text[2] != '\0' && text[3] == '\0');
}

// More than a few bytes that no text has.
bool is_binary(std::string_view text) {
    const std::string_view start = text.substr(0, 4096);
    return std::count(start.begin(), start.end(), '\0') > 0;
}

// The only line with something in it; empty where there are several.
std::string_view only_line(std::string_view text) {
    const std::string_view line = trim(text);
    return line.size() > 500 || line.find('\n') != std::string_view::npos ? std::string_view() : line;
}

bool is_address(std::string_view line) {
    return (line.starts_with("http://") || line.starts_with("https://")) &&
           line.find(' ') == std::string_view::npos;
}

bool is_model_name(std::string_view line) {
    if (line.empty() || line.size() > 100) return false;
    const bool plain = std::all_of(line.begin(), line.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_' || c == '.' || c == '/' || c == ' ';
    });
    return plain && !line.starts_with('-') && std::count(line.begin(), line.end(), ' ') <= 3;
}

Import of_name(std::string_view line) {
    const ModelPreset* preset = preset_named(line);
    if (preset == nullptr) {
        return refused("name_only", "a name",
                       fmt::format("{} has no dimensions in it: paste the model's config.json or a launch "
                                   "script",
                                   quote(line)));
    }
    return refused(
        "name_only", "a model's name",
        fmt::format("{} is a name only: start from the preset {}, or paste the model's config.json",
                    quote(line), preset->id));
}

// An object, or an array of something: "[Rank 1] ..." is a line of a log.
bool is_json(std::string_view text) {
    const std::string_view start = trim(text);
    if (start.starts_with('{')) return true;
    if (!start.starts_with('[')) return false;
    const std::string_view inside = trim(start.substr(1, 200));
    return !inside.empty() && std::string_view("{[\"'-0123456789").find(inside[0]) != std::string_view::npos;
}

// Lines of a training's log without the arguments: "memory (MB) | allocated: ...".
bool is_log(std::string_view text) {
    const std::string_view start = text.substr(0, 200'000);
    return start.find("max allocated:") != std::string_view::npos ||
           (start.find("elapsed time per iteration") != std::string_view::npos &&
            start.find("iteration") != std::string_view::npos);
}

// Scripts, whatever else could be read in them.
bool is_evidently_script(std::string_view text) {
    const std::string_view start = trim(text.substr(0, 200'000));
    if (start.starts_with("#!") && start.substr(0, start.find('\n')).find("sh") != std::string_view::npos)
        return true;
    for (const std::string_view sign :
         {"torchrun ", "torch.distributed", "=(\n", "=( ", "\\\n", "#SBATCH", "megatron sft", "megatron pt",
          ".py --", "`\n", "python3 -m ", "python -m ", "export "}) {
        if (start.find(sign) != std::string_view::npos)
            return has_flags(start) || looks_like_overrides(start);
    }
    return false;
}

Import read_text(std::string_view text) {
    if (auto other = describe_other_file(text)) {
        Import import;
        import.problems.push_back(std::move(*other));
        return import;
    }
    if (looks_like_scenario(text)) return import_scenario(text);
    if (looks_like_argument_dump(text)) return import_argument_dump(text);
    if (is_json(text)) {
        if (looks_like_hf_config(text)) return import_hf_config(text);
        if (!has_flags(text)) return import_hf_config(text);
    }
    std::optional<Import> script;
    if (is_evidently_script(text)) {
        script = import_launch_script(text);
        if (!script->taken.empty() || !script->questions.empty()) return std::move(*script);
    }
    // Before argument maps, which share some of its keys when it is written as YAML.
    if (looks_like_hf_config(text)) return import_hf_config(text);
    if (looks_like_argument_map(text)) {
        Import import = import_argument_map(text);
        if (!import.taken.empty()) return import;
    }
    if (looks_like_overrides(text)) return import_overrides(text);
    if (script) return std::move(*script);
    if (has_flags(text)) return import_launch_script(text);
    return {};
}

// Fields that an import speaks of.
std::size_t said_in(const Import& import) {
    return import.taken.size() +
           static_cast<std::size_t>(std::count_if(
               import.questions.begin(), import.questions.end(),
               [](const Question& question) { return !question.key.empty() && question.line != 0; }));
}

// What a shell or a program decides while it runs is no note.
bool has_branches(std::string_view text) {
    text = text.substr(0, 200'000);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trim(text.substr(0, end));
        for (const std::string_view word : {"if [", "elif ", "case ", "while ", "def "}) {
            if (line.starts_with(word)) return true;
        }
        for (const std::string_view word : {"then", "else", "fi", "esac", "done"}) {
            if (line == word) return true;
        }
        if (line.starts_with("for ") && (line.find(';') != std::string_view::npos || line.ends_with(':')))
            return true;
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return false;
}

// Texts that another reader recognised by their own marks, and logs, are no notes.
bool may_be_notes(const Import& import, std::string_view text) {
    if (has_branches(text)) return false;
    if (import.format == Format::unknown) return import.problems.empty() && !is_log(text);
    if (import.format == Format::launch_script) {
        return !is_evidently_script(text) && text.find_first_of("$`") == std::string_view::npos &&
               text.find("=(") == std::string_view::npos && text.find(".py") == std::string_view::npos;
    }
    // A map in sections may name parts of another model.
    return import.format == Format::argument_map && text.find("\n ") == std::string_view::npos &&
           text.find("\n\t") == std::string_view::npos;
}

}  // namespace

Import import_text(std::string_view text) {
    if (text.size() > kMostJsonBytes) {
        return refused("too_long", "",
                       fmt::format("the text is {} bytes long; {} are allowed", text.size(), kMostJsonBytes));
    }
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (trim(text).empty()) return refused("empty", "nothing", "the text is empty");
    if (!is_utf16(text) && is_binary(text)) {
        if (auto other = describe_other_file(text)) {
            Import import;
            import.recognised = "a binary file";
            import.problems.push_back(std::move(*other));
            return import;
        }
        return refused("binary", "a binary file",
                       "this is a binary file: a config.json, a launch script or a log is wanted");
    }
    if (is_utf16(text)) return import_hf_config(text);
    if (looks_like_link(text)) return import_link(text);
    const std::string_view line = only_line(text);
    if (is_address(line)) {
        return refused("address_only", "an address",
                       "this is an address and nothing is fetched from it: open it and paste the file");
    }

    Import import = read_text(text);
    if (may_be_notes(import, text)) {
        Import notes = import_notes(text);
        if (said_in(notes) > said_in(import) ||
            (import.format == Format::unknown && has_error(notes.problems)))
            import = std::move(notes);
    }
    if (import.format != Format::scenario && import.format != Format::hf_config)
        take_own_comments(text, import);
    const bool found = !import.taken.empty() || !import.questions.empty();
    if (found || (import.format != Format::unknown && has_error(import.problems))) return import;
    if (is_model_name(line) && import.format == Format::unknown && import.problems.empty())
        return of_name(line);
    if (is_log(text)) {
        return refused("log_without_arguments", "a training's log",
                       "this is a log without the arguments of its training: paste from the line \"--- "
                       "arguments ---\" on, or the launch script");
    }
    if (!has_error(import.problems)) {
        import.problems.push_back({Severity::error, "unknown_format", "",
                                   "no model, training or cluster is described in this text in any way that "
                                   "is known here: config.json, launch scripts, argument logs, YAML "
                                   "arguments and overrides are read"});
    }
    return import;
}

}  // namespace megamem
