#include "text/translate.h"

#include <algorithm>
#include <map>
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
std::map<std::uint64_t, std::string> known;            // by the hash of what was asked for

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

// More than one: those are taken one by one.
bool has_sentences(std::string_view text) {
    const std::size_t end = text.find(". ");
    return end != std::string_view::npos && end + 2 < text.size() && text[end + 2] >= 'A' &&
           text[end + 2] <= 'Z';
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
        if (has_sentences(holes.back())) return false;
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
    bool once = false;  // what follows the first one is one piece
};

constexpr Separator kLine = {"\n", 0, "\n"};
constexpr Separator kSentence = {". ", 1, ""};
constexpr Separator kInside[] = {
    {": ", 0, "：", true}, {"; ", 0, "；"}, {", ", 0, "，"}, {" and ", 0, "和"}, {" or ", 0, "或"}};

// False where no piece has another form.
bool by_pieces(const Separator& separator, std::string_view english, std::string& out) {
    out.clear();
    bool any = false;
    for (std::size_t count = 0;; ++count) {
        const std::size_t end =
            separator.once && count > 0 ? std::string_view::npos : english.find(separator.english);
        const bool last = end == std::string_view::npos;
        if (last && count == 0) return false;
        const std::string_view piece = english.substr(0, last ? end : end + separator.kept);
        const std::string_view other = translated(piece);
        any = any || other != piece;
        out += other;
        if (last) return any;
        out += separator.chinese;
        english.remove_prefix(end + separator.english.size());
    }
}

// By a pattern that begins with words, or one that begins with a hole, which much may be taken for.
bool by_pattern(bool begins_with_hole, std::string_view english, std::string& out) {
    std::vector<std::string_view> holes;
    for (const Entry& pattern : patterns) {
        if (pattern.english.starts_with(kHole) != begins_with_hole) continue;
        if (!match(pattern.english, english, holes)) continue;
        out = filled(pattern.chinese, holes);
        return true;
    }
    return false;
}

std::string looked_up(std::string_view english) {
    if (const std::string_view whole = translated_whole(english); whole.data() != english.data())
        return std::string(whole);
    // Put together of pieces that were translated, or written by somebody.
    const bool pieced = std::any_of(english.begin(), english.end(), is_far);
    std::string text;
    if (!pieced && by_pieces(kLine, english, text)) return text;
    if (by_pattern(false, english, text)) return text;
    if (!pieced && by_pieces(kSentence, english, text)) return text;
    if (by_pattern(true, english, text)) return text;
    if (pieced) return std::string(english);
    for (const Separator& separator : kInside) {
        if (by_pieces(separator, english, text)) return text;
    }
    platform::test_untranslated(english);
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
