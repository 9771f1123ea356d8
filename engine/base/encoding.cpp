#include "base/encoding.h"

#include <cstdint>

namespace megamem {

namespace {

void append(std::string& out, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

}  // namespace

std::optional<std::string> utf16_to_utf8(std::string_view bytes) {
    if (bytes.size() < 2) return std::nullopt;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const bool marked_little = byte(0) == 0xFF && byte(1) == 0xFE;
    const bool marked_big = byte(0) == 0xFE && byte(1) == 0xFF;
    const bool little = marked_little || (byte(0) != 0 && byte(0) < 0x80 && byte(1) == 0);
    const bool big = marked_big || (byte(0) == 0 && byte(1) != 0 && byte(1) < 0x80);
    if (!little && !big) return std::nullopt;

    std::string out;
    out.reserve(bytes.size() / 2);
    const auto unit = [&](std::size_t i) -> std::uint32_t {
        return little ? byte(i) | std::uint32_t{byte(i + 1)} << 8 : byte(i + 1) | std::uint32_t{byte(i)} << 8;
    };
    constexpr std::uint32_t kReplacement = 0xFFFD;
    for (std::size_t i = marked_little || marked_big ? 2 : 0; i + 1 < bytes.size(); i += 2) {
        std::uint32_t code = unit(i);
        const bool high = code >= 0xD800 && code < 0xDC00;
        const std::uint32_t next = high && i + 3 < bytes.size() ? unit(i + 2) : 0;
        if (next >= 0xDC00 && next < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (next - 0xDC00);
            i += 2;
        } else if (code >= 0xD800 && code < 0xE000) {
            code = kReplacement;  // half of a pair
        }
        append(out, code);
    }
    return out;
}

}  // namespace megamem
