// Records of texts and whole numbers, as one text: between a page and a program beside it, where JSON's reader
// would be more than what it reads.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace megamem {

class RecordWriter {
  public:
    // A record's kind, and what it holds.
    template <class... Parts>
    void add(std::string_view kind, const Parts&... parts) {
        text_ += kind;
        (part(parts), ...);
        end();
    }

    std::string take() { return std::move(text_); }

  private:
    void part(std::string_view text);
    void number(std::int64_t number);
    template <std::integral Number>
    void part(Number value) {
        number(static_cast<std::int64_t>(value));
    }
    void end();

    std::string text_;
};

struct Record {
    std::string_view kind;
    std::array<std::string_view, 7> parts;  // those that aren't there are empty

    std::string text(std::size_t part) const { return std::string(parts[part]); }
    std::int64_t number(std::size_t part) const;  // 0 where there is none
};

// Takes the first record away from the text. Total: what is no record gives one of an unknown kind.
Record take_record(std::string_view& text);

}  // namespace megamem
