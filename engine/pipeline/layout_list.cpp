// The two list spellings: lists joined with '+' and repeated with '*', whose items are strings of layer
// characters (the calculator's own spelling) or lists of words (what Megatron's TransformerConfig takes).
#include <algorithm>
#include <array>

#include "base/text.h"
#include "pipeline/layout.h"

namespace megamem::detail {

namespace {

struct Word {
    std::string_view word;
    char layer;
};

// LayerType, pipeline_parallel_layer_layout.py:55-75@d98e8a64: stripped and lower-cased.
constexpr std::array<Word, 4> kWords = {{{"embedding", 'E'}, {"decoder", 't'}, {"mtp", 'm'}, {"loss", 'L'}}};

class ListReader {
  public:
    explicit ListReader(std::string_view text) : text_(text) {}

    LayoutText read() {
        sum();
        skip_space();
        if (!result_.error && position_ < text_.size()) fail("unexpected character after the list");
        if (!result_.error && result_.stages.empty()) fail("the layout has no stages");
        return std::move(result_);
    }

  private:
    // sum := product ('+' product)*
    void sum() {
        do {
            product();
        } while (!result_.error && accept('+'));
    }

    // product := count '*' list | (list | '(' sum ')') ('*' count)*
    void product() {
        const std::size_t first = result_.stages.size();
        skip_space();
        const std::size_t start = position_;
        if (at_digit()) {
            const std::size_t times = count();
            if (!accept('*')) return fail("expected '*'");
            if (!accept('[')) return fail("expected '['");
            list();
            return repeat(first, times, start);
        }
        if (accept('(')) {
            if (++depth_ > kDeepest) return fail("parentheses are nested too deeply");
            sum();
            --depth_;
            if (!result_.error && !accept(')')) return fail("expected ')'");
        } else if (accept('[')) {
            list();
        } else {
            return fail("expected '['");
        }
        while (!result_.error && accept('*')) {
            skip_space();
            if (!at_digit()) return fail("expected a count after '*'");
            repeat(first, count(), start);
        }
    }

    // After '[': items up to ']'.
    void list() {
        while (!result_.error && !accept(']')) {
            skip_space();
            if (at_quote()) {
                characters();
            } else if (accept('[')) {
                words();
            } else {
                return fail(position_ < text_.size() ? "expected a quoted stage or a list of words"
                                                     : "expected ']'");
            }
            if (!result_.error && !accept(',') && !peek(']')) fail("expected ',' or ']'");
        }
    }

    // 'Ett'
    void characters() {
        const std::size_t first = position_ + 1;
        const std::string_view stage = quoted_text();
        if (result_.error) return;
        for (std::size_t i = 0; i < stage.size(); ++i) {
            if (std::string_view("EtmL").find(stage[i]) != std::string_view::npos) continue;
            const bool is_word =
                std::any_of(kWords.begin(), kWords.end(), [&](const Word& w) { return w.word == stage; });
            return fail_at(
                first + i, "layout_character",
                is_word
                    ? "a word must stand in a list of its own, [[\"embedding\"]]; layers are E, t, m and L"
                    : "layers are E, t, m and L");
        }
        add_stage(std::string(stage), first);
    }

    // After the inner '[': "embedding", "decoder", ...
    void words() {
        std::string stage;
        const std::size_t start = position_;
        while (!result_.error && !accept(']')) {
            skip_space();
            if (peek('['))
                return fail_at(position_, "layout_nested", "a stage is a list of words, not of lists");
            if (!at_quote()) return fail("expected a quoted word or ']'");
            const std::size_t first = position_ + 1;
            std::string word(trim(quoted_text()));
            if (result_.error) return;
            std::transform(word.begin(), word.end(), word.begin(), [](char c) {
                return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
            });
            const auto known =
                std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.word == word; });
            if (known == kWords.end()) {
                return fail_at(
                    first, "layout_word",
                    "layers are \"embedding\", \"decoder\", \"mtp\" and \"loss\", not " + quote(word));
            }
            stage += known->layer;
            if (!accept(',') && !peek(']')) return fail("expected ',' or ']'");
        }
        add_stage(std::move(stage), start);
    }

    void add_stage(std::string stage, std::size_t position) {
        if (result_.error) return;
        items_ += stage.size() + 1;
        if (items_ > kMostLayoutItems) {
            result_.error = layout_too_large(text_, std::min(position, text_.size() - 1));
            return;
        }
        result_.stages.push_back(std::move(stage));
        result_.places.push_back(position);
    }

    void repeat(std::size_t first, std::size_t times, std::size_t start) {
        if (result_.error) return;
        std::size_t size = 0;
        for (std::size_t i = first; i < result_.stages.size(); ++i)
            size += result_.stages[i].size() + 1;
        if (times > kMostLayoutItems || items_ - size + size * times > kMostLayoutItems) {
            result_.error = layout_too_large(text_, start);
            return;
        }
        items_ = items_ - size + size * times;
        const std::vector<std::string> piece(result_.stages.begin() + static_cast<std::ptrdiff_t>(first),
                                             result_.stages.end());
        const std::vector<std::size_t> places(result_.places.begin() + static_cast<std::ptrdiff_t>(first),
                                              result_.places.end());
        result_.stages.resize(first);
        result_.places.resize(first);
        if (piece.empty()) return;
        for (std::size_t i = 0; i < times; ++i) {
            result_.stages.insert(result_.stages.end(), piece.begin(), piece.end());
            result_.places.insert(result_.places.end(), places.begin(), places.end());
        }
    }

    void skip_space() { position_ = std::min(text_.find_first_not_of(" \t\r\n", position_), text_.size()); }
    bool at_digit() const {
        return position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9';
    }
    bool at_quote() const {
        return position_ < text_.size() && (text_[position_] == '\'' || text_[position_] == '"');
    }
    bool peek(char c) {
        skip_space();
        return position_ < text_.size() && text_[position_] == c;
    }
    bool accept(char c) {
        if (!peek(c)) return false;
        ++position_;
        return true;
    }
    std::size_t count() {
        std::size_t value = 0;
        for (; at_digit(); ++position_) {
            value =
                std::min(value * 10 + static_cast<std::size_t>(text_[position_] - '0'), kMostLayoutItems + 1);
        }
        return value;
    }
    std::string_view quoted_text() {
        const char quote = text_[position_];
        const std::size_t end = text_.find(quote, position_ + 1);
        if (end == std::string_view::npos) {
            fail("this quote is not closed");
            return {};
        }
        const std::string_view inside = text_.substr(position_ + 1, end - position_ - 1);
        position_ = end + 1;
        return inside;
    }
    void fail(std::string_view message) { fail_at(position_, "layout_syntax", message); }
    void fail_at(std::size_t position, std::string_view code, std::string_view message) {
        if (!result_.error) result_.error = layout_error_at(text_, position, code, message);
    }

    static constexpr int kDeepest = 16;

    std::string_view text_;
    std::size_t position_ = 0;
    std::size_t items_ = 0;
    int depth_ = 0;
    LayoutText result_;
};

}  // namespace

LayoutText parse_list_layout(std::string_view text) {
    return ListReader(text).read();
}

}  // namespace megamem::detail
