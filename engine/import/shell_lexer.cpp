#include "import/shell_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace megamem {

namespace {

using Kind = ShellToken::Kind;

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

constexpr bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

constexpr std::array<std::string_view, 12> kBeforeCommand = {"if", "then", "elif", "else", "while", "until",
                                                             "do", "!",    "{",    "time", "esac",  "fi"};

// Past a group that closes with `close`; quotes and nested expansions inside count as one. The text's end
// where it never closes.
std::size_t end_of_group(std::string_view text, std::size_t at, char open, char close) {
    int depth = 1;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '\\') {
            at += 2;
        } else if (c == '\'') {
            const std::size_t end = text.find('\'', at + 1);
            at = end == std::string_view::npos ? text.size() : end + 1;
        } else if (c == open) {
            ++depth;
            ++at;
        } else if (c == close) {
            ++at;
            if (--depth == 0) return at;
        } else {
            ++at;
        }
    }
    return text.size();
}

// Nobody's script has more; each takes some hundred bytes.
constexpr std::size_t kMostTokens = 100'000;

class Lexer {
  public:
    Lexer(std::string_view text, std::size_t first_line) : text_(text), line_(first_line) {}

    ShellTokens read() {
        while (at_ < text_.size() && out_.tokens.size() < kMostTokens)
            step();
        if (at_ < text_.size()) {
            warn("too_long", fmt::format("line {}: more than {} words stand in the text; the rest isn't read",
                                         line_, kMostTokens));
        }
        link();
        return std::move(out_);
    }

  private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void warn(std::string_view code, std::string message) {
        if (out_.problems.size() < 50)
            out_.problems.push_back({Severity::warning, code, "", std::move(message)});
    }

    void add(Kind kind, std::string_view text, bool first = false) {
        out_.tokens.push_back({kind, text, line_, first, 0});
    }

    // Where a command or a keyword can begin.
    bool at_command() const {
        if (out_.tokens.empty()) return true;
        const ShellToken& last = out_.tokens.back();
        switch (last.kind) {
            case Kind::end:
            case Kind::pipe:
            case Kind::and_then:
            case Kind::or_else:
            case Kind::case_end:
            case Kind::open:
            case Kind::close:
                return true;
            case Kind::word:
                return last.first && std::find(kBeforeCommand.begin(), kBeforeCommand.end(), last.text) !=
                                         kBeforeCommand.end();
            default:
                return false;
        }
    }

    // A backslash (or a backtick of PowerShell, a caret of cmd) that ends the line; its length, else 0.
    std::size_t continuation() const {
        const char c = peek();
        if (c != '\\' && c != '`' && c != '^') return 0;
        std::size_t after = at_ + 1;
        while (after < text_.size() && is_blank(text_[after]))
            ++after;
        if (after < text_.size() && text_[after] == '\n') return after + 1 - at_;
        return 0;
    }

    void pass_continuation(std::size_t length) {
        if (peek() != '\\') {
            if (!not_bash_) {
                warn("not_bash", fmt::format("line {}: {} at the end of the line is read as bash's backslash",
                                             line_, quote(text_.substr(at_, 1))));
            }
            not_bash_ = true;
        } else if (length > 2) {
            warn(
                "space_after_backslash",
                fmt::format("line {}: a blank after the backslash: bash ends the command here; the next line "
                            "is read as part of it",
                            line_));
        }
        at_ += length;
        ++line_;
        continued_ = true;
    }

    void step() {
        const char c = peek();
        if (c == '\n') {
            const bool ended = !out_.tokens.empty() && out_.tokens.back().kind == Kind::end;
            if (arrays_ == 0 && !ended) add(Kind::end, text_.substr(at_, 1));
            ++at_;
            ++line_;
            continued_ = false;
            if (!heredoc_.empty()) pass_heredoc();
        } else if (is_blank(c)) {
            ++at_;
        } else if (const std::size_t length = continuation(); length > 0) {
            pass_continuation(length);
        } else if (c == '#') {
            comment();
        } else {
            token();
            continued_ = false;
        }
    }

    void comment() {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        const std::string_view line = text_.substr(at_, end - at_);
        if (line.starts_with("#SBATCH")) out_.batch.emplace_back(line.substr(7), line_);
        at_ = end;
        if (!continued_ || arrays_ > 0) return;
        // bash ends the command here: the comment takes the backslash with it.
        std::size_t next = std::min(end + 1, text_.size());
        while (next < text_.size() && is_blank(text_[next]))
            ++next;
        if (!text_.substr(next).starts_with("-") && !text_.substr(next).starts_with("#")) return;
        if (text_.substr(next).starts_with("-")) {
            warn("comment_in_command",
                 fmt::format("line {}: bash ends the command at this comment and drops the flags after it; "
                             "they are read all the same",
                             line_));
        }
        at_ = std::min(end + 1, text_.size());
        ++line_;
    }

    void token() {
        const char c = peek();
        const char d = peek(1);
        if (takes_any(c)) {
            raw_word();
        } else if (c == ';' && d == ';') {
            add(Kind::case_end, {});
            at_ += 2;
        } else if (c == '&' && d == '&') {
            add(Kind::and_then, {});
            at_ += 2;
        } else if (c == '|' && d == '|') {
            add(Kind::or_else, {});
            at_ += 2;
        } else if (c == '&' && d == '>') {
            add(Kind::redirect, {});
            at_ += peek(2) == '>' ? 3 : 2;
        } else if (c == ';' || c == '&') {
            add(Kind::end, {});
            ++at_;
        } else if (c == '|') {
            add(Kind::pipe, {});
            at_ += d == '&' ? 2 : 1;
        } else if (c == '<' || c == '>') {
            redirect();
        } else if (c == '(' && d == '(' && at_command()) {
            add(Kind::arithmetic, group(2, '(', ')', 2), true);
        } else if (c == '(') {
            add(Kind::open, {});
            ++at_;
        } else if (c == ')') {
            close();
        } else if (text_.substr(at_).starts_with("[[") && at_command() && (is_blank(peek(2)))) {
            const std::size_t end = std::min(text_.find("]]", at_ + 2), text_.size());
            add(Kind::condition, text_.substr(at_ + 2, end - at_ - 2), true);
            move_to(std::min(end + 2, text_.size()));
        } else {
            word();
        }
    }

    std::string_view group(std::size_t skip, char open, char close, std::size_t drop) {
        std::size_t end = end_of_group(text_, at_ + 1, open, close);
        const std::size_t begin = at_ + skip;
        const std::size_t inner = end >= drop + begin ? end - drop : begin;
        const std::string_view inside = text_.substr(begin, inner - begin);
        move_to(end);
        return inside;
    }

    void move_to(std::size_t end) {
        line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                     text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end;
    }

    void close() {
        if (arrays_ > 0) {
            --arrays_;
            add(Kind::array_end, {});
        } else {
            add(Kind::close, {});
        }
        ++at_;
    }

    void redirect() {
        if (text_.substr(at_).starts_with("<<<")) {
            at_ += 3;
            add(Kind::redirect, {});
            return;
        }
        if (text_.substr(at_).starts_with("<<")) {
            at_ += 2;
            if (peek() == '-') ++at_;
            while (is_blank(peek()))
                ++at_;
            const std::size_t begin = at_;
            while (at_ < text_.size() && !is_blank(peek()) && peek() != '\n' && peek() != ';' &&
                   peek() != '|' && peek() != '>')
                ++at_;
            heredoc_.clear();
            for (const char c : text_.substr(begin, at_ - begin)) {
                if (c != '\'' && c != '"' && c != '\\') heredoc_ += c;
            }
            return;
        }
        at_ += peek(1) == '>' || peek(1) == '<' ? 2 : 1;
        if (peek() == '&') ++at_;
        add(Kind::redirect, {});
    }

    // The lines of a here-document, up to the one that ends it. One that never ends is none.
    void pass_heredoc() {
        const std::string delimiter = std::move(heredoc_);
        heredoc_.clear();
        if (no_end_.size() > 8) return;
        if (std::find(no_end_.begin(), no_end_.end(), delimiter) != no_end_.end()) return;
        std::size_t line = at_;
        while (line < text_.size()) {
            const std::size_t end = std::min(text_.find('\n', line), text_.size());
            if (trim(text_.substr(line, end - line)) == delimiter) {
                move_to(end);
                return;
            }
            line = end + 1;
        }
        no_end_.push_back(delimiter);
    }

    // After --pipeline-model-parallel-layout and the like even | and ( are part of the value, as people paste
    // it without quotes.
    bool takes_any(char c) const {
        if (c == '"' || c == '\'' || c == '$' || out_.tokens.empty()) return false;
        const ShellToken& last = out_.tokens.back();
        if (last.kind != Kind::word || !last.text.starts_with("--")) return false;
        const std::string_view name = last.text.substr(2);
        return name == "pipeline-model-parallel-layout" || name == "pipeline_model_parallel_layout" ||
               name == "moe-layer-freq" || name == "moe_layer_freq" || name == "hybrid-layer-pattern" ||
               name == "hybrid-override-pattern";
    }

    void raw_word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && !is_blank(peek()) && peek() != '\n' && peek() != ';' &&
               continuation() == 0)
            ++at_;
        // An array's own parenthesis doesn't belong to it.
        std::string_view word = text_.substr(begin, at_ - begin);
        if (arrays_ > 0) {
            const auto count = [&](char c) { return std::count(word.begin(), word.end(), c); };
            while (word.ends_with(')') && count(')') > count('(')) {
                word.remove_suffix(1);
                --at_;
            }
        }
        if (!word.empty()) add(Kind::word, word);
        if (word.empty()) close();
    }

    void word() {
        const std::size_t begin = at_;
        const std::size_t line = line_;
        const bool first = arrays_ == 0 && at_command();
        bool quoted = false;
        while (at_ < text_.size()) {
            const char c = peek();
            if (c == '\n' || is_blank(c) || c == ';' || c == '&' || c == '|' || c == ')') break;
            if ((c == '<' || c == '>')) {
                // "2>" is a redirect, its number no word.
                const std::string_view before = text_.substr(begin, at_ - begin);
                if (before == "1" || before == "2") {
                    redirect();
                    return;
                }
                break;
            }
            if (c == '(') {
                if (quoted || !begins_array(text_.substr(begin, at_ - begin))) break;
                array(text_.substr(begin, at_ - begin));
                return;
            }
            if (const std::size_t length = continuation(); length > 0) {
                if (c != '\\') break;
                const bool glued = text_.substr(at_ + length).starts_with("--") && at_ > begin;
                if (glued) {
                    warn("backslash_glued",
                         fmt::format("line {}: no blank before the backslash: bash joins {} with the next "
                                     "line; they are read as two words",
                                     line_, quote(text_.substr(begin, at_ - begin))));
                }
                if (glued || length > 2 || at_ == begin) break;
                at_ += length;
                ++line_;
                continue;
            }
            if (c == '\\' || c == '\'' || c == '"' || c == '$' || c == '`') {
                quoted = quoted || c == '\'' || c == '"';
                const std::size_t end = end_of_expansion(text_, at_);
                move_to(std::max(end, at_ + 1));
            } else {
                ++at_;
            }
        }
        if (at_ == begin) {
            ++at_;  // nothing that a word can begin with
            return;
        }
        out_.tokens.push_back({Kind::word, text_.substr(begin, at_ - begin), line, first, 0});
    }

    static bool begins_array(std::string_view word) {
        if (!word.ends_with('=')) return false;
        word.remove_suffix(1);
        if (word.ends_with('+')) word.remove_suffix(1);
        return !word.empty() && std::all_of(word.begin(), word.end(), is_name);
    }

    void array(std::string_view name) {
        name.remove_suffix(1);
        add(Kind::array_begin, name, at_command());
        ++arrays_;
        ++at_;
    }

    // if - then - (elif - then)* - else - fi; for/while/until - do - done; { - }; case - esac.
    void link() {
        std::vector<std::size_t> open;
        auto& tokens = out_.tokens;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (tokens[i].kind != Kind::word) continue;
            const std::string_view text = tokens[i].text;
            // "for X in ...; do", "case X in": opened where a command begins.
            if (!tokens[i].first) continue;
            const auto top_is = [&](std::initializer_list<std::string_view> words) {
                return !open.empty() &&
                       std::find(words.begin(), words.end(), tokens[open.back()].text) != words.end();
            };
            const auto continues = [&](std::initializer_list<std::string_view> after) {
                if (!top_is(after)) return;
                tokens[open.back()].link = i;
                open.pop_back();
                open.push_back(i);
            };
            const auto closes = [&](std::initializer_list<std::string_view> after) {
                if (!top_is(after)) return;
                tokens[open.back()].link = i;
                open.pop_back();
            };
            if (text == "if" || text == "for" || text == "while" || text == "until" || text == "select" ||
                text == "case" || text == "{") {
                open.push_back(i);
            } else if (text == "then") {
                continues({"if", "elif"});
            } else if (text == "elif" || text == "else") {
                continues({"then"});
            } else if (text == "fi") {
                closes({"then", "else"});
            } else if (text == "do") {
                continues({"for", "while", "until", "select"});
            } else if (text == "done") {
                closes({"do"});
            } else if (text == "esac") {
                closes({"case"});
            } else if (text == "}") {
                closes({"{"});
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_;
    ShellTokens out_;
    int arrays_ = 0;
    bool not_bash_ = false;
    bool continued_ = false;  // the last thing read was a continuation
    std::string heredoc_;
    std::vector<std::string> no_end_;
};

}  // namespace

ShellTokens read_shell(std::string_view text, std::size_t first_line) {
    return Lexer(text, first_line).read();
}

std::size_t end_of_expansion(std::string_view text, std::size_t at) {
    const char c = text[at];
    const char d = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c == '\\') return std::min(at + 2, text.size());
    if (c == '\'' || c == '`') {
        const std::size_t end = text.find(c, at + 1);
        return end == std::string_view::npos ? text.size() : end + 1;
    }
    if (c == '"') {
        ++at;
        while (at < text.size() && text[at] != '"') {
            const bool nested =
                text[at] == '\\' || text[at] == '`' ||
                (text[at] == '$' && at + 1 < text.size() && (text[at + 1] == '(' || text[at + 1] == '{'));
            at = nested ? end_of_expansion(text, at) : at + 1;
        }
        return std::min(at + 1, text.size());
    }
    if (c == '$' && d == '(') return end_of_group(text, at + 2, '(', ')');
    if (c == '$' && d == '{') return end_of_group(text, at + 2, '{', '}');
    if (c == '$' && d == '[') return end_of_group(text, at + 2, '[', ']');
    return at + 1;
}

namespace {

struct Typographic {
    std::string_view bytes;
    char plain;
};

// Dashes, blanks and quotes of word processors, in UTF-8.
constexpr std::array kTypographic = {
    Typographic{"\xE2\x80\x90", '-'}, Typographic{"\xE2\x80\x91", '-'},  Typographic{"\xE2\x80\x92", '-'},
    Typographic{"\xE2\x80\x93", '-'}, Typographic{"\xE2\x80\x94", '-'},  Typographic{"\xE2\x80\x95", '-'},
    Typographic{"\xE2\x88\x92", '-'}, Typographic{"\xE2\x80\x98", '\''}, Typographic{"\xE2\x80\x99", '\''},
    Typographic{"\xE2\x80\x9C", '"'}, Typographic{"\xE2\x80\x9D", '"'},  Typographic{"\xC2\xA0", ' '},
    Typographic{"\xE3\x80\x80", ' '},
};

const Typographic* typographic_at(std::string_view text) {
    for (const Typographic& t : kTypographic) {
        if (text.starts_with(t.bytes)) return &t;
    }
    return nullptr;
}

}  // namespace

std::string plain_text(std::string_view text, Problems& problems) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::string out;
    out.reserve(text.size());
    bool dashes = false;
    const auto is_plain = [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t end_of_plain = i;
        while (end_of_plain < text.size() && is_plain(text[end_of_plain]))
            ++end_of_plain;
        out += text.substr(i, end_of_plain - i);
        i = end_of_plain;
        if (i == text.size()) break;
        const char c = text[i];
        if (c == '\r') {
            if (i + 1 >= text.size() || text[i + 1] != '\n') out += '\n';
            continue;
        }
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
            out += ' ';
            continue;
        }
        const Typographic* found =
            static_cast<unsigned char>(c) < 0x80 ? nullptr : typographic_at(text.substr(i));
        if (found == nullptr) {
            out += c;
            continue;
        }
        if (found->plain != '-') {
            out += found->plain;
            i += found->bytes.size() - 1;
            continue;
        }
        // "–num-layers", "——num-layers": the dashes in front of a word are those of a flag.
        const bool begins = out.empty() || out.back() == ' ' || out.back() == '\n' || out.back() == '\t' ||
                            out.back() == '"' || out.back() == '\'';
        std::size_t end = i + found->bytes.size();
        while (end < text.size()) {
            const Typographic* more = typographic_at(text.substr(end));
            if (text[end] == '-') {
                ++end;
            } else if (more != nullptr && more->plain == '-') {
                end += more->bytes.size();
            } else {
                break;
            }
        }
        const bool letter = end < text.size() && ((text[end] >= 'a' && text[end] <= 'z') ||
                                                  (text[end] >= 'A' && text[end] <= 'Z'));
        if (begins && letter) {
            if (!dashes) {
                problems.push_back(
                    {Severity::warning, "typographic_dash", "",
                     fmt::format("{} is no flag for a shell; it is read as --",
                                 quote(text.substr(i, std::min<std::size_t>(end - i + 12, 30))))});
            }
            dashes = true;
            out += "--";
        } else {
            out += '-';
        }
        i = end - 1;
    }
    return out;
}

}  // namespace megamem
