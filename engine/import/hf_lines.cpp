#include "import/hf_lines.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace megamem::hf {

namespace {

// Keys that config.json has and Megatron-LM's argument maps don't.
constexpr std::array<std::string_view, 2> kOwnKeys = {"num_hidden_layers", "num_key_value_heads"};
constexpr std::size_t kBeginning = 100'000;

struct Line {
    std::string_view key;
    std::string_view value;
};

Line split_line(std::string_view line) {
    const std::size_t at = line.find_first_of(":=");
    if (at == std::string_view::npos) return {};
    const std::string_view key = trim(line.substr(0, at));
    const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-';
    });
    return plain ? Line{key, trim(line.substr(at + 1))} : Line{};
}

void append_string(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
    out += '"';
}

void append_value(std::string& out, std::string_view text) {
    if (text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
        return append_string(out, text.substr(1, text.size() - 2));
    if (text == "~" || text == "null" || text == "None")
        out += "null";
    else if (text == "true" || text == "True" || text == "yes")
        out += "true";
    else if (text == "false" || text == "False" || text == "no")
        out += "false";
    else if (text.starts_with('[') || text.starts_with('{') || parse_integer(text))
        out += text;
    else
        append_string(out, text);
}

std::string_view without_comment(std::string_view line) {
    const std::size_t hash = line.find(" #");
    if (trim(line).starts_with('#')) return {};
    return line.substr(0, hash);
}

}  // namespace

bool looks_like_lines(std::string_view text) {
    for (const std::string_view line : split(text.substr(0, kBeginning), '\n')) {
        const std::string_view key = split_line(line).key;
        if (std::find(kOwnKeys.begin(), kOwnKeys.end(), key) != kOwnKeys.end() && line.front() == key.front())
            return true;
    }
    return false;
}

std::string lines_to_json(std::string_view text) {
    std::string out = "{";
    bool first = true;
    bool in_list = false;
    bool first_item = true;
    for (std::string_view line : split(text, '\n')) {
        line = without_comment(line);
        const std::string_view bare = trim(line);
        const bool item = bare.starts_with("- ") || bare == "-";
        if (in_list && !bare.empty() && !item) {
            out += ']';
            in_list = false;
        }
        if (in_list && item) {
            if (!first_item) out += ',';
            first_item = false;
            append_value(out, trim(bare.substr(1)));
        } else if (!bare.empty() && bare != "---" && bare != "...") {
            const Line found = split_line(line);
            if (!first) out += ',';
            first = false;
            if (found.key.empty()) {
                out += bare;  // no such line: the JSON reader names it
            } else {
                append_string(out, found.key);
                out += ": ";
                if (found.value.empty()) {
                    in_list = first_item = true;
                    out += '[';
                } else {
                    append_value(out, found.value);
                }
            }
        }
        out += '\n';
    }
    if (in_list) out += ']';
    return out + "}";
}

}  // namespace megamem::hf
