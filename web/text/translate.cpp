#include "text/translate.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/json_reader.h"

namespace megamem::web {

namespace {

struct Pattern {
    std::vector<std::string> literals;  // between the holes: one more than there are holes
    std::string other;                  // in the other language
};

struct Dictionary {
    std::map<std::string, std::string, std::less<>> texts;
    std::vector<Pattern> patterns;
    std::unordered_map<std::string, std::string> known_sentences;  // that were matched before
};

Dictionary dictionary;

constexpr std::size_t kMostKnownSentences = 2000;

std::vector<std::string> literals_of(std::string_view pattern) {
    std::vector<std::string> literals;
    for (std::size_t hole = pattern.find("{}"); hole != std::string_view::npos; hole = pattern.find("{}")) {
        literals.emplace_back(pattern.substr(0, hole));
        pattern.remove_prefix(hole + 2);
    }
    literals.emplace_back(pattern);
    return literals;
}

// What fills the holes; nullopt where the sentence isn't of this pattern.
std::optional<std::vector<std::string_view>> match(const Pattern& pattern, std::string_view sentence) {
    const auto& literals = pattern.literals;
    if (!sentence.starts_with(literals.front())) return std::nullopt;
    sentence.remove_prefix(literals.front().size());
    std::vector<std::string_view> holes;
    for (std::size_t i = 1; i < literals.size(); ++i) {
        const bool last = i + 1 == literals.size();
        if (last && !sentence.ends_with(literals[i])) return std::nullopt;
        const std::size_t at = last ? sentence.size() - literals[i].size() : sentence.find(literals[i]);
        if (at == std::string_view::npos) return std::nullopt;
        holes.push_back(sentence.substr(0, at));
        sentence.remove_prefix(at + literals[i].size());
    }
    if (!sentence.empty()) return std::nullopt;
    return holes;
}

std::string_view looked_up(std::string_view english) {
    const auto found = dictionary.texts.find(english);
    return found == dictionary.texts.end() ? english : std::string_view(found->second);
}

// "{}" is the next hole, "{1}" the one with that number.
std::string filled(std::string_view pattern, const std::vector<std::string_view>& holes) {
    std::string text;
    std::size_t next = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::size_t close = pattern[i] == '{' ? pattern.find('}', i) : std::string_view::npos;
        const bool numbered = close == i + 2 && pattern[i + 1] >= '0' && pattern[i + 1] <= '9';
        if (close != i + 1 && !numbered) {
            text += pattern[i];
            continue;
        }
        const std::size_t hole = numbered ? static_cast<std::size_t>(pattern[i + 1] - '0') : next++;
        if (hole < holes.size()) text += translated_sentence(holes[hole]);
        i = close;
    }
    return text;
}

void add_pattern(const Json& pair) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) return;
    dictionary.patterns.push_back(
        {literals_of(pair[0].get_ref<const std::string&>()), pair[1].get<std::string>()});
}

}  // namespace

const char* translated(const char* english) {
    if (dictionary.texts.empty()) return english;
    const auto found = dictionary.texts.find(std::string_view(english));
    return found == dictionary.texts.end() ? english : found->second.c_str();
}

std::string translated_sentence(std::string_view english) {
    if (dictionary.texts.empty()) return std::string(english);
    if (const std::string_view text = looked_up(english); text.data() != english.data())
        return std::string(text);
    std::string key(english);
    if (const auto known = dictionary.known_sentences.find(key); known != dictionary.known_sentences.end())
        return known->second;
    std::string text = key;
    for (const Pattern& pattern : dictionary.patterns) {
        if (pattern.literals.size() == 1) continue;  // those without holes are texts
        if (const auto holes = match(pattern, english)) {
            text = filled(pattern.other, *holes);
            break;
        }
    }
    if (dictionary.known_sentences.size() >= kMostKnownSentences) dictionary.known_sentences.clear();
    return dictionary.known_sentences.emplace(std::move(key), std::move(text)).first->second;
}

bool set_dictionary(std::string_view json) {
    const ReadJson read = read_json(json);
    if (has_error(read.problems) || !read.value.is_object()) return false;
    const auto texts = read.value.find("texts");
    if (texts == read.value.end() || !texts->is_object()) return false;
    clear_dictionary();
    for (const auto& [english, other] : texts->items()) {
        if (other.is_string()) dictionary.texts.emplace(english, other.get<std::string>());
    }
    if (const auto sentences = read.value.find("sentences");
        sentences != read.value.end() && sentences->is_array()) {
        for (const Json& pair : *sentences)
            add_pattern(pair);
    }
    return true;
}

void clear_dictionary() {
    dictionary = {};
}

}  // namespace megamem::web
