#include "text/translate.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "platform/platform.h"

namespace megamem::web {

namespace {

struct Entry {
    std::string_view english;
    std::string_view chinese;
};

std::string lines;                                     // the dictionary, as it came
std::vector<Entry> texts;                              // sorted
std::vector<Entry> patterns;                           // the longer ones first
std::unordered_map<std::uint64_t, std::string> known;  // by the hash of what was asked for

constexpr std::size_t kMostKnown = 4000;
constexpr std::string_view kHole = "{}";

// FNV-1a. Nobody gains anything from texts that collide.
std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 14695981039346656037u) {
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Begins a Chinese character or sign in UTF-8.
bool is_far(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xE3 && byte <= 0xEF;
}

// Two letters side by side: numbers and signs are the same in every language.
bool has_word(std::string_view text) {
    return std::adjacent_find(text.begin(), text.end(),
                              [](char a, char b) { return is_letter(a) && is_letter(b); }) != text.end();
}

// What fills the holes; false where the sentence isn't of this pattern.
bool match(std::string_view pattern, std::string_view sentence, std::vector<std::string_view>& holes) {
    holes.clear();
    std::size_t hole = pattern.find(kHole);
    if (!sentence.starts_with(pattern.substr(0, hole))) return false;
    sentence.remove_prefix(hole);
    while (hole != std::string_view::npos) {
        pattern.remove_prefix(hole + kHole.size());
        hole = pattern.find(kHole);
        const std::string_view literal = pattern.substr(0, hole);
        std::size_t end = sentence.find(literal, 1);
        if (hole == std::string_view::npos) {
            if (sentence.size() <= literal.size() || !sentence.ends_with(literal)) return false;
            end = sentence.size() - literal.size();
        }
        if (end == std::string_view::npos) return false;
        holes.push_back(sentence.substr(0, end));
        sentence.remove_prefix(end + literal.size());
    }
    return true;
}

// "{}" is the next hole, "{1}" the one with that number; "{!}" and "{1!}" take it as it is.
std::string filled(std::string_view pattern, const std::vector<std::string_view>& holes) {
    std::string text;
    std::size_t next = 0;
    while (!pattern.empty()) {
        const std::size_t open = std::min(pattern.find('{'), pattern.size());
        text += pattern.substr(0, open);
        pattern.remove_prefix(std::min(open + 1, pattern.size()));
        const std::size_t close = pattern.find('}');
        if (close == std::string_view::npos) break;
        const std::string_view inside = pattern.substr(0, close);
        pattern.remove_prefix(close + 1);
        const bool numbered = !inside.empty() && inside[0] != '!';
        const std::size_t hole = numbered ? static_cast<std::size_t>(inside[0] - '0') : next++;
        if (hole < holes.size()) text += inside.ends_with('!') ? holes[hole] : translated(holes[hole]);
    }
    return text;
}

struct Separator {
    std::string_view english;
    std::size_t kept;  // of it, by the piece before
    std::string_view chinese;
};

constexpr Separator kSeparators[] = {{"\n", 0, "\n"}, {". ", 1, ""},      {"; ", 0, "；"},
                                     {", ", 0, "，"}, {" and ", 0, "和"}, {" or ", 0, "或"}};

// Lines, sentences, lists.
bool pieces(std::string_view english, std::string& out) {
    for (const Separator& separator : kSeparators) {
        if (english.find(separator.english) == std::string_view::npos) continue;
        bool any = false;
        while (true) {
            const std::size_t end = english.find(separator.english);
            const bool last = end == std::string_view::npos;
            const std::string_view piece = english.substr(0, last ? end : end + separator.kept);
            const std::string_view other = translated(piece);
            any = any || other != piece;
            out += other;
            if (last) return any;
            out += separator.chinese;
            english.remove_prefix(end + separator.english.size());
        }
    }
    return false;
}

std::string looked_up(std::string_view english) {
    if (const std::string_view whole = translated_whole(english); whole.data() != english.data())
        return std::string(whole);
    std::vector<std::string_view> holes;
    for (const Entry& pattern : patterns) {
        if (match(pattern.english, english, holes)) return filled(pattern.chinese, holes);
    }
    // Put together of pieces that were translated, or written by somebody.
    const bool is_chinese_already = std::any_of(english.begin(), english.end(), is_far);
    std::string text;
    if (!is_chinese_already && pieces(english, text)) return text;
    if (!is_chinese_already) platform::test_untranslated(english);
    return std::string(english);
}

}  // namespace

bool is_chinese() {
    return !lines.empty();
}

std::string_view translated(std::string_view english) {
    if (lines.empty() || !has_word(english)) return english;
    const std::uint64_t hash = hash_of(english);
    if (const auto found = known.find(hash); found != known.end()) return found->second;
    std::string text = looked_up(english);  // which may look up others
    return known.emplace(hash, std::move(text)).first->second;
}

std::string_view translated_whole(std::string_view english) {
    const auto at =
        std::lower_bound(texts.begin(), texts.end(), english,
                         [](const Entry& entry, std::string_view text) { return entry.english < text; });
    return at != texts.end() && at->english == english ? at->chinese : english;
}

const char* translated_label(const char* english) {
    if (lines.empty()) return english;
    std::string& label = known[hash_of(english, 1)];
    if (label.empty()) {
        const std::string text(translated(english));
        // The reference holds: what is kept doesn't move.
        label = text + "###" + english;
    }
    return label.c_str();
}

void set_dictionary(std::string new_lines) {
    texts.clear();
    patterns.clear();
    known.clear();
    lines = std::move(new_lines);
    std::string_view rest = lines;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos) continue;
        const Entry entry{line.substr(0, tab), line.substr(tab + 1)};
        (entry.english.find(kHole) == std::string_view::npos ? texts : patterns).push_back(entry);
    }
}

void tidy_translations() {
    if (known.size() > kMostKnown) known.clear();
}

}  // namespace megamem::web
