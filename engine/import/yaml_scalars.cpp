#include "import/yaml_scalars.h"

#include <cstdint>

namespace megamem {

namespace {

void append_utf8(std::string& out, std::uint32_t code) {
    if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
    if (code > 0x10FFFF) code = 0xFFFD;
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | (code >> 6));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | (code >> 12));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (code >> 18));
        out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::string unquote_single(std::string_view raw) {
    std::string out;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        out += raw[i];
        if (raw[i] == '\'' && i + 1 < raw.size() && raw[i + 1] == '\'') ++i;
    }
    return out;
}

std::string unescape_double(std::string_view raw, std::vector<std::string_view>& unknown) {
    static constexpr std::string_view kMarks = "0abtnvfre \"/\\N_LP";
    static constexpr std::uint32_t kCodes[] = {0,   7,   8,   9,    10,   11,   12,     13,    27,
                                               ' ', '"', '/', '\\', 0x85, 0xA0, 0x2028, 0x2029};
    std::string out;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] != '\\' || i + 1 >= raw.size()) {
            out += raw[i];
            continue;
        }
        const char mark = raw[++i];
        const std::size_t known = kMarks.find(mark);
        const std::size_t digits = mark == 'x' ? 2 : mark == 'u' ? 4 : mark == 'U' ? 8 : 0;
        if (known != std::string_view::npos) {
            append_utf8(out, kCodes[known]);
        } else if (digits > 0) {
            std::uint32_t code = 0;
            std::size_t count = 0;
            while (count < digits && i + 1 < raw.size() && hex_digit(raw[i + 1]) >= 0) {
                code = code * 16 + static_cast<std::uint32_t>(hex_digit(raw[++i]));
                ++count;
            }
            append_utf8(out, count == digits ? code : 0xFFFD);
        } else {
            unknown.push_back(raw.substr(i - 1, 2));
            out += '\\';
            out += mark;
        }
    }
    return out;
}

}  // namespace megamem
