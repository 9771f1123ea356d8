#include "link/cut.h"

#include <algorithm>

#include "link/clean.h"
#include "link/link.h"
#include "scenario/field.h"

namespace megamem {

namespace {

bool begins_a_key(std::string_view text) {
    const auto begins = [&](std::string_view key) { return key.starts_with(text); };
    const auto fields = field_table();
    return std::any_of(kFrameKeys.begin(), kFrameKeys.end(), begins) ||
           std::any_of(fields.begin(), fields.end(),
                       [&](const Field& field) { return begins(field.link_key) || begins(field.key); });
}

bool ends_in_half_an_escape(std::string_view value) {
    const std::size_t percent = value.rfind('%');
    return percent != std::string_view::npos && percent + 2 >= value.size();
}

// In the link's spelling or its own.
bool is_open_layout(std::string_view layout) {
    if (layout.empty() || layout == kUnset) return false;
    if (std::string_view("x-c_*(,[+").find(layout.back()) != std::string_view::npos) return true;
    const auto count = [&](char c) { return std::count(layout.begin(), layout.end(), c); };
    return count('(') != count(')') || count('[') != count(']') || count('_') != count('-');
}

}  // namespace

bool looks_cut(std::string_view pair) {
    const std::string key = small_letters(key_of(pair));
    if (key == "z") return false;
    if (pair.find('=') == std::string_view::npos) return begins_a_key(key);
    const std::string_view value = value_of(pair);
    if (value.empty() || ends_in_half_an_escape(value)) return true;
    const Field* field = find_field_by_link_key(key);
    if (field == nullptr) field = find_field(key);
    return field != nullptr && field->type == FieldType::layout && is_open_layout(value);
}

}  // namespace megamem
