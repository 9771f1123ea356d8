// Megatron's string spelling. Megatron expands it with two regular expressions, one pass each, and so do we:
//   \(([^)]+)\)\*(\d+)   a group, repeated: no nesting, the group may hold '|' and x*n
//   (.)\*(\d+)           any one character, repeated, '|' too
// (pipeline_parallel_layer_layout.py:283-321@d98e8a64). Each character keeps its place in the user's text.
#include <algorithm>

#include "pipeline/layout.h"

namespace megamem::detail {

namespace {

struct Item {
    char character;
    std::size_t position;
};

using Items = std::vector<Item>;

bool is_digit(const Items& items, std::size_t i) {
    return i < items.size() && items[i].character >= '0' && items[i].character <= '9';
}

bool is(const Items& items, std::size_t i, char c) {
    return i < items.size() && items[i].character == c;
}

struct Count {
    std::size_t value;
    std::size_t end;  // the item after the digits
};

// Digits from `i` on; anything beyond the limit counts as just beyond it.
Count read_count(const Items& items, std::size_t i) {
    std::size_t value = 0;
    for (; is_digit(items, i); ++i) {
        value =
            std::min(value * 10 + static_cast<std::size_t>(items[i].character - '0'), kMostLayoutItems + 1);
    }
    return {value, i};
}

class Expansion {
  public:
    // Room for a text that repeats little.
    explicit Expansion(std::string_view text) : text_(text) { out.reserve(2 * text.size()); }

    void append(const Items& items, std::size_t first, std::size_t last, std::size_t times = 1) {
        if (error) return;
        // Both factors are at most about 2^18, so the product can't wrap.
        if (out.size() + (last - first) * times > kMostLayoutItems) {
            error = layout_too_large(text_, items[first].position);
            return;
        }
        if (last - first == 1) {
            out.insert(out.end(), times, items[first]);
            return;
        }
        for (std::size_t n = 0; n < times; ++n) {
            out.insert(out.end(), items.begin() + static_cast<std::ptrdiff_t>(first),
                       items.begin() + static_cast<std::ptrdiff_t>(last));
        }
    }

    Items out;
    std::optional<LayoutError> error;

  private:
    std::string_view text_;
};

Expansion expand_groups(std::string_view text, const Items& items) {
    // For each place the next ')' from there on, so that a row of '(' costs no square of time.
    std::vector<std::size_t> close(items.size() + 1, items.size());
    for (std::size_t i = items.size(); i-- > 0;)
        close[i] = is(items, i, ')') ? i : close[i + 1];

    Expansion result(text);
    for (std::size_t i = 0; i < items.size() && !result.error;) {
        const std::size_t end = close[i];
        const bool group =
            is(items, i, '(') && end > i + 1 && is(items, end + 1, '*') && is_digit(items, end + 2);
        if (!group) {
            result.append(items, i, i + 1);
            ++i;
            continue;
        }
        const Count count = read_count(items, end + 2);
        result.append(items, i + 1, end, count.value);
        i = count.end;
    }
    return result;
}

Expansion expand_characters(std::string_view text, const Items& items) {
    Expansion result(text);
    for (std::size_t i = 0; i < items.size() && !result.error;) {
        if (!is(items, i + 1, '*') || !is_digit(items, i + 2)) {
            result.append(items, i, i + 1);
            ++i;
            continue;
        }
        const Count count = read_count(items, i + 2);
        result.append(items, i, i + 1, count.value);
        i = count.end;
    }
    return result;
}

std::string_view complaint(char c) {
    switch (c) {
        case '(':
        case ')':
            return "parentheses stand for (...)*N only, without nesting";
        case '*':
            return "'*' needs a count after it";
        case 'e':
            return "layers are E, t, m and L (E is a capital)";
        case 'l':
            return "layers are E, t, m and L (L is a capital)";
        case '\'':
        case '"':
            return "quotes are no part of the layout";
        case ' ':
            return "spaces are no part of the layout";
        default:
            return "layers are E, t, m and L";
    }
}

}  // namespace

LayoutText parse_megatron_layout(std::string_view text) {
    Items items;
    items.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != ',') items.push_back({text[i], i});  // commas are cosmetic
    }
    if (items.empty()) return {{}, layout_error_at(text, 0, "layout_empty", "the layout is empty")};

    const Expansion groups = expand_groups(text, items);
    if (groups.error) return {{}, groups.error};
    const Expansion all = expand_characters(text, groups.out);
    if (all.error) return {{}, all.error};

    LayoutText result;
    const auto begin_stage = [&](std::size_t place) {
        result.stages.emplace_back();
        result.places.push_back(place);
    };
    begin_stage(0);
    for (const Item& item : all.out) {
        switch (item.character) {
            case '|':
                begin_stage(item.position + 1);
                break;
            case 'E':
            case 't':
            case 'm':
            case 'L':
                if (result.stages.back().empty()) result.places.back() = item.position;
                result.stages.back() += item.character;
                break;
            default:
                result.error =
                    layout_error_at(text, item.position, "layout_character", complaint(item.character));
                return result;
        }
    }
    return result;
}

}  // namespace megamem::detail
