#include "import/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "import/config_names.h"
#include "import/settings.h"

namespace megamem {

namespace {

constexpr std::size_t kMostBytes = 5'000'000;
constexpr std::size_t kLinesLookedAt = 2000;
constexpr std::size_t kLongestPath = 400;

// Where overrides begin, by whose words they are: see config_sections.cpp.
constexpr std::array<std::string_view, 18> kRoots = {
    "model", "train",   "dataset",      "ddp",    "optimizer", "mixed_precision",
    "dist",  "trainer", "comm_overlap", "data",   "optim",     "actor_rollout_ref",
    "cfg",   "recipe",  "config",       "critic", "engine",    "checkpoint"};

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Letters, digits and dots, with a letter first.
bool is_path(std::string_view path) {
    if (path.empty() || path.size() > kLongestPath) return false;
    if ((path.front() >= '0' && path.front() <= '9') || path.front() == '.' || path.back() == '.')
        return false;
    return std::all_of(path.begin(), path.end(), [](char c) { return is_word(c) || c == '.'; });
}

std::string_view without_prefix(std::string_view word) {
    while (!word.empty() && (word.front() == '+' || word.front() == '~'))
        word.remove_prefix(1);
    return word;
}

std::string_view without_quotes(std::string_view value) {
    value = trim(value);
    if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front())
        value = value.substr(1, value.size() - 2);
    return value;
}

// The end of a piece of Python or of a word: `stop` ends it outside of quotes and brackets.
template <class Stop>
std::size_t piece_end(std::string_view text, std::size_t i, Stop stop) {
    int depth = 0;
    char mark = '\0';
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (mark != '\0') {
            if (c == '\\')
                ++i;
            else if (c == mark)
                mark = '\0';
        } else if (c == '\'' || c == '"') {
            mark = c;
        } else if (depth == 0 && stop(c)) {
            return i;
        } else if (c == '[' || c == '{' || c == '(') {
            ++depth;
        } else if ((c == ']' || c == '}' || c == ')') && depth > 0) {
            --depth;
        }
    }
    return text.size();
}

// A name where Python has a value: a variable of the script.
bool is_variable(std::string_view value) {
    if (value.empty() || value == "True" || value == "False" || value == "None") return false;
    if (value.starts_with("torch.") || value.starts_with("AttnBackend.") || value.starts_with("lambda"))
        return false;
    const char first = value.front();
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_';
}

// "4 * 8", "tp * 2": not a literal, not computed here.
bool is_expression(std::string_view value) {
    if (value.find_first_of("*/%") != std::string_view::npos &&
        value.find_first_of("'\"[") == std::string_view::npos)
        return true;
    return false;
}

class OverrideReader {
  public:
    Import read(std::string_view text) {
        if (text.size() > kMostBytes)
            return refuse("too_long", fmt::format("the text is longer than {} bytes", kMostBytes));
        if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
        for (std::size_t number = 1; !text.empty(); ++number) {
            const std::size_t end = text.find('\n');
            read_line(text.substr(0, end), number);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
        return finish();
    }

    Import read(const std::vector<OverrideWord>& words) {
        for (const OverrideWord& word : words) {
            read_word(word.text, word.line);
            if (!settings_.empty() && !word.unresolved.empty()) settings_.back().unresolved = word.unresolved;
        }
        return finish();
    }

  private:
    static Import refuse(std::string_view code, std::string message) {
        Import import;
        import.format = Format::overrides;
        import.recognised = "overrides of a configuration";
        import.problems.push_back({Severity::error, code, "", std::move(message)});
        return import;
    }

    Import finish() {
        if (settings_.empty())
            return refuse("no_arguments", "no override of the form model.num_layers=32 is in this text");
        const ConfigStyle style = style_of(settings_);
        if (known_in(settings_, style) == 0) {
            const bool known_words = known_in(settings_, ConfigStyle::arguments) > 0;
            if (!known_words)
                return refuse("no_arguments", "no override here names an argument that is known");
        }
        Import import = read_settings(std::move(settings_), style, Format::overrides);
        if (functions_ > 1) {
            import.problems.insert(
                import.problems.begin(),
                {Severity::warning, "several_functions", "",
                 fmt::format(
                     "settings of {} functions are read together, and the last of each counts: paste the "
                     "one that is meant",
                     functions_)});
        }
        if (const std::string_view title = title_of(style); title.ends_with("configuration"))
            import.recognised = fmt::format("{}overrides", title.substr(0, title.size() - 13));
        else
            import.recognised = "overrides of a configuration";
        return import;
    }

    void read_line(std::string_view line, std::size_t number) {
        line = trim(line);
        while (line.ends_with('\\'))
            line = trim(line.substr(0, line.size() - 1));
        if (line.empty() || line.front() == '#') return;
        if (trim(line.substr(line.starts_with("async ") ? 6 : 0)).starts_with("def ")) in_function_ = false;
        if (is_python(line)) {
            read_python(line, number);
        } else {
            read_words(line, number);
        }
    }

    // "cfg.x = y", "name=value," and "f(name=value": what no shell has.
    static bool is_python(std::string_view line) {
        for (const std::string_view root : {"cfg.", "recipe.", "config."}) {
            if (line.starts_with(root)) return true;
        }
        const std::size_t equal = line.find('=');
        if (equal == std::string_view::npos || equal == 0) return false;
        if (line[equal - 1] == ' ' && line.find(' ') == equal - 1) return true;
        if (line.ends_with(',')) return true;
        const std::size_t bracket = line.find('(');
        return bracket != std::string_view::npos && bracket < equal && line.find('$') > bracket &&
               bracket > 0 && is_word(line[bracket - 1]);
    }

    // Every "name = value" that stands at the line's beginning, after ( or after a comma.
    void read_python(std::string_view line, std::size_t number) {
        std::size_t at = 0;
        const std::size_t comment = piece_end(line, 0, [](char c) { return c == '#'; });
        line = line.substr(0, comment);
        while (at < line.size()) {
            while (at < line.size() &&
                   (line[at] == ' ' || line[at] == ',' || line[at] == '(' || line[at] == ')'))
                ++at;
            const std::size_t begin = at;
            while (at < line.size() && (is_word(line[at]) || line[at] == '.'))
                ++at;
            const std::string_view path = line.substr(begin, at - begin);
            while (at < line.size() && line[at] == ' ')
                ++at;
            const bool assigns =
                at < line.size() && line[at] == '=' && (at + 1 >= line.size() || line[at + 1] != '=');
            if (!assigns || !is_path(path)) {
                // Not an assignment: on to the next bracket or comma.
                at = std::max(at, begin + 1);
                while (at < line.size() && line[at] != ',' && line[at] != '(')
                    ++at;
                continue;
            }
            const std::size_t value = at + 1;
            // f(...) as a value: its keyword arguments are read as settings of their own.
            std::size_t end = value;
            while (end < line.size() && line[end] == ' ')
                ++end;
            std::size_t name = end;
            while (name < line.size() && (is_word(line[name]) || line[name] == '.'))
                ++name;
            if (name > end && name < line.size() && line[name] == '(') {
                const std::size_t close = piece_end(line, name + 1, [](char c) { return c == ')'; });
                if (line.substr(name, close - name).find('=') == std::string_view::npos)
                    add_python(path, line.substr(end, std::min(close + 1, line.size()) - end), number);
                at = name;
                continue;
            }
            at = piece_end(line, value, [](char c) { return c == ',' || c == ')'; });
            add_python(path, line.substr(value, at - value), number);
        }
    }

    void add_python(std::string_view path, std::string_view value, std::size_t number) {
        if (!in_function_ && path.find('.') != std::string_view::npos) {
            in_function_ = true;
            ++functions_;
        }
        value = trim(value);
        Setting setting = setting_of(path, std::string(without_quotes(value)), number);
        if (value.empty() || value.find_first_not_of("([{") == std::string_view::npos) {
            setting.unresolved = "the value stands on another line";
        } else if (value.front() != '\'' && value.front() != '"') {
            const bool call = value.ends_with(')');
            if (call && value.find("_mixed(") != std::string_view::npos) {
                // A recipe of mixed precision: its name says it.
            } else if (is_variable(value) || is_expression(value)) {
                const Setting* other = find(value);
                if (other != nullptr)
                    setting.value = other->value;
                else
                    setting.unresolved = fmt::format("{} is computed by the script", quote(value));
            }
        }
        settings_.push_back(std::move(setting));
    }

    const Setting* find(std::string_view path) {
        // Of the last few hundred lines: a script sets its variables at the top of what uses them.
        const std::size_t first = settings_.size() > 500 ? settings_.size() - 500 : 0;
        for (std::size_t i = settings_.size(); i > first; --i) {
            if (settings_[i - 1].path == path && settings_[i - 1].unresolved.empty())
                return &settings_[i - 1];
        }
        return nullptr;
    }

    Setting setting_of(std::string_view path, std::string value, std::size_t number) const {
        const std::string source = shown_source(fmt::format("{}={}", path, value));
        // A part of the configuration in a variable of its own.
        struct Part {
            std::string_view variable;
            std::string_view section;
        };
        constexpr std::array kParts = {Part{"cfg.", ""},
                                       Part{"recipe.", ""},
                                       Part{"config.", ""},
                                       Part{"model_cfg.", "model."},
                                       Part{"model_config.", "model."},
                                       Part{"opt_cfg.", "optimizer."},
                                       Part{"opt_config.", "optimizer."},
                                       Part{"ddp_cfg.", "ddp."},
                                       Part{"precision_config.", "mixed_precision."}};
        std::string plain(path);
        for (const Part& part : kParts) {
            if (!path.starts_with(part.variable)) continue;
            plain = std::string(part.section).append(path.substr(part.variable.size()));
            break;
        }
        return {std::move(plain), std::move(value), number, source};
    }

    void read_words(std::string_view line, std::size_t number) {
        std::size_t at = 0;
        while (at < line.size()) {
            if (line[at] == ' ' || line[at] == '\t' || line[at] == '(' || line[at] == ')') {
                ++at;
                continue;
            }
            if (line[at] == '#') return;
            const std::size_t end =
                piece_end(line, at, [](char c) { return c == ' ' || c == '\t' || c == ';'; });
            read_word(line.substr(at, end - at), number);
            at = end + (end < line.size() && line[end] == ';' ? 1 : 0);
        }
    }

    void read_word(std::string_view word, std::size_t number) {
        word = without_quotes(word);
        if (word.starts_with("--")) {
            const std::size_t equal = word.find('=');
            flag_ = std::string(word.substr(0, equal));
            if (flag_.size() > kLongestPath) flag_.clear();
            if (equal == std::string_view::npos || flag_.empty()) return;
            settings_.push_back({flag_, std::string(without_quotes(word.substr(equal + 1))), number,
                                 shown_source(std::string(word))});
            flag_.clear();
            return;
        }
        const bool removed = word.starts_with('~');
        const std::string_view plain = without_prefix(word);
        const std::size_t equal = plain.find('=');
        if (equal == std::string_view::npos || !is_path(plain.substr(0, equal))) {
            // The value of a flag before it; other words start programs.
            if (!flag_.empty() && !word.empty())
                settings_.push_back(
                    {flag_, std::string(word), number, shown_source(fmt::format("{} {}", flag_, word))});
            else if (removed && is_path(plain))
                remove(plain, number);
            flag_.clear();
            return;
        }
        flag_.clear();
        if (removed) {
            remove(plain.substr(0, equal), number);
            return;
        }
        settings_.push_back(
            setting_of(plain.substr(0, equal), std::string(without_quotes(plain.substr(equal + 1))), number));
        settings_.back().variable = plain.substr(0, equal).find('.') == std::string_view::npos;
    }

    // "~path": what holds then is the framework's own default.
    void remove(std::string_view path, std::size_t number) {
        Setting setting = setting_of(path, "", number);
        setting.source = shown_source(fmt::format("~{}", path));
        setting.unresolved = "the setting is taken out: what holds then can't be told from here";
        settings_.push_back(std::move(setting));
    }

    std::vector<Setting> settings_;
    std::string flag_;          // a flag that waits for its value
    bool in_function_ = false;  // a setting was read since the last "def"
    int functions_ = 0;         // of Python, with settings in them
};

bool has_known_root(std::string_view path) {
    const std::string_view root = path.substr(0, path.find('.'));
    return std::find(kRoots.begin(), kRoots.end(), root) != kRoots.end();
}

}  // namespace

bool is_override(std::string_view word) {
    const std::string_view plain = without_prefix(without_quotes(word));
    const std::size_t equal = plain.find('=');
    if (equal == std::string_view::npos) return false;
    const std::string_view path = plain.substr(0, equal);
    return is_path(path) && path.find('.') != std::string_view::npos && has_known_root(path);
}

bool looks_like_overrides(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (std::size_t i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
        const std::size_t end = text.find('\n');
        std::string_view line = trim(text.substr(0, end).substr(0, 4000));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty() || line.front() == '#') continue;
        // "cfg.model.x = y"
        const std::size_t equal = line.find('=');
        if (equal != std::string_view::npos) {
            const std::string_view path = without_prefix(trim(line.substr(0, equal)));
            if (is_path(path) && path.find('.') != std::string_view::npos && has_known_root(path))
                return true;
        }
        for (const std::string_view word : split(line, ' ')) {
            if (is_override(word)) return true;
        }
    }
    return false;
}

Import import_overrides(std::string_view text) {
    return OverrideReader().read(text);
}

Import import_override_words(const std::vector<OverrideWord>& words) {
    return OverrideReader().read(words);
}

}  // namespace megamem
