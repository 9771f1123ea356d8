#include "import/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <optional>

#include "base/text.h"
#include "import/shell_conditions.h"
#include "import/shell_lexer.h"

namespace megamem {

namespace {

using Kind = ShellToken::Kind;
using Tokens = std::vector<ShellToken>;

constexpr int kDeepest = 30;  // constructs, functions and texts within each other

// Commands that train nothing and whose words aren't flags of a training.
constexpr std::array<std::string_view, 45> kIdle = {
    "echo",  "printf", "mkdir", "cd",     "cat",    "tee",    "pip",   "pip3",     "ls",
    "rm",    "cp",     "mv",    "git",    "wget",   "curl",   "grep",  "sed",      "awk",
    "sleep", "kill",   "pkill", "ulimit", "module", "conda",  "date",  "set",      "shopt",
    "trap",  "wait",   "unset", "chmod",  "ln",     "touch",  "which", "test",     "pushd",
    "popd",  "source", ".",     "shift",  "exit",   "return", "break", "continue", "apt-get"};

bool is_name(std::string_view text) {
    if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

// "NAME=..." or "NAME+=..."
struct Assignment {
    std::string_view name;
    std::string_view value;
    bool append = false;
};

std::optional<Assignment> assignment_in(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0) return std::nullopt;
    const bool append = word[equals - 1] == '+';
    const std::string_view name = word.substr(0, append ? equals - 1 : equals);
    if (!is_name(name)) return std::nullopt;
    return Assignment{name, word.substr(equals + 1), append};
}

class Follower {
  public:
    explicit Follower(std::string_view text) : steps_(text.size() + 100'000) {
        script_.variables = ShellVariables(4 * text.size() + (1 << 20));
        ShellTokens read = read_shell(text);
        script_.problems = std::move(read.problems);
        script_.batch = std::move(read.batch);
        define_batch();
        run(read.tokens, 0, read.tokens.size(), 0);
        if (steps_ == 0) {
            script_.problems.push_back(
                {Severity::warning, "too_long", "", "the script runs too long to be followed to its end"});
        }
    }

    ShellScript take() { return std::move(script_); }

  private:
    ShellVariables& variables() { return script_.variables; }

    // What slurm puts in the environment of a job.
    void define_batch() {
        for (const auto& [text, line] : script_.batch) {
            const auto value_after = [&, rest = text](std::string_view option) {
                const std::size_t at = rest.find(option);
                if (at == std::string_view::npos) return std::string();
                std::string_view value = rest.substr(at + option.size());
                while (value.starts_with(' ') || value.starts_with('='))
                    value.remove_prefix(1);
                return std::string(value.substr(0, value.find_first_of(" \t#")));
            };
            for (const std::string_view option : {"--nodes", "-N "}) {
                const std::string nodes = value_after(option);
                if (nodes.empty()) continue;
                for (const std::string_view name : {"SLURM_NNODES", "SLURM_JOB_NUM_NODES"})
                    variables().set_text(name, nodes, line);
            }
            if (const std::string gpus = value_after("--gpus-per-node"); !gpus.empty())
                variables().set_text("SLURM_GPUS_PER_NODE", gpus.substr(gpus.rfind(':') + 1), line);
            if (const std::string gpus = value_after("--gres"); gpus.starts_with("gpu:"))
                variables().set_text("SLURM_GPUS_ON_NODE", gpus.substr(gpus.rfind(':') + 1), line);
            if (const std::string tasks = value_after("--ntasks-per-node"); !tasks.empty())
                variables().set_text("SLURM_NTASKS_PER_NODE", tasks, line);
        }
    }

    // --- Constructs ---

    void run(const Tokens& tokens, std::size_t at, std::size_t end, int depth) {
        if (depth > kDeepest) return;
        Truth last = Truth::yes;  // of the command before, for && and ||
        Kind joined = Kind::end;
        while (at < end && steps_ > 0) {
            --steps_;
            const ShellToken& token = tokens[at];
            if (token.kind == Kind::and_then || token.kind == Kind::or_else || token.kind == Kind::end ||
                token.kind == Kind::pipe) {
                joined = token.kind;
                if (token.kind == Kind::end || token.kind == Kind::pipe) last = Truth::yes;
                ++at;
                // A newline after && continues it.
                while (joined != Kind::end && at < end && tokens[at].kind == Kind::end &&
                       tokens[at].text == "\n")
                    ++at;
                continue;
            }
            const bool skip = (joined == Kind::and_then && last == Truth::no) ||
                              (joined == Kind::or_else && last == Truth::yes);
            const bool maybe =
                (joined == Kind::and_then || joined == Kind::or_else) && last == Truth::unknown;
            joined = Kind::end;
            if (token.kind == Kind::open || token.kind == Kind::close || token.kind == Kind::case_end ||
                token.kind == Kind::array_end || token.kind == Kind::redirect) {
                ++at;
                continue;
            }
            const std::size_t saved = under_;
            if (maybe && under_ == 0) under_ = token.line;
            if (skip) {
                at = past(tokens, at, end);
            } else {
                last = one(tokens, at, end, depth);
            }
            under_ = saved;
        }
    }

    // Past a command or construct that isn't run.
    static std::size_t past(const Tokens& tokens, std::size_t at, std::size_t end) {
        if (tokens[at].first && tokens[at].link > 0) {
            while (tokens[at].link > 0)
                at = tokens[at].link;
            return std::min(at + 1, end);
        }
        while (at < end && !ends_command(tokens[at].kind))
            ++at;
        return at;
    }

    static bool ends_command(Kind kind) {
        return kind == Kind::end || kind == Kind::pipe || kind == Kind::and_then || kind == Kind::or_else ||
               kind == Kind::case_end || kind == Kind::close || kind == Kind::open;
    }

    Truth one(const Tokens& tokens, std::size_t& at, std::size_t end, int depth) {
        const ShellToken& token = tokens[at];
        if (token.kind == Kind::condition) {
            ++at;
            return test_condition(token.text, variables());
        }
        if (token.kind == Kind::arithmetic) {
            ++at;
            return arithmetic_command(token);
        }
        if (token.first && token.kind == Kind::word) {
            const std::string_view word = token.text;
            if (word == "if" && token.link > 0) return run_if(tokens, at, end, depth);
            if (word == "case" && token.link > 0) return run_case(tokens, at, end, depth);
            if ((word == "for" || word == "select") && token.link > 0) return run_for(tokens, at, end, depth);
            if ((word == "while" || word == "until") && token.link > 0) {
                // Loops that read the command line, mostly: nothing is known of what they do.
                at = past(tokens, at, end);
                return Truth::yes;
            }
            if (word == "{" && token.link > 0 && token.link < end) {
                const std::size_t close = token.link;
                run(tokens, at + 1, close, depth + 1);
                at = close + 1;
                return Truth::yes;
            }
            if (word == "function" || (at + 2 < end && tokens[at + 1].kind == Kind::open &&
                                       tokens[at + 2].kind == Kind::close && is_name(word))) {
                if (define(tokens, at, end)) return Truth::yes;
            }
            if (word == "!" || word == "then" || word == "do" || word == "else" || word == "fi" ||
                word == "done" || word == "time" || word == "}" || word == "{" || word == "esac") {
                ++at;
                return Truth::yes;
            }
        }
        return command(tokens, at, end, depth);
    }

    Truth arithmetic_command(const ShellToken& token) {
        // "((X = A * B))" and "(( A > 1 ))".
        const std::size_t equals = token.text.find('=');
        if (equals != std::string_view::npos && equals > 0 && equals + 1 < token.text.size() &&
            token.text[equals + 1] != '=' && is_name(trim(token.text.substr(0, equals)))) {
            const std::string written = fmt::format("$(({}))", token.text.substr(equals + 1));
            assign(trim(token.text.substr(0, equals)), variables().expand_text(written, token.line), false,
                   token.line);
            return Truth::yes;
        }
        const auto value = variables().arithmetic(token.text);
        return !value ? Truth::unknown : *value != 0 ? Truth::yes : Truth::no;
    }

    // A branch that ends the script is none that trains.
    static bool gives_up(const Tokens& tokens, std::size_t at, std::size_t end) {
        for (; at < end; ++at) {
            if (tokens[at].first && (tokens[at].text == "exit" || tokens[at].text == "return")) return true;
            if (tokens[at].first && tokens[at].link > at) at = std::min(tokens[at].link, end) - 1;
        }
        return false;
    }

    Truth condition(const Tokens& tokens, std::size_t at, std::size_t end, int depth) {
        // The list before "then": commands in it are followed for && and || of tests only.
        Truth result = Truth::unknown;
        Kind joined = Kind::end;
        bool negated = false;
        while (at < end && steps_ > 0) {
            const ShellToken& token = tokens[at];
            if (token.kind == Kind::word && token.text == "!") {
                negated = !negated;
                ++at;
                continue;
            }
            if (ends_command(token.kind)) {
                if (token.kind == Kind::and_then || token.kind == Kind::or_else) joined = token.kind;
                if (token.kind == Kind::pipe) return Truth::unknown;
                ++at;
                continue;
            }
            const bool test = token.kind == Kind::condition || token.kind == Kind::arithmetic ||
                              token.text == "[" || token.text == "test" || token.text == "true" ||
                              token.text == "false";
            Truth truth = Truth::unknown;
            if (test) {
                truth = one(tokens, at, end, depth + 1);
            } else {
                while (at < end && !ends_command(tokens[at].kind))
                    ++at;
            }
            if (negated) truth = opposite(truth);
            negated = false;
            if (joined == Kind::and_then) {
                truth = both(result, truth);
            } else if (joined == Kind::or_else) {
                truth = either(result, truth);
            }
            joined = Kind::end;
            result = truth;
        }
        return result;
    }

    Truth run_if(const Tokens& tokens, std::size_t& at, std::size_t end, int depth) {
        const std::size_t saved = under_;
        std::size_t part = at;  // if or elif
        bool open = true;       // no branch is known to have been taken
        while (true) {
            const std::size_t then = tokens[part].link;
            if (then == 0 || then >= end) break;
            const std::size_t next = tokens[then].link;
            if (next == 0 || next > end) break;
            const Truth truth = open ? condition(tokens, part + 1, then, depth) : Truth::no;
            if (truth != Truth::no && !gives_up(tokens, then + 1, next)) {
                if (truth == Truth::unknown && under_ == 0) under_ = tokens[part].line;
                run(tokens, then + 1, next, depth + 1);
                if (truth == Truth::yes) open = false;
            }
            part = next;
            if (part >= end) break;
            if (tokens[part].text == "elif") continue;
            if (tokens[part].text == "else" && tokens[part].link > 0) {
                const std::size_t fi = std::min(tokens[part].link, end);
                if (open && !gives_up(tokens, part + 1, fi)) run(tokens, part + 1, fi, depth + 1);
                part = fi;
            }
            break;
        }
        under_ = saved;
        const std::size_t finish = past(tokens, at, end);
        at = std::max(finish, at + 1);
        return Truth::yes;
    }

    Truth run_for(const Tokens& tokens, std::size_t& at, std::size_t end, int depth) {
        const std::size_t go = tokens[at].link;
        const std::size_t done = go < end ? tokens[go].link : 0;
        if (done == 0 || done > end || at + 1 >= go || tokens[at + 1].kind != Kind::word) {
            at = past(tokens, at, end);
            return Truth::yes;
        }
        const std::string_view name = tokens[at + 1].text;
        std::vector<ShellWord> items;
        for (std::size_t i = at + 3; i < go && items.size() < 100; ++i) {
            if (tokens[i].kind != Kind::word) continue;
            for (ShellWord& word : variables().expand(tokens[i].text, tokens[i].line))
                items.push_back(std::move(word));
        }
        if (items.size() == 1) {
            variables().set_text(name, items[0].text, items[0].line);
        } else {
            std::string list;
            for (std::size_t i = 0; i < items.size() && i < 6; ++i)
                list += fmt::format(" {}", ShellVariables::without_marks(items[i].text));
            variables().set_text(
                name,
                variables().mark(fmt::format("${}", name),
                                 fmt::format("{} takes several values in the loop of line {}:{}", name,
                                             tokens[at].line, list)),
                tokens[at].line);
        }
        run(tokens, go + 1, done, depth + 1);
        at = done + 1;
        return Truth::yes;
    }

    Truth run_case(const Tokens& tokens, std::size_t& at, std::size_t end, int depth) {
        const std::size_t esac = std::min(tokens[at].link, end);
        const std::size_t saved = under_;
        if (at + 2 < esac) {
            const std::string subject = variables().expand_text(tokens[at + 1].text, tokens[at + 1].line);
            const bool open = ShellVariables::is_open(subject);
            std::size_t i = at + 3;  // case WORD in
            bool matched = false;
            while (i < esac && steps_ > 0) {
                --steps_;
                bool matches = false;
                while (i < esac && tokens[i].kind != Kind::close) {
                    if (tokens[i].kind == Kind::word) {
                        const std::string pattern = variables().expand_text(tokens[i].text, tokens[i].line);
                        matches = matches || matches_pattern(subject, pattern);
                    }
                    ++i;
                }
                const std::size_t begin = std::min(i + 1, esac);
                std::size_t stop = begin;
                while (stop < esac && tokens[stop].kind != Kind::case_end) {
                    const bool nested =
                        tokens[stop].first && tokens[stop].text == "case" && tokens[stop].link > stop;
                    stop = nested ? tokens[stop].link : stop + 1;
                }
                stop = std::min(stop, esac);
                if ((open || (matches && !matched)) && !gives_up(tokens, begin, stop)) {
                    if (open && under_ == 0) under_ = tokens[at].line;
                    run(tokens, begin, stop, depth + 1);
                }
                matched = matched || matches;
                i = stop + 1;
            }
        }
        under_ = saved;
        at = std::min(esac + 1, end);
        return Truth::yes;
    }

    bool define(const Tokens& tokens, std::size_t& at, std::size_t end) {
        std::size_t name = at;
        if (tokens[at].text == "function") ++name;
        std::size_t body = name + 1;
        while (body < end && (tokens[body].kind == Kind::open || tokens[body].kind == Kind::close ||
                              (tokens[body].kind == Kind::end && tokens[body].text == "\n")))
            ++body;
        if (name >= end || body >= end || tokens[body].text != "{" || tokens[body].link == 0 ||
            tokens[body].link >= end)
            return false;
        functions_[std::string(tokens[name].text)] = {&tokens, body + 1, tokens[body].link};
        at = tokens[body].link + 1;
        return true;
    }

    // --- Commands ---

    Truth command(const Tokens& tokens, std::size_t& at, std::size_t end, int depth) {
        const std::size_t line = tokens[at].line;
        // Assignments, before a command or alone.
        while (at < end) {
            if (tokens[at].kind == Kind::array_begin) {
                assign_array(tokens, at, end);
                continue;
            }
            if (tokens[at].kind != Kind::word) break;
            const auto assignment = assignment_in(tokens[at].text);
            if (!assignment) break;
            assign(assignment->name, variables().expand_text(assignment->value, tokens[at].line),
                   assignment->append, tokens[at].line);
            ++at;
        }
        if (at >= end || ends_command(tokens[at].kind)) return Truth::yes;

        const std::string_view name = tokens[at].text;
        if (name == "export" || name == "declare" || name == "local" || name == "readonly" ||
            name == "typeset" || name == "let" || name == "env") {
            ++at;
            declare(tokens, at, end, name == "let");
            if (name != "env" || at >= end || ends_command(tokens[at].kind)) return Truth::yes;
        }
        ShellCommand made{{}, line, under_ > 0};
        while (at < end && !ends_command(tokens[at].kind)) {
            const ShellToken& token = tokens[at];
            if (token.kind == Kind::redirect) {
                at += at + 1 < end && tokens[at + 1].kind == Kind::word ? 2 : 1;
                continue;
            }
            if (token.kind == Kind::word) {
                if (steps_ > 0) --steps_;
                for (ShellWord& word : variables().expand(token.text, token.line))
                    made.words.push_back(std::move(word));
            }
            ++at;
        }
        if (made.words.empty()) return Truth::yes;
        return finish(std::move(made), depth);
    }

    // export A=1 B=2, let "C = A * B"
    void declare(const Tokens& tokens, std::size_t& at, std::size_t end, bool arithmetic) {
        while (at < end && !ends_command(tokens[at].kind)) {
            if (tokens[at].kind == Kind::array_begin) {
                assign_array(tokens, at, end);
                continue;
            }
            // let "C = A * B": blanks within quotes mean nothing.
            std::string plain(tokens[at].text);
            if (arithmetic) std::erase_if(plain, [](char c) { return c == ' ' || c == '"' || c == '\''; });
            const auto assignment = assignment_in(plain);
            if (assignment) {
                std::string value = variables().expand_text(assignment->value, tokens[at].line);
                if (arithmetic && !ShellVariables::is_open(value)) {
                    const auto number = variables().arithmetic(value);
                    value = number ? fmt::format("{}", *number)
                                   : variables().mark(std::string(assignment->value),
                                                      "it can't be computed from this text");
                }
                assign(assignment->name, std::move(value), assignment->append, tokens[at].line);
            } else if (!tokens[at].text.starts_with('-') && !is_name(tokens[at].text)) {
                return;
            }
            ++at;
        }
    }

    Truth finish(ShellCommand made, int depth) {
        const std::string name = made.words[0].text;
        if (name == "[" || name == "test") {
            std::vector<std::string> words;
            for (std::size_t i = 1; i < made.words.size(); ++i)
                words.push_back(std::move(made.words[i].text));
            if (name == "[" && !words.empty() && words.back() == "]") words.pop_back();
            return test_words(words, variables());
        }
        if (name == "true" || name == ":") return Truth::yes;
        if (name == "false") return Truth::no;
        if (name == "shift" && calls_ > 0) {
            shift(made.words.size() > 1 ? parse_unsigned(made.words[1].text).value_or(0) : 1);
            return Truth::yes;
        }
        if (std::find(kIdle.begin(), kIdle.end(), name) != kIdle.end()) return Truth::yes;
        if (const auto function = functions_.find(name); function != functions_.end()) {
            call(function->second, made, depth);
            return Truth::yes;
        }
        if (run_text(made, depth)) return Truth::yes;
        if (name.starts_with("--")) {
            add_flags(std::move(made));
            return Truth::yes;
        }
        if (script_.commands.size() < 10'000) script_.commands.push_back(std::move(made));
        return Truth::yes;
    }

    // A line of flags is part of the command before it: a list of flags, or a backslash that is missing.
    void add_flags(ShellCommand made) {
        if (script_.commands.empty()) {
            script_.commands.push_back(std::move(made));
            return;
        }
        ShellCommand& command = script_.commands.back();
        if (!command.words.front().text.starts_with("--") && !told_missing_) {
            told_missing_ = true;
            script_.problems.push_back(
                {Severity::warning, "missing_backslash", "",
                 fmt::format("line {}: bash takes {} for a command of its own; it is read as part of the "
                             "command of line {}",
                             made.line, quote(made.words[0].text), command.line)});
        }
        std::move(made.words.begin(), made.words.end(), std::back_inserter(command.words));
    }

    struct Function {
        const Tokens* tokens;
        std::size_t begin;
        std::size_t end;
    };

    void call(Function function, const ShellCommand& made, int depth) {
        if (calls_ > 8) return;
        ++calls_;
        const ShellValue* outer = variables().find("@");
        const std::optional<ShellValue> saved = outer == nullptr ? std::nullopt : std::optional(*outer);
        ShellValue given;
        given.array = true;
        given.words.assign(made.words.begin() + 1, made.words.end());
        set_parameters(std::move(given));
        run(*function.tokens, function.begin, function.end, depth + 1);
        if (saved)
            set_parameters(*saved);
        else
            erase_parameters();
        --calls_;
    }

    // $@, and $1 to $9 out of it.
    void set_parameters(ShellValue given) {
        erase_parameters();
        for (std::size_t i = 0; i < given.words.size() && i < 9; ++i)
            variables().set_text(fmt::format("{}", i + 1), given.words[i].text, given.words[i].line);
        variables().set("@", std::move(given));
    }

    void erase_parameters() {
        variables().erase("@");
        for (int i = 1; i < 10; ++i)
            variables().erase(fmt::format("{}", i));
    }

    void shift(std::int64_t count) {
        const ShellValue* given = variables().find("@");
        if (given == nullptr) return;
        ShellValue rest = *given;
        const auto gone = std::min<std::size_t>(static_cast<std::size_t>(count), rest.words.size());
        rest.words.erase(rest.words.begin(), rest.words.begin() + static_cast<std::ptrdiff_t>(gone));
        set_parameters(std::move(rest));
    }

    // eval TEXT, bash -c TEXT, and a whole command line kept in a variable.
    bool run_text(const ShellCommand& made, int depth) {
        std::string text;
        std::size_t from = 0;
        if (made.words[0].text == "eval") {
            for (std::size_t i = 1; i < made.words.size(); ++i)
                text += made.words[i].text + ' ';
            from = made.words.size();
        } else {
            for (std::size_t i = 0; i + 2 < made.words.size(); ++i) {
                const std::string& word = made.words[i].text;
                if (word != "bash" && word != "sh" && !word.ends_with("/bash") && !word.ends_with("/sh"))
                    continue;
                std::size_t option = i + 1;
                if (!made.words[option].text.starts_with('-') || !made.words[option].text.ends_with('c'))
                    continue;
                text = made.words[option + 1].text;
                from = i;
                break;
            }
        }
        if (text.empty() || depth > kDeepest || texts_.size() > 50) return false;
        // What starts it may say how many nodes there are.
        if (from > 0 && made.words[0].text != "eval") {
            ShellCommand launcher{{}, made.line, made.uncertain};
            launcher.words.assign(made.words.begin(), made.words.begin() + static_cast<std::ptrdiff_t>(from));
            script_.commands.push_back(std::move(launcher));
        }
        if (steps_ < text.size()) return true;
        steps_ -= text.size();
        texts_.push_back(std::move(text));
        ShellTokens read = read_shell(texts_.back(), made.line);
        kept_.push_back(std::move(read.tokens));
        run(kept_.back(), 0, kept_.back().size(), depth + 1);
        return true;
    }

    // --- Values ---

    std::string conditional() {
        return variables().mark("",
                                fmt::format("it depends on the condition in line {}, which this text doesn't "
                                            "decide",
                                            under_));
    }

    // Flags that stand under a condition are open.
    void mark_flags(std::vector<ShellWord>& words) {
        if (under_ == 0) return;
        for (ShellWord& word : words) {
            if (word.text.starts_with("--")) word.text += conditional();
        }
    }

    std::string with_marked_flags(std::string_view text) {
        std::string out;
        for (std::size_t i = 0; i < text.size();) {
            const std::size_t end = std::min(text.find_first_of(" \n\t", i), text.size());
            const std::string_view word = text.substr(i, end - i);
            out += word;
            if (word.starts_with("--")) out += conditional();
            if (end < text.size()) out += text[end];
            i = end + 1;
        }
        return out;
    }

    void assign(std::string_view name, std::string text, bool append, std::size_t line) {
        const bool known = variables().find(name) != nullptr;
        ShellValue old = variables().take(name);
        if (append && old.array) {
            old.words.push_back({std::move(text), line});
            variables().set(name, std::move(old));
            return;
        }
        std::string before = old.words.empty() ? std::string() : std::move(old.words[0].text);
        if (under_ > 0) {
            if (append) {
                text = with_marked_flags(text);
            } else if (!before.empty() && text.starts_with(before)) {
                text = before + with_marked_flags(std::string_view(text).substr(before.size()));
            } else if (text.find("--") != std::string::npos) {
                text = with_marked_flags(text);
            } else if (!known || before != text) {
                text = conditional();
            }
        }
        if (append) {
            before += text;
            text = std::move(before);
        }
        variables().set_text(name, std::move(text), append && known ? old.line : line);
    }

    void assign_array(const Tokens& tokens, std::size_t& at, std::size_t end) {
        std::string_view name = tokens[at].text;
        const std::size_t line = tokens[at].line;
        const bool append = name.ends_with('+');
        if (append) name.remove_suffix(1);
        ShellValue value{{}, true, line};
        // Its own elements may stand in it: A=("${A[@]}" --more). They are there until the new ones are
        // known.
        ++at;
        while (at < end && tokens[at].kind != Kind::array_end) {
            if (tokens[at].kind == Kind::word) {
                for (ShellWord& word : variables().expand(tokens[at].text, tokens[at].line))
                    value.words.push_back(std::move(word));
            }
            ++at;
        }
        if (at < end) ++at;
        mark_flags(value.words);
        if (append) {
            ShellValue all = variables().take(name);
            all.array = true;
            std::move(value.words.begin(), value.words.end(), std::back_inserter(all.words));
            value = std::move(all);
        }
        variables().set(name, std::move(value));
    }

    ShellScript script_;
    std::size_t steps_;      // left: no script runs long
    std::size_t under_ = 0;  // line of the undecided condition that holds here; 0: none
    std::map<std::string, Function> functions_;
    int calls_ = 0;
    bool told_missing_ = false;
    std::deque<std::string> texts_;  // that eval and bash -c ran; tokens point into them
    std::deque<Tokens> kept_;
};

}  // namespace

ShellScript follow_shell(std::string_view text) {
    return Follower(text).take();
}

}  // namespace megamem
