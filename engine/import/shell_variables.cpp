#include "import/shell_variables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "import/shell_arithmetic.h"
#include "import/shell_lexer.h"

namespace megamem {

namespace {

constexpr std::size_t kMostOpens = 10'000;
constexpr int kDeepest = 16;

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

std::size_t end_of_name(std::string_view text, std::size_t at) {
    if (at < text.size() && text[at] >= '0' && text[at] <= '9') return at + 1;
    while (at < text.size() && is_name(text[at]))
        ++at;
    return at;
}

std::string cased(std::string text, bool upper) {
    for (char& c : text) {
        if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

}  // namespace

const ShellValue* ShellVariables::find(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : &found->second;
}

void ShellVariables::set(std::string_view name, ShellValue value) {
    const auto found = variables_.find(name);
    if (found != variables_.end()) {
        found->second = std::move(value);
        return;
    }
    variables_.emplace(std::string(name), std::move(value));
    // A function's parameters come and go.
    const bool parameter = name == "@" || (!name.empty() && name[0] >= '0' && name[0] <= '9');
    if (!parameter) order_.emplace_back(name);
}

ShellValue ShellVariables::take(std::string_view name) {
    const auto found = variables_.find(name);
    return found == variables_.end() ? ShellValue{} : std::move(found->second);
}

void ShellVariables::erase(std::string_view name) {
    if (const auto found = variables_.find(name); found != variables_.end()) variables_.erase(found);
}

void ShellVariables::set_text(std::string_view name, std::string text, std::size_t line) {
    set(name, {{{std::move(text), line}}, false, line});
}

bool ShellVariables::spend(std::size_t count) {
    if (count > budget_) {
        budget_ = 0;
        return false;
    }
    budget_ -= count;
    return true;
}

std::string ShellVariables::mark(std::string source, std::string message) {
    if (source.size() > 80) source = quote(source, 76);
    std::string id = source + '\n' + message;
    auto found = known_opens_.find(id);
    if (found == known_opens_.end()) {
        if (opens_.size() >= kMostOpens) return fmt::format("{}{}{}", kMark, opens_.size() - 1, kMarkEnd);
        found = known_opens_.emplace(std::move(id), opens_.size()).first;
        opens_.push_back({std::move(source), std::move(message)});
    }
    return fmt::format("{}{}{}", kMark, found->second, kMarkEnd);
}

const Open* ShellVariables::open_in(std::string_view text) const {
    const std::size_t at = text.find(kMark);
    if (at == std::string_view::npos) return nullptr;
    const std::size_t end = text.find(kMarkEnd, at);
    if (end == std::string_view::npos) return nullptr;
    const auto index = parse_unsigned(text.substr(at + 1, end - at - 1));
    if (!index || static_cast<std::size_t>(*index) >= opens_.size()) return nullptr;
    return &opens_[static_cast<std::size_t>(*index)];
}

std::string ShellVariables::readable(std::string_view text) const {
    std::string out;
    while (true) {
        const std::size_t at = text.find(kMark);
        out += text.substr(0, at);
        if (at == std::string_view::npos) return out;
        if (const Open* open = open_in(text)) out += open->source;
        const std::size_t end = text.find(kMarkEnd, at);
        if (end == std::string_view::npos) return out;
        text.remove_prefix(end + 1);
    }
}

std::string ShellVariables::without_marks(std::string_view text) {
    std::string out;
    bool inside = false;
    for (const char c : text) {
        if (c == kMark) inside = true;
        if (!inside) out += c;
        if (c == kMarkEnd) inside = false;
    }
    return out;
}

std::optional<std::int64_t> ShellVariables::arithmetic(std::string_view text) {
    // "$((  $GPUS * ${NODES:-1} ))": expansions first, then bare names.
    const std::string plain = expand_text(text, 0);
    if (is_open(plain) || plain.size() > 2000) return std::nullopt;
    return shell_arithmetic(plain, [&](std::string_view name) -> std::optional<std::int64_t> {
        const ShellValue* value = find(name);
        if (value == nullptr || value->words.size() != 1) return std::nullopt;
        return parse_integer(trim(value->words[0].text));
    });
}

ShellVariables::Piece ShellVariables::value_of(std::string_view name, std::string_view written) {
    if (name == "@" || name == "*") {
        if (const ShellValue* given = find("@")) {  // of a function
            std::size_t size = given->words.size();
            for (const ShellWord& word : given->words)
                size += word.text.size();
            if (spend(size)) return {given->words, true};
        }
        return {
            {{mark(std::string(written), "what else is given on the script's command line isn't known"), 0}},
            true};
    }
    const ShellValue* value = find(name);
    if (value != nullptr) {
        std::size_t size = value->words.size();
        for (const ShellWord& word : value->words)
            size += word.text.size();
        if (!spend(size)) {
            return {{{mark(std::string(written), "the script's values grow too large to follow"), 0}}, false};
        }
        if (!value->array) return {value->words, false};
        // "$A" of an array is its first element.
        if (value->words.empty()) return {};
        return {{value->words.front()}, false};
    }
    std::string why = name.size() == 1 && name[0] >= '0' && name[0] <= '9'
                          ? fmt::format("it is argument {} of the script", name)
                          : fmt::format("{} has no value in this text", quote(name));
    if (name.empty() || !is_name(name[0])) why = fmt::format("{} is known to a running shell only", written);
    return {{{mark(std::string(written), std::move(why)), 0}}, false};
}

ShellVariables::Piece ShellVariables::expand_braces(std::string_view inside, std::size_t line, int depth) {
    const std::string written = fmt::format("${{{}}}", inside);
    const auto give_up = [&] {
        return Piece{{{mark(written, fmt::format("{} isn't followed here", quote(written))), line}}, false};
    };
    if (inside.empty() || inside[0] == '!') return give_up();
    if (inside[0] == '#') {
        const ShellValue* value = find(inside.substr(1, inside.find('[') - 1));
        if (value == nullptr || !value->array || inside.find("[@]") == std::string_view::npos)
            return give_up();
        return {{{fmt::format("{}", value->words.size()), line}}, false};
    }
    std::size_t at = inside[0] == '@' || inside[0] == '*' ? 1 : end_of_name(inside, 0);
    // "${10}" is one number.
    while (at > 0 && at < inside.size() && inside[0] >= '0' && inside[0] <= '9' && inside[at] >= '0' &&
           inside[at] <= '9')
        ++at;
    const std::string_view name = inside.substr(0, at);
    std::string_view rest = inside.substr(at);
    const ShellValue* value = find(name);

    if (rest.starts_with("[@]") || rest.starts_with("[*]")) {
        if (rest.size() > 3 && value == nullptr) rest.remove_prefix(3);
        if (value == nullptr && rest.starts_with("[")) {
            return {{{mark(written, fmt::format("{} has no value in this text", quote(name))), line}}, true};
        }
        if (value != nullptr) {
            if (rest.size() > 3 && rest[3] != ':' && rest[3] != '-') return give_up();
            std::size_t size = value->words.size();
            for (const ShellWord& word : value->words)
                size += word.text.size();
            if (!spend(size))
                return {{{mark(written, "the script's values grow too large to follow"), line}}, true};
            return {value->words, true};
        }
    } else if (rest.starts_with("[")) {
        const std::size_t end = rest.find(']');
        if (end == std::string_view::npos || value == nullptr) return give_up();
        const auto index = arithmetic(rest.substr(1, end - 1));
        if (!index || *index < 0 || static_cast<std::size_t>(*index) >= value->words.size()) return give_up();
        return {{value->words[static_cast<std::size_t>(*index)]}, false};
    }
    if (rest.empty()) return value_of(name, written);

    const bool colon = rest[0] == ':';
    const std::string_view operation = colon ? rest.substr(1) : rest;
    const bool empty = value != nullptr && (value->words.empty() || value->words[0].text.empty());
    const bool unset = value == nullptr || (colon && empty);
    if (operation.empty()) return give_up();
    const std::string_view word = operation.substr(1);
    switch (operation[0]) {
        case '-':
        case '=': {
            if (!unset) return value_of(name, written);
            const auto words =
                depth > kDeepest ? std::vector<ShellWord>() : expand(word, line, false, depth + 1);
            std::string text = words.empty() ? std::string() : words[0].text;
            if (operation[0] == '=') set_text(name, text, line);
            return {{{std::move(text), line}}, false};
        }
        case '+': {
            if (value == nullptr) {
                return {{{mark(written, fmt::format("{} has no value in this text", quote(name))), line}},
                        false};
            }
            if (unset || depth > kDeepest) return {};
            return {expand(word, line, false, depth + 1), false};
        }
        case '?':
            return value_of(name, written);
        default:
            break;
    }
    if (value == nullptr) return value_of(name, written);
    if (!colon && (rest == ",," || rest == "^^") && !value->words.empty())
        return {{{cased(value->words[0].text, rest[0] == '^'), line}}, false};
    return give_up();
}

ShellVariables::Piece ShellVariables::expand_dollar(std::string_view written, std::size_t& at,
                                                    std::size_t line, int depth) {
    const std::size_t begin = at;
    const char next = at + 1 < written.size() ? written[at + 1] : '\0';
    if (next == '(' || next == '{' || next == '[') {
        const std::size_t end = end_of_expansion(written, at);
        const std::string_view whole = written.substr(begin, end - begin);
        at = end;
        if (whole.size() < 3) return {{{std::string(whole), line}}, false};
        if (next == '{') return expand_braces(whole.substr(2, whole.size() - 3), line, depth);
        const bool doubled = whole.starts_with("$((") && whole.ends_with("))") && whole.size() >= 5;
        if (doubled || next == '[') {
            const std::size_t edge = doubled ? 3 : 2;
            const std::size_t tail = doubled ? 2 : 1;
            const std::string_view inside = whole.substr(edge, whole.size() - edge - tail);
            if (const auto value = arithmetic(inside)) return {{{fmt::format("{}", *value), line}}, false};
            std::string why = "it can't be computed from this text";
            if (const std::string text = expand_text(inside, line); const Open* open = open_in(text))
                why = open->message;
            // The first of the bare names without a value.
            for (std::size_t i = 0; i < inside.size();) {
                const std::size_t stop = end_of_name(inside, i);
                const std::string_view name = inside.substr(i, stop - i);
                if (!name.empty() && (name[0] < '0' || name[0] > '9') && find(name) == nullptr) {
                    why = fmt::format("{} has no value in this text", quote(name));
                    break;
                }
                i = std::max(stop, i + 1);
            }
            return {{{mark(std::string(whole), std::move(why)), line}}, false};
        }
        return {{{mark(std::string(whole), "commands aren't run here: give what it would say"), line}},
                false};
    }
    if (next == '\'' || next == '"') {  // $'...': as the plain quote
        ++at;
        return {};
    }
    std::size_t end = end_of_name(written, at + 1);
    if (end == at + 1 &&
        (next == '@' || next == '*' || next == '#' || next == '?' || next == '$' || next == '!'))
        ++end;
    at = end;
    if (end == begin + 1) return {{{"$", line}}, false};
    return value_of(written.substr(begin + 1, end - begin - 1), written.substr(begin, end - begin));
}

std::vector<ShellWord> ShellVariables::expand(std::string_view written, std::size_t line, bool split,
                                              int depth) {
    std::vector<ShellWord> words;
    // Most words are plain.
    const auto is_special = [](char c) { return c == '\\' || c == '"' || c == '\'' || c == '$' || c == '`'; };
    if (!written.empty() && std::none_of(written.begin(), written.end(), is_special)) {
        words.push_back({std::string(written), line});
        return words;
    }
    std::string text;
    bool started = false;  // even an empty quoted text is a word
    bool quoted = false;
    std::size_t word_line = line;
    const auto finish = [&] {
        if (started) words.push_back({std::move(text), word_line});
        text.clear();
        started = false;
        word_line = line;
    };
    const auto put_split = [&](const ShellWord& word) {
        std::size_t newlines = 0;
        for (const char c : word.text) {
            // A mark has no blanks inside.
            if (is_blank(c)) {
                if (started) finish();
                newlines += c == '\n' ? 1 : 0;
                continue;
            }
            if (!started && word.line > 0) word_line = word.line + newlines;
            started = true;
            text += c;
        }
    };
    const auto put = [&](const Piece& piece) {
        // bash -c "python train.py ${ARGS[*]}": one text, a command line of its own.
        const bool within = quoted && piece.separate && text.find(' ') != std::string::npos;
        if (!split || within) {
            for (std::size_t i = 0; i < piece.words.size(); ++i) {
                if (i > 0) text += ' ';
                // Lines count from where the new text begins.
                for (const char c : piece.words[i].text)
                    text += c == '\n' ? ' ' : c;
            }
            started = true;
            return;
        }
        for (std::size_t i = 0; i < piece.words.size(); ++i) {
            const ShellWord& word = piece.words[i];
            if (i > 0) finish();
            if (!quoted) {
                put_split(word);
                continue;
            }
            if (!started && word.line > 0) word_line = word.line;
            text += word.text;
            started = true;
        }
        if (quoted && !piece.separate) started = true;
    };
    std::size_t at = 0;
    while (at < written.size()) {
        const char c = written[at];
        if (c == '\\') {
            const char next = at + 1 < written.size() ? written[at + 1] : '\0';
            at += 2;
            if (next == '\n' && quoted) {
                // Kept where it parts words anyway: lines are counted by it. "11008\" and "--flag" at the
                // next line's start are meant as two words.
                const bool parts = text.empty() || is_blank(text.back()) ||
                                   written.substr(at).starts_with("--") ||
                                   (at < written.size() && is_blank(written[at]));
                if (parts) text += '\n';
                continue;
            }
            if (next == '\n' || next == '\0') continue;
            // Between double quotes it is a backslash before most characters.
            if (quoted && next != '$' && next != '"' && next != '\\' && next != '`') {
                // "\ " at a line's end, inside an option string: meant as a continuation.
                const std::size_t after = written.find_first_not_of(" \t", at - 1);
                if (is_blank(next) && after != std::string_view::npos && written[after] == '\n') {
                    text += ' ';
                    at = after + 1;
                    continue;
                }
                text += '\\';
            }
            text += next;
            started = true;
        } else if (c == '\'' && !quoted) {
            const std::size_t end = std::min(written.find('\'', at + 1), written.size());
            text += written.substr(at + 1, end - at - 1);
            started = true;
            at = end + 1;
        } else if (c == '"') {
            quoted = !quoted;
            started = started || quoted;
            // Only "${A[@]}" of nothing is nothing.
            if (quoted && written.substr(at + 1).starts_with("${") && text.empty() && split) started = false;
            ++at;
        } else if (c == '`') {
            const std::size_t end = std::min(end_of_expansion(written, at), written.size());
            text += mark(std::string(written.substr(at, end - at)),
                         "commands aren't run here: give what it would say");
            started = true;
            at = end;
        } else if (c == '$') {
            put(expand_dollar(written, at, line, depth));
        } else {
            text += c;
            started = true;
            ++at;
        }
    }
    finish();
    return words;
}

std::vector<ShellWord> ShellVariables::expand(std::string_view written, std::size_t line) {
    return expand(written, line, true, 0);
}

std::string ShellVariables::expand_text(std::string_view written, std::size_t line) {
    auto words = expand(written, line, false, 0);
    return words.empty() ? std::string() : std::move(words[0].text);
}

}  // namespace megamem
