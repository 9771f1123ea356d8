#include "import/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/text.h"
#include "import/argument_names.h"
#include "import/argument_values.h"
#include "import/megatron_arguments.h"
#include "import/settings.h"
#include "import/short_names.h"
#include "pipeline/layout.h"
#include "scenario/field.h"

namespace megamem {

namespace {

// Notes are short; a book isn't searched for words that look like them.
constexpr std::size_t kMostBytes = 100'000;
constexpr std::size_t kLongestLine = 2'000;
constexpr std::size_t kMostMentions = 50;
constexpr std::size_t kMostOthers = 8;
constexpr std::size_t kMostWordsOfName = 5;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct Word {
    std::string text;
    bool assigned = false;  // '=' or ':' stands before it
};

// What a name of the notes means.
struct Meaning {
    const Field* field = nullptr;
    std::string_view key;   // of the field, or world_size and data_parallel_size
    std::string_view note;  // why the name sets nothing
    bool everyday = false;
};

struct Pair {
    Meaning meaning;
    std::string value;
    std::string source;
    bool clear = false;  // certain even among other words
};

// Words between pairs that say nothing.
bool is_filler(std::string_view word) {
    constexpr std::array<std::string_view, 15> kFillers = {
        "and", "with", "is", "of", "the", "&", "-", "+", "a", "set", "use", "export", "on", "x", "@"};
    return std::find(kFillers.begin(), kFillers.end(), word) != kFillers.end();
}

// Switches that stand alone.
struct Switch {
    std::string_view word;
    std::string_view key;
    std::string_view value;
};
constexpr std::array kSwitches = {
    Switch{"bf16", "precision", "bf16"},
    Switch{"fp16", "precision", "fp16"},
    Switch{"swiglu", "swiglu", "1"},
    Switch{"rmsnorm", "normalization", "RMSNorm"},
    Switch{"layernorm", "normalization", "LayerNorm"},
};

std::optional<Meaning> meaning_of(const std::string& plain, bool flag, bool assigned) {
    if (const ShortName* name = find_short_name(plain); name != nullptr && !flag)
        return Meaning{find_field(name->key), name->key, name->note, name->everyday};
    const std::string canonical = canonical_flag(plain);
    if (const Alias* alias = find_alias(canonical, Dialect::bridge); alias != nullptr && alias->value.empty())
        return Meaning{find_field(alias->key), alias->key, {}};
    // "name" and "optimizer" are words of any text.
    const NamedField named = find_argument_field(canonical);
    const Field* field = named.field != nullptr ? named.field : find_field(plain);
    if (field == nullptr && assigned && !flag) field = find_field_by_link_key(plain);
    if (field == nullptr || field->key == "name") return std::nullopt;
    return Meaning{field, field->key, {}, plain.find('_') == std::string::npos};
}

// A number with an optional unit, or what looks like one and has to be told as a mistake: "4k", "1e0",
// "5,120".
bool is_numeric(std::string_view text) {
    return !text.empty() &&
           (is_digit(text.front()) || (text.size() > 1 && text.front() == '-' && is_digit(text[1])));
}

bool is_count(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789,_") == std::string_view::npos &&
           is_digit(text.front());
}

// "H100" of H100-80, "A100" of two.
std::vector<std::string_view> gpus_like(std::string_view written) {
    std::string upper(written);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    std::vector<std::string_view> found;
    for (const std::string_view id : find_field("gpu")->choices()) {
        if (id == upper) return {id};
        if (id.starts_with(upper + '-')) found.push_back(id);
    }
    return found;
}

// Whether the word can be a value of the field: a wrong number is one, another word isn't.
bool fits(const Meaning& meaning, std::string_view value) {
    if (meaning.field == nullptr || meaning.field->type == FieldType::integer ||
        meaning.field->type == FieldType::decimal)
        return is_numeric(value) || (meaning.field != nullptr && value == kUnset);
    Scenario scratch;
    switch (meaning.field->type) {
        case FieldType::boolean:
            return means_on(value) || means_off(value);
        case FieldType::choice:
            if (meaning.field->key == "gpu") return is_numeric(value) || !gpus_like(value).empty();
            return !set_text(scratch, *meaning.field, read_value(*meaning.field, {std::string(value)}).text);
        default:
            return !set_text(scratch, *meaning.field, value);
    }
}

// Only characters of a layout, and a bar or a repetition of a stage in it.
bool is_layout(std::string_view line) {
    return line.size() > 2 && (line.front() == 'E' || line.front() == '(') &&
           line.find_first_not_of("EtmLdD|*(),0123456789 \\'\"") == std::string_view::npos &&
           line.find_first_of("|*(") != std::string_view::npos;
}

// Bullets, list numbers and marks of Markdown at a line's front; quotes anywhere go.
std::string without_marks(std::string_view line) {
    while (!line.empty() && (line.front() == '*' || line.front() == '>' || line.starts_with("- ")))
        line = trim(line.substr(1));
    const bool row = line.starts_with('|');
    std::string plain;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const std::string_view rest = line.substr(i);
        // Full-width punctuation, as Chinese texts have it, and the multiplication sign.
        struct Mark {
            std::string_view from;
            char to;
        };
        constexpr std::array kMarks = {Mark{"\xEF\xBC\x9A", ':'}, Mark{"\xEF\xBC\x8C", ';'},
                                       Mark{"\xE3\x80\x81", ';'}, Mark{"\xEF\xBC\x9B", ';'},
                                       Mark{"\xC3\x97", 'x'},     Mark{"\xC2\xA0", ' '},
                                       Mark{"\xE2\x80\xA2", ' '}};
        const auto mark = std::find_if(kMarks.begin(), kMarks.end(),
                                       [&](const Mark& m) { return rest.starts_with(m.from); });
        if (mark != kMarks.end()) {
            plain += mark->to;
            i += mark->from.size() - 1;
        } else if (line[i] == '`' || line[i] == '"' || line[i] == '\'' || (line[i] == '|' && row) ||
                   rest.starts_with("**") || (i > 0 && line[i] == '*' && line[i - 1] == '*')) {
            plain += ' ';
        } else {
            plain += line[i];
        }
    }
    return plain;
}

// At ';' and ',' but not within "5,120" or brackets.
std::vector<std::string_view> pieces_of(std::string_view line) {
    std::vector<std::string_view> pieces;
    int depth = 0;
    std::size_t begin = 0;
    const auto is_group = [&](std::size_t comma) {
        const auto digit = [&](std::size_t at) { return at < line.size() && is_digit(line[at]); };
        return comma > 0 && is_digit(line[comma - 1]) && digit(comma + 1) && digit(comma + 2) &&
               digit(comma + 3) && !digit(comma + 4);
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '[') ++depth;
        if (c == ']' && depth > 0) --depth;
        if (c == ';' || (c == ',' && depth == 0 && !is_group(i))) {
            pieces.push_back(line.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    pieces.push_back(line.substr(begin));
    return pieces;
}

// "tp8", "TP8xPP4", "tp2_pp4-ep32": names and numbers glued together, of the sizes only that are written so.
bool split_glued(std::string_view word, std::vector<Word>& out) {
    std::vector<Word> parts;
    for (std::size_t i = 0; i < word.size();) {
        const std::size_t letters = i;
        while (i < word.size() && is_letter(word[i]))
            ++i;
        const std::string name = plain_word(word.substr(letters, i - letters));
        const ShortName* known = find_short_name(name);
        const std::size_t digits = i;
        while (i < word.size() && is_digit(word[i]))
            ++i;
        const bool size =
            known != nullptr && !known->everyday && known->word.size() <= 3 && !known->key.empty();
        if (!size || i == digits) return false;
        parts.push_back({name});
        parts.push_back({std::string(word.substr(digits, i - digits)), true});
        if (i == word.size()) break;
        if (word[i] == 'x' || word[i] == '/' || word[i] == '_' || word[i] == '-' || word[i] == '+') ++i;
    }
    std::move(parts.begin(), parts.end(), std::back_inserter(out));
    return !parts.empty();
}

std::vector<Word> words_of(std::string_view piece) {
    std::vector<Word> words;
    bool assigned = false;
    for (std::size_t i = 0; i < piece.size();) {
        const char c = piece[i];
        if (c == ' ' || c == '\t' || c == '=' || c == ':') {
            assigned = assigned || c == '=' || c == ':';
            ++i;
            continue;
        }
        int depth = 0;
        const std::size_t begin = i;
        for (; i < piece.size(); ++i) {
            if (piece[i] == '[') ++depth;
            if (piece[i] == ']' && depth > 0) --depth;
            if (depth == 0 && std::string_view(" \t=:").find(piece[i]) != std::string_view::npos) break;
        }
        std::string_view word = piece.substr(begin, i - begin);
        const bool opens = word.find('(') != std::string_view::npos;
        while (word.size() > 1 && (word.ends_with('.') || (word.ends_with(')') && !opens)))
            word.remove_suffix(1);
        if (word.size() > 1 && word.starts_with('(') && word.find(')') == std::string_view::npos &&
            !is_layout(word))
            word.remove_prefix(1);
        if (assigned || !split_glued(word, words)) words.push_back({std::string(word), assigned});
        assigned = false;
    }
    return words;
}

class NotesReader {
  public:
    Import read(std::string_view text) {
        const std::string_view whole = trim(text);
        if (whole.find('\n') == std::string_view::npos && is_layout(whole)) return read_layout(whole);
        text = text.substr(0, kMostBytes);
        for (line_ = 1; !text.empty(); ++line_) {
            const std::size_t end = text.find('\n');
            read_line(trim(text.substr(0, end)));
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
        // A program or a configuration of something else has a pair by chance.
        if (others_ > kMostOthers + 2 * pairs_) return {};
        if (arguments_.empty() && direct_.empty()) return {};
        return finish();
    }

  private:
    static Import read_layout(std::string_view text) {
        const Field& field = *find_field("pipeline_model_parallel_layout");
        Import import;
        import.format = Format::notes;
        import.recognised = "a pipeline layout";
        Scenario scratch;
        const std::string value = read_value(field, {std::string(text)}).text;
        if (auto problem = set_text(scratch, field, value)) {
            problem->severity = Severity::error;
            import.problems.push_back(std::move(*problem));
        } else if (const LayoutText layout = parse_layout(value); layout.error) {
            import.problems.push_back({Severity::error, layout.error->code, std::string(field.key),
                                       fmt::format("{}: {}", field.key, layout.error->message)});
        } else {
            import.taken.push_back({field.key, get_text(scratch, field), shown_source(std::string(text)), 1});
        }
        return import;
    }

    void read_line(std::string_view line) {
        if (line.empty() || line.front() == '#' || line.starts_with("//")) return;
        if (line.size() > kLongestLine) {
            unknown(line, "the line is too long for a note");
            return;
        }
        const std::string plain = without_marks(line);
        for (const std::string_view piece : pieces_of(plain))
            read_piece(trim(piece));
    }

    void read_piece(std::string_view piece) {
        if (piece.empty()) return;
        const std::vector<Word> words = words_of(piece);
        std::vector<Pair> pairs;
        std::string others;
        for (std::size_t i = 0; i < words.size();) {
            if (const std::size_t used = read_pair(words, i, pairs); used > 0) {
                i += used;
                continue;
            }
            if (!is_filler(words[i].text)) {
                if (!others.empty()) others += ' ';
                others += words[i].text;
            }
            ++i;
        }
        for (const Pair& pair : pairs) {
            if (pair.meaning.key.empty()) {
                unknown(pair.source, pair.meaning.note);
            } else if (others.empty() || pair.clear) {
                take(pair);
            } else {
                unknown(pair.source, "it stands among other words: a line of its own makes it count");
            }
        }
        if (!others.empty()) {
            unknown(others, {});
            ++others_;
        }
    }

    // How many words from `at` on make a pair; 0: none.
    std::size_t read_pair(const std::vector<Word>& words, std::size_t at, std::vector<Pair>& pairs) {
        if (const std::size_t used = read_reversed(words, at, pairs); used > 0) return used;
        for (std::size_t length = std::min(kMostWordsOfName, words.size() - at); length > 0; --length) {
            const auto name = name_at(words, at, length);
            if (!name) continue;
            std::size_t value = at + length;
            const bool assigned = value < words.size() && words[value].assigned;
            const auto meaning = meaning_of(plain_word(*name), name->starts_with("--"), assigned);
            if (!meaning) continue;
            while (value < words.size() && (words[value].text == "is" || words[value].text == "of"))
                ++value;
            if (value < words.size() && fits(*meaning, words[value].text)) {
                pairs.push_back({*meaning, words[value].text, source_of(*name, words[value]),
                                 !meaning->everyday || assigned || name->starts_with("--")});
                return value - at + 1;
            }
            // A name that was meant to have a value: it is told by read_arguments().
            if (assigned && meaning->field != nullptr && !meaning->everyday && value < words.size()) {
                pairs.push_back({*meaning, words[value].text, source_of(*name, words[value]), true});
                return value - at + 1;
            }
        }
        return read_switch(words[at], pairs);
    }

    // "64 layers", "8 GPUs per node".
    static std::size_t read_reversed(const std::vector<Word>& words, std::size_t at,
                                     std::vector<Pair>& pairs) {
        if (!is_count(words[at].text) || words[at].assigned) return 0;
        for (std::size_t length = std::min(kMostWordsOfName, words.size() - at - 1); length > 0; --length) {
            const auto name = name_at(words, at + 1, length);
            if (!name || words[at + 1].assigned || name->starts_with("--")) continue;
            const auto meaning = meaning_of(plain_word(*name), false, false);
            if (!meaning || (meaning->field != nullptr && meaning->field->type != FieldType::integer))
                continue;
            // "4 layers 32" can't be told apart; "2 nodes of 8 GPUs" can.
            const std::size_t next = at + 1 + length;
            if (next < words.size() && (words[next].assigned || is_numeric(words[next].text))) {
                const bool another = next + 1 < words.size() && name_at(words, next + 1, 1) &&
                                     meaning_of(plain_word(words[next + 1].text), false, false);
                if (words[next].assigned || !another) continue;
            }
            pairs.push_back({*meaning, words[at].text, fmt::format("{} {}", words[at].text, *name), false});
            // "2 nodes of 8 GPUs"
            if (pairs.size() > 1 && pairs[pairs.size() - 2].meaning.key == "nodes" &&
                meaning->key == "world_size")
                pairs.back().meaning = {find_field("gpus_per_node"), "gpus_per_node", {}, true};
            return length + 1;
        }
        return 0;
    }

    static std::size_t read_switch(const Word& word, std::vector<Pair>& pairs) {
        if (word.assigned) return 0;
        const std::string plain = plain_word(word.text);
        const auto found = std::find_if(kSwitches.begin(), kSwitches.end(),
                                        [&](const Switch& s) { return s.word == plain; });
        if (found == kSwitches.end()) return 0;
        pairs.push_back(
            {{find_field(found->key), found->key, {}}, std::string(found->value), word.text, true});
        return 1;
    }

    // Several words without '=' between them, joined.
    static std::optional<std::string> name_at(const std::vector<Word>& words, std::size_t at,
                                              std::size_t length) {
        std::string name = words[at].text;
        if (name.empty() || !(is_letter(name.front()) || name.starts_with("--"))) return std::nullopt;
        for (std::size_t i = 1; i < length; ++i) {
            if (words[at + i].assigned || !is_letter(words[at + i].text.front())) return std::nullopt;
            name += ' ';
            name += words[at + i].text;
        }
        return name;
    }

    static std::string source_of(std::string_view name, const Word& value) {
        return shown_source(fmt::format("{}{}{}", name, value.assigned ? "=" : " ", value.text));
    }

    void take(const Pair& pair) {
        const Meaning& meaning = pair.meaning;
        ++pairs_;
        Argument argument{std::string(meaning.key), {pair.value}, line_, pair.source};
        if (meaning.key == "data_parallel_size") {
            data_ = std::move(argument);
        } else if (meaning.key == "gpu") {
            take_gpu(pair);
        } else if (meaning.key == "precision" && (pair.value == "bf16" || pair.value == "fp16")) {
            arguments_.push_back({"--" + pair.value, {}, line_, pair.source});
        } else if (meaning.field == nullptr ||
                   find_argument_field(canonical_flag(meaning.key)).field != nullptr) {
            arguments_.push_back(std::move(argument));
        } else {
            direct_.push_back({meaning.field->key, pair.value, pair.source, line_});
        }
    }

    void take_gpu(const Pair& pair) {
        const auto like = is_numeric(pair.value) ? std::vector<std::string_view>() : gpus_like(pair.value);
        if (like.size() == 1) {
            direct_.push_back({"gpu", std::string(like[0]), pair.source, line_});
        } else {
            questions_.push_back({"gpu", pair.source, line_,
                                  like.empty() ? std::string("which GPU has that much memory?")
                                               : fmt::format("is it {}?", fmt::join(like, " or "))});
        }
    }

    void unknown(std::string_view source, std::string_view note) {
        if (unknown_.size() < kMostMentions)
            unknown_.push_back({shown_source(std::string(source)), line_, std::string(note)});
    }

    Import finish() {
        Import import = read_arguments(arguments_, Format::notes, Dialect::bridge);
        import.recognised = "notes";
        import.defaults.clear();  // what they don't say, they don't say
        add_direct(import);
        add_data(import);
        std::move(unknown_.begin(), unknown_.end(), std::back_inserter(import.unknown));
        std::move(questions_.begin(), questions_.end(), std::back_inserter(import.questions));
        return import;
    }

    // Fields that have no flag.
    void add_direct(Import& import) {
        Scenario scratch;
        for (Taken& taken : direct_) {
            const Field& field = *find_field(taken.key);
            if (auto problem = set_text(scratch, field, read_value(field, {taken.value}).text)) {
                problem->severity = Severity::warning;
                problem->message =
                    fmt::format("{} (line {}): {}", taken.source, taken.line, problem->message);
                import.problems.push_back(std::move(*problem));
                continue;
            }
            taken.value = get_text(scratch, field);
            std::erase_if(import.taken, [&](const Taken& other) { return other.key == taken.key; });
            import.taken.push_back(std::move(taken));
        }
    }

    // The data-parallel size isn't set but follows from the number of GPUs.
    void add_data(Import& import) {
        if (data_.flag.empty()) return;
        const auto number = [&](std::string_view key) -> std::int64_t {
            for (const Taken& taken : import.taken) {
                if (taken.key == key) return parse_unsigned(taken.value).value_or(0);
            }
            return 0;
        };
        const auto data = parse_unsigned(data_.values.front());
        const std::int64_t model = std::max<std::int64_t>(1, number("tensor_model_parallel_size")) *
                                   std::max<std::int64_t>(1, number("pipeline_model_parallel_size")) *
                                   std::max<std::int64_t>(1, number("context_parallel_size"));
        if (!data || *data < 1 || *data > 1'000'000) {
            import.problems.push_back(
                {Severity::warning, "bad_data_parallel_size", "nodes",
                 fmt::format("{} (line {}): no data-parallel size", data_.source, data_.line)});
            return;
        }
        const std::int64_t wanted = *data * model;
        const std::int64_t gpus = number("nodes") * std::max<std::int64_t>(1, number("gpus_per_node"));
        if (gpus == 0 || number("gpus_per_node") == 0) {
            import.questions.push_back(
                {"nodes", data_.source, data_.line,
                 fmt::format(
                     "the data-parallel size follows from the number of GPUs: {} with what stands here",
                     wanted)});
        } else if (gpus == wanted) {
            import.neutral.push_back({data_.source, data_.line, "follows from the number of GPUs"});
        } else {
            import.problems.push_back(
                {Severity::warning, "data_parallel_size", "nodes",
                 fmt::format(
                     "{} (line {}) needs {} GPUs with what stands here, and the text has {}: they count",
                     data_.source, data_.line, wanted, gpus)});
        }
    }

    std::size_t line_ = 0;
    std::size_t pairs_ = 0;   // that count
    std::size_t others_ = 0;  // pieces with something else in them
    std::vector<Argument> arguments_;
    std::vector<Taken> direct_;
    std::vector<Mention> unknown_;
    std::vector<Question> questions_;
    Argument data_;
};

}  // namespace

Import import_notes(std::string_view text) {
    return NotesReader().read(text);
}

}  // namespace megamem
