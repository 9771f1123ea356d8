#include "import/yaml_json.h"

#include <fmt/format.h>

#include <string_view>

namespace megamem {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// As JSON writes numbers: YAML's further forms (+1, .5, 0x10, 1_000) stay text.
bool is_json_number(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    const auto take_digits = [&] {
        std::size_t count = 0;
        while (count < text.size() && is_digit(text[count]))
            ++count;
        text.remove_prefix(count);
        return count;
    };
    const bool zero = text.starts_with('0');
    const std::size_t whole = take_digits();
    if (whole == 0 || (zero && whole > 1)) return false;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        if (take_digits() == 0) return false;
    }
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
        if (take_digits() == 0) return false;
    }
    return text.empty();
}

void write_string(std::string_view text, std::string& out) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
            out += c;
        }
    }
    out += '"';
}

void write(const YamlNode& node, std::string& out) {
    if (is_null(node)) {
        out += "null";
        return;
    }
    if (node.kind == YamlNode::Kind::scalar) {
        const std::string& text = node.text;
        if (node.quoted) {
            write_string(text, out);
        } else if (text == "true" || text == "True" || text == "TRUE") {
            out += "true";
        } else if (text == "false" || text == "False" || text == "FALSE") {
            out += "false";
        } else if (is_json_number(text)) {
            out += text;
        } else {
            write_string(text, out);
        }
        return;
    }
    const bool map = node.kind == YamlNode::Kind::map;
    out += map ? '{' : '[';
    bool first = true;
    for (const YamlMember& member : node.members) {
        if (!first) out += ',';
        first = false;
        if (map) {
            write_string(member.key, out);
            out += ':';
        }
        write(member.value, out);
    }
    out += map ? '}' : ']';
}

}  // namespace

std::string json_text_of(const YamlNode& node) {
    std::string out;
    write(node, out);
    return out;
}

}  // namespace megamem
