// Variables of a shell script, and the expansion of words. A value that only a run of the script could tell
// is carried along as an open one, with the reason.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace megamem {

struct ShellWord {
    std::string text;  // with marks where it is open
    std::size_t line = 0;
};

// Why a part of a text is open.
struct Open {
    std::string source;   // as written: "${TP}", "$(nproc)"
    std::string message;  // a sentence
};

struct ShellValue {
    std::vector<ShellWord> words;  // of a plain variable: one
    bool array = false;
    std::size_t line = 0;
};

class ShellVariables {
  public:
    // `budget`: characters that all expansions together may give. What is beyond stays open.
    explicit ShellVariables(std::size_t budget) : budget_(budget) {}

    const ShellValue* find(std::string_view name) const;
    void set(std::string_view name, ShellValue value);
    // The value moved out; the variable stays, empty, until it is set again.
    ShellValue take(std::string_view name);
    void set_text(std::string_view name, std::string text, std::size_t line);
    void erase(std::string_view name);
    const std::map<std::string, ShellValue, std::less<>>& all() const { return variables_; }
    // In the order of their first assignment.
    const std::vector<std::string>& order() const { return order_; }

    // The words that one written word becomes: quotes resolved, values put in, split at blanks where bash
    // splits them.
    std::vector<ShellWord> expand(std::string_view written, std::size_t line);
    // The same as one text: for the right side of an assignment.
    std::string expand_text(std::string_view written, std::size_t line);

    std::string mark(std::string source, std::string message);
    // The first mark's reason, nullptr where the text is known.
    const Open* open_in(std::string_view text) const;
    // With the sources in place of the marks.
    std::string readable(std::string_view text) const;
    static bool is_open(std::string_view text) { return text.find(kMark) != std::string_view::npos; }
    static std::string without_marks(std::string_view text);

    // nullopt: not a number, or open.
    std::optional<std::int64_t> arithmetic(std::string_view text);

  private:
    static constexpr char kMark = '\x01';
    static constexpr char kMarkEnd = '\x02';

    struct Piece {
        std::vector<ShellWord> words;
        bool separate = false;  // "${A[@]}": each element a word of its own
    };

    Piece expand_dollar(std::string_view written, std::size_t& at, std::size_t line, int depth);
    Piece expand_braces(std::string_view inside, std::size_t line, int depth);
    Piece value_of(std::string_view name, std::string_view written);
    std::vector<ShellWord> expand(std::string_view written, std::size_t line, bool split, int depth);
    bool spend(std::size_t count);

    std::map<std::string, ShellValue, std::less<>> variables_;
    std::vector<std::string> order_;
    std::vector<Open> opens_;
    std::map<std::string, std::size_t> known_opens_;
    std::size_t budget_;
};

}  // namespace megamem
