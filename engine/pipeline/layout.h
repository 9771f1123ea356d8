// The text of a pipeline layout, in any of its three spellings, read into stages in model order:
//   Megatron's string   Et*3|(tt|)*29,m|L      pipeline_parallel_layer_layout.py:283-321@d98e8a64
//   Python-like         ['Ett'] + ['ttt'] * 18 + ['mL']
//   list of lists       [["embedding","decoder"],["decoder","loss"]]      :55-75@d98e8a64
// Only the spelling is judged here; what a stage may hold is judged in layout_rules.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace megamem {

struct LayoutError {
    std::string_view code;
    std::size_t position = 0;  // byte in the text, from 0
    std::string message;       // says the position too, counted from 1
};

struct LayoutText {
    std::vector<std::string> stages;  // each a word of E, t, m, L; may be empty
    std::optional<LayoutError> error;
    std::vector<std::size_t> places{};  // of each stage: where in the text it begins
};

// The most layers and stages that a layout may expand to. Repeats beyond are refused before they are made.
inline constexpr std::size_t kMostLayoutItems = 100'000;

LayoutText parse_layout(std::string_view text);

namespace detail {

// The error for `message`, with the position and what is there appended to it.
LayoutError layout_error_at(std::string_view text, std::size_t position, std::string_view code,
                            std::string_view message);
LayoutError layout_too_large(std::string_view text, std::size_t position);

LayoutText parse_megatron_layout(std::string_view text);
LayoutText parse_list_layout(std::string_view text);

}  // namespace detail

}  // namespace megamem
