#include "pipeline/layout.h"

#include <fmt/format.h>

#include "base/text.h"

namespace megamem {

namespace detail {

LayoutError layout_error_at(std::string_view text, std::size_t position, std::string_view code,
                            std::string_view message) {
    if (position >= text.size())
        return {code, text.size(), fmt::format("{} at the end of the layout", message)};
    // A whole UTF-8 character, so that the message stays readable.
    std::size_t length = 1;
    while (position + length < text.size() &&
           (static_cast<unsigned char>(text[position + length]) & 0xC0) == 0x80) {
        ++length;
    }
    return {
        code, position,
        fmt::format("{}: {} at position {}", message, quote(text.substr(position, length)), position + 1)};
}

LayoutError layout_too_large(std::string_view text, std::size_t position) {
    return layout_error_at(
        text, position, "layout_too_large",
        fmt::format("the layout expands to more than {} layers and stages", kMostLayoutItems));
}

}  // namespace detail

LayoutText parse_layout(std::string_view text) {
    // Both list spellings have a bracket, which is no layer character, and open with it, with a parenthesis
    // or with a count.
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool list = first != std::string_view::npos &&
                      std::string_view("[(0123456789").find(text[first]) != std::string_view::npos &&
                      text.find('[') != std::string_view::npos;
    return list ? detail::parse_list_layout(text) : detail::parse_megatron_layout(text);
}

}  // namespace megamem
