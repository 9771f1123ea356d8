#include "scenario/layer_pattern.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace megamem {

namespace {

constexpr std::int64_t kMostLayers = 1'000'000;

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    LayerPattern read() {
        skip_space();
        if (at_digit()) {
            result_.every = number();
            if (result_.every < 1) fail("the number must be at least 1");
        } else {
            sum();
        }
        skip_space();
        if (result_.error.empty() && position_ < text_.size()) fail("unexpected character");
        return result_.error.empty() ? result_ : LayerPattern{0, {}, result_.error};
    }

  private:
    // sum := product ('+' product)*
    void sum() {
        do {
            product();
        } while (result_.error.empty() && accept('+'));
    }

    // product := (list | '(' sum ')') ('*' number)?
    void product() {
        const std::size_t first = result_.runs.size();
        if (accept('(')) {
            if (++depth_ > kDeepest) return fail("too deeply nested");
            sum();
            --depth_;
            if (result_.error.empty() && !accept(')')) return fail("expected ')'");
        } else if (accept('[')) {
            list();
        } else {
            return fail("expected '[' or a number");
        }
        if (result_.error.empty() && accept('*')) repeat(first);
        check_length();
    }

    void list() {
        while (result_.error.empty() && !accept(']')) {
            skip_space();
            if (!at_digit()) return fail("expected 0 or 1");
            const std::int64_t value = number();
            if (value > 1) return fail("expected 0 or 1");
            result_.runs.push_back({value == 1, 1});
            if (!accept(',') && !peek(']')) return fail("expected ',' or ']'");
        }
    }

    void repeat(std::size_t first) {
        skip_space();
        if (!at_digit()) return fail("expected a count");
        const std::int64_t count = number();
        const std::size_t size = result_.runs.size() - first;
        if (count > kMostLayers) return fail("the count is too large");
        if (size == 1) {  // the usual [1]*58: a longer run
            if (result_.runs[first].count > kMostLayers / std::max<std::int64_t>(count, 1)) {
                return fail("the count is too large");
            }
            result_.runs[first].count *= count;
            return;
        }
        if (size * static_cast<std::size_t>(count) > kMostRuns) return fail("the count is too large");
        const std::vector<LayerRun> piece(result_.runs.begin() + static_cast<std::ptrdiff_t>(first),
                                          result_.runs.end());
        result_.runs.resize(first);
        for (std::int64_t i = 0; i < count; ++i) {
            result_.runs.insert(result_.runs.end(), piece.begin(), piece.end());
        }
    }

    void check_length() {
        if (result_.error.empty() && (result_.runs.size() > kMostRuns || result_.length() > kMostLayers)) {
            fail("the list is too long");
        }
    }

    void skip_space() {
        while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t'))
            ++position_;
    }
    bool at_digit() const {
        return position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9';
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
    std::int64_t number() {
        const std::size_t first = position_;
        while (at_digit())
            ++position_;
        return parse_unsigned(text_.substr(first, position_ - first)).value_or(INT64_MAX);
    }
    void fail(std::string_view what) {
        if (!result_.error.empty()) return;
        const std::string_view found = text_.substr(std::min(position_, text_.size()), 1);
        result_.error = found.empty() ? fmt::format("{} at the end of {}", what, quote(text_))
                                      : fmt::format("{} at position {} ({}) of {}", what, position_ + 1,
                                                    quote(found), quote(text_));
    }

    static constexpr int kDeepest = 16;
    static constexpr std::size_t kMostRuns = 20'000;

    std::string_view text_;
    std::size_t position_ = 0;
    int depth_ = 0;
    LayerPattern result_;
};

void join_neighbours(std::vector<LayerRun>& runs) {
    std::vector<LayerRun> joined;
    for (const LayerRun& run : runs) {
        if (run.count == 0) continue;
        if (!joined.empty() && joined.back().moe == run.moe) {
            joined.back().count += run.count;
        } else {
            joined.push_back(run);
        }
    }
    runs = std::move(joined);
}

}  // namespace

std::int64_t LayerPattern::length() const {
    std::int64_t sum = 0;
    for (const LayerRun& run : runs)
        sum += run.count;
    return sum;
}

LayerPattern parse_layer_pattern(std::string_view text) {
    LayerPattern pattern = Reader(trim(text)).read();
    join_neighbours(pattern.runs);
    if (pattern.error.empty() && pattern.every == 0 && pattern.runs.empty())
        pattern.error = fmt::format("the list {} is empty", quote(text));
    return pattern;
}

std::string to_text(const LayerPattern& pattern) {
    if (pattern.every > 0) return fmt::format("{}", pattern.every);
    std::string text = "(";
    for (const LayerRun& run : pattern.runs) {
        if (text.size() > 1) text += '+';
        text += fmt::format("[{}]*{}", run.moe ? 1 : 0, run.count);
    }
    return text + ")";
}

std::vector<bool> expand(const LayerPattern& pattern, std::int64_t num_layers) {
    std::vector<bool> moe;
    moe.reserve(static_cast<std::size_t>(num_layers));
    if (pattern.every > 0) {
        for (std::int64_t i = 0; i < num_layers; ++i)
            moe.push_back(i % pattern.every == 0);
        return moe;
    }
    for (const LayerRun& run : pattern.runs)
        moe.resize(moe.size() + static_cast<std::size_t>(run.count), run.moe);
    return moe;
}

}  // namespace megamem
