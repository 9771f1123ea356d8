#include "link/escape.h"

namespace megamem {

namespace {

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::string percent_encode(std::string_view text) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        if (is_plain(c)) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += kHex[byte >> 4];
        out += kHex[byte & 15];
    }
    return out;
}

std::string percent_decode(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low < 0) {
            out += text[i];
            continue;
        }
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

std::optional<std::string> shorten_layout(std::string_view layout) {
    std::string out;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        switch (layout[i]) {
            case '|':
                out += '.';
                break;
            case '(':
                out += '_';
                break;
            case '*':
                out += 'x';
                break;
            case ',':
                out += 'c';
                break;
            case ')':
                if (i + 1 >= layout.size() || layout[i + 1] != '*') return std::nullopt;
                out += '-';
                ++i;
                break;
            case 'E':
            case 't':
            case 'm':
            case 'L':
                out += layout[i];
                break;
            default:
                if (layout[i] < '0' || layout[i] > '9') return std::nullopt;
                out += layout[i];
        }
    }
    return out;
}

std::string expand_layout(std::string_view shortened) {
    std::string out;
    for (const char c : shortened) {
        switch (c) {
            case '.':
                out += '|';
                break;
            case '_':
                out += '(';
                break;
            case 'x':
                out += '*';
                break;
            case 'c':
                out += ',';
                break;
            case '-':
                out += ")*";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string shorten_pattern(std::string_view pattern) {
    std::string out;
    for (const char c : pattern) {
        switch (c) {
            case '*':
                out += 'x';
                break;
            case '+':
                out += '.';
                break;
            case '(':
            case ')':
            case '[':
            case ']':
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string expand_pattern(std::string_view shortened) {
    if (shortened.find('x') == std::string_view::npos || shortened.find('[') != std::string_view::npos) {
        return std::string(shortened);
    }
    std::string out = "(";
    bool at_value = true;
    for (const char c : shortened) {
        if (c == '.') {
            out += '+';
            at_value = true;
        } else if (c == 'x') {
            out += '*';
        } else if (at_value) {
            out += '[';
            out += c;
            out += ']';
            at_value = false;
        } else {
            out += c;
        }
    }
    return out + ")";
}

}  // namespace megamem
