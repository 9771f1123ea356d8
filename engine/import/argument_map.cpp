#include "import/argument_map.h"

#include <fmt/format.h>

#include "base/text.h"
#include "import/config_names.h"
#include "import/settings.h"
#include "import/yaml_subset.h"

namespace megamem {

namespace {

constexpr std::size_t kLinesLookedAt = 300;

// "key: value", "key:", "- key: value", "--flag: value".
bool is_entry(std::string_view line) {
    while (line.starts_with("- "))
        line = trim(line.substr(2));
    if (line.empty() || line.front() == '{' || line.front() == '<') return false;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return false;
    if (colon + 1 < line.size() && line[colon + 1] != ' ') return false;
    const std::string_view key = line.substr(0, colon);
    return key.find_first_of(" ()[]{},;=") == std::string_view::npos || key.front() == '"' ||
           key.front() == '\'';
}

}  // namespace

bool looks_like_argument_map(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (trim(text.substr(0, 64)).starts_with('{')) return false;
    std::size_t entries = 0;
    std::size_t others = 0;
    for (std::size_t i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty() || line.front() == '#' || line == "---") continue;
        if (line.starts_with("num_hidden_layers:")) return false;  // Hugging Face's words: hf_config.h
        is_entry(line) ? ++entries : ++others;
    }
    return entries >= 2 && entries > others;
}

Import import_argument_map(std::string_view text) {
    Import import;
    import.format = Format::argument_map;
    ReadYaml yaml = read_yaml(text);
    if (has_error(yaml.problems)) {
        import.recognised = "YAML";
        import.problems = std::move(yaml.problems);
        return import;
    }
    std::vector<Setting> settings;
    for (const YamlNode& document : yaml.documents)
        add_settings(document, settings);
    if (settings.size() == kMostSettings) {
        yaml.problems.push_back({Severity::warning, "too_long", "",
                                 fmt::format("line {}: more than {} settings stand in the text; the rest isn't "
                                             "read",
                                             settings.back().line, kMostSettings)});
    }
    const ConfigStyle style = style_of(settings);
    if (known_in(settings, style) == 0) {
        import.recognised = "YAML";
        import.problems = std::move(yaml.problems);
        import.problems.push_back(
            {Severity::error, "no_arguments", "",
             "no argument of Megatron-LM or of a configuration built on it is in this YAML"});
        return import;
    }
    import = read_settings(std::move(settings), style, Format::argument_map);
    import.problems.insert(import.problems.begin(), yaml.problems.begin(), yaml.problems.end());
    return import;
}

}  // namespace megamem
