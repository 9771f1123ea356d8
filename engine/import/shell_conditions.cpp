#include "import/shell_conditions.h"

#include <algorithm>

#include "base/text.h"

namespace megamem {

namespace {

Truth truth_of(bool holds) {
    return holds ? Truth::yes : Truth::no;
}

// A variable without a value is empty to -z and -n, as ${X:-default} takes it for unset.
bool only_unset(const std::string& text, const ShellVariables& variables) {
    const Open* open = variables.open_in(text);
    return open != nullptr && ShellVariables::without_marks(text).empty() &&
           open->message.ends_with("has no value in this text");
}

Truth one_test(const std::string& option, const std::string& text, const ShellVariables& variables) {
    const bool open = ShellVariables::is_open(text);
    if (option == "-z" || option == "-n") {
        if (open && !only_unset(text, variables)) return Truth::unknown;
        return truth_of((open || text.empty()) == (option == "-z"));
    }
    if (option == "!") {
        if (open) return Truth::unknown;
        return truth_of(text.empty());
    }
    return Truth::unknown;  // files and the like
}

Truth compare(const std::string& a, const std::string& operation, const std::string& b) {
    if (ShellVariables::is_open(a) || ShellVariables::is_open(b)) return Truth::unknown;
    if (operation == "=" || operation == "==") return truth_of(matches_pattern(a, b));
    if (operation == "!=") return truth_of(!matches_pattern(a, b));
    const auto left = parse_integer(trim(a));
    const auto right = parse_integer(trim(b));
    if (!left || !right) return Truth::unknown;
    if (operation == "-eq") return truth_of(*left == *right);
    if (operation == "-ne") return truth_of(*left != *right);
    if (operation == "-gt" || operation == ">") return truth_of(*left > *right);
    if (operation == "-ge") return truth_of(*left >= *right);
    if (operation == "-lt" || operation == "<") return truth_of(*left < *right);
    if (operation == "-le") return truth_of(*left <= *right);
    return Truth::unknown;
}

}  // namespace

Truth opposite(Truth truth) {
    return truth == Truth::unknown ? truth : truth_of(truth == Truth::no);
}

Truth both(Truth a, Truth b) {
    if (a == Truth::no || b == Truth::no) return Truth::no;
    return a == Truth::yes && b == Truth::yes ? Truth::yes : Truth::unknown;
}

Truth either(Truth a, Truth b) {
    return opposite(both(opposite(a), opposite(b)));
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
    if (pattern.find('*') == std::string_view::npos) return text == pattern;
    // The pieces between the stars, in order: the first at the front, the last at the end.
    const auto pieces = split(pattern, '*');
    if (pieces.size() > 50 || !text.starts_with(pieces.front())) return false;
    text.remove_prefix(pieces.front().size());
    for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
        const std::size_t at = text.find(pieces[i]);
        if (at == std::string_view::npos) return false;
        text.remove_prefix(at + pieces[i].size());
    }
    return text.ends_with(pieces.back());
}

Truth test_words(const std::vector<std::string>& words, const ShellVariables& variables) {
    // A -a B, A -o B: from the left.
    const auto joint =
        std::find_if(words.begin(), words.end(), [](const std::string& w) { return w == "-a" || w == "-o"; });
    if (joint != words.end() && words.size() < 100) {
        const Truth left = test_words({words.begin(), joint}, variables);
        const Truth right = test_words({joint + 1, words.end()}, variables);
        return *joint == "-a" ? both(left, right) : either(left, right);
    }
    if (!words.empty() && words[0] == "!" && words.size() > 1) {
        return opposite(test_words({words.begin() + 1, words.end()}, variables));
    }
    switch (words.size()) {
        case 0:
            return Truth::no;
        case 1:
            return one_test("-n", words[0], variables);
        case 2:
            return one_test(words[0], words[1], variables);
        case 3:
            return compare(words[0], words[1], words[2]);
        default:
            return Truth::unknown;
    }
}

Truth test_condition(std::string_view text, ShellVariables& variables) {
    if (text.size() > 2000 || text.find('(') != std::string_view::npos) {
        // $(...) is open anyway, and groups are rare.
        return Truth::unknown;
    }
    // || binds less than &&.
    if (const std::size_t at = text.find("||"); at != std::string_view::npos)
        return either(test_condition(text.substr(0, at), variables),
                      test_condition(text.substr(at + 2), variables));
    if (const std::size_t at = text.find("&&"); at != std::string_view::npos)
        return both(test_condition(text.substr(0, at), variables),
                    test_condition(text.substr(at + 2), variables));
    std::vector<std::string> words;
    std::string_view rest = trim(text);
    while (!rest.empty()) {
        // Words of a test aren't split, so each is expanded by itself.
        std::size_t end = 0;
        char quoted = '\0';
        while (end < rest.size() &&
               (quoted != '\0' || (rest[end] != ' ' && rest[end] != '\t' && rest[end] != '\n'))) {
            if (quoted == '\0' && (rest[end] == '"' || rest[end] == '\'')) {
                quoted = rest[end];
            } else if (rest[end] == quoted) {
                quoted = '\0';
            }
            ++end;
        }
        words.push_back(variables.expand_text(rest.substr(0, end), 0));
        rest = trim(rest.substr(end));
    }
    if (words.size() == 3 && words[1] == "=~") return Truth::unknown;
    return test_words(words, variables);
}

}  // namespace megamem
