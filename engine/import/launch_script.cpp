#include "import/launch_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "import/argument_names.h"
#include "import/launch_command.h"
#include "import/overrides.h"
#include "import/shell.h"
#include "import/shell_lexer.h"

namespace megamem {

namespace {

// A list of quoted flags, as in Python or in a debugger's JSON: "--num-layers", "32".
bool is_quoted_list(std::string_view text) {
    for (std::size_t at = text.find("--"); at != std::string_view::npos; at = text.find("--", at + 2)) {
        const char before = at == 0 ? ' ' : text[at - 1];
        if (before != '"' && before != '\'') continue;
        const std::size_t end = text.find_first_of("\"'\n ", at);
        if (end == std::string_view::npos || text[end] != before) continue;
        const std::size_t after = text.find_first_not_of(" \t", end + 1);
        if (after != std::string_view::npos && (text[after] == ',' || text[after] == ']')) return true;
    }
    return false;
}

// Its texts and numbers in order; anything else between the commas is open.
std::vector<ShellWord> words_of_list(std::string_view text, ShellVariables& variables) {
    std::vector<ShellWord> words;
    std::size_t line = 1;
    std::string plain;  // what stands outside of quotes
    bool flagged = false;
    const auto finish = [&] {
        const std::string_view word = trim(plain);
        // Code around the list means nothing; between its items it is a value.
        if (!word.empty() && flagged && word.size() < 60 &&
            word.find_first_of("=():{}") == std::string_view::npos) {
            const bool number = parse_integer(word).has_value();
            words.push_back({number
                                 ? std::string(word)
                                 : variables.mark(std::string(word),
                                                  fmt::format("{} has no value in this text", quote(word))),
                             line});
        } else if (word.starts_with("str(") && flagged && word.size() < 60) {
            words.push_back(
                {variables.mark(std::string(word), fmt::format("{} has no value in this text", quote(word))),
                 line});
        }
        plain.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            const std::size_t end = text.find_first_of(c == '"' ? "\"\n" : "'\n", i + 1);
            if (end == std::string_view::npos || text[end] == '\n') continue;
            const std::string_view inside = text.substr(i + 1, end - i - 1);
            flagged = flagged || inside.starts_with("--");
            if (flagged) {
                const bool formatted = trim(plain) == "f" && inside.find('{') != std::string_view::npos;
                words.push_back({formatted
                                     ? variables.mark(std::string(inside), "it is put together when it runs")
                                     : std::string(inside),
                                 line});
            }
            plain.clear();
            i = end;
        } else if (c == ',' || c == '\n' || c == '[' || c == ']') {
            finish();
            line += c == '\n' ? 1 : 0;
        } else if (c == '#') {
            i = std::min(text.find('\n', i), text.size()) - 1;
        } else if (plain.size() < 100) {
            plain += c;
        }
    }
    finish();
    return words;
}

// What is beyond this isn't read.
constexpr std::size_t kMostScriptBytes = 5'000'000;

// Where the line begins that is the delimiter at the front of `rest`: "-'EOF' > x"; npos where there is none.
std::size_t end_of_document(std::string_view text, std::size_t from, std::string_view rest) {
    if (rest.starts_with('-')) rest.remove_prefix(1);
    rest = trim(rest);
    std::string delimiter;
    for (const char c : rest) {
        if (c == '\'' || c == '"' || c == '\\') continue;
        if (c == ' ' || c == ';' || c == '|' || c == '>') break;
        delimiter += c;
    }
    if (delimiter.empty()) return std::string_view::npos;
    for (std::size_t at = from + 1; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (trim(text.substr(at, end - at)) == delimiter) return at;
        at = end + 1;
    }
    return std::string_view::npos;
}

// The text with its here-documents in the place where they stand; empty where there are none. Lines stay.
std::string with_open_documents(std::string_view text) {
    std::string out;
    bool opened = false;
    std::size_t at = 0;
    std::size_t closing = std::string_view::npos;  // where the line that ends the document begins
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const std::size_t mark = line.find("<<");
        if (at == closing) {
            closing = std::string_view::npos;
        } else if (closing != std::string_view::npos) {
            // "\$X" is for the script that is written.
            for (std::size_t i = 0; i < line.size(); ++i) {
                if (line[i] != '\\' || i + 1 >= line.size() || line[i + 1] != '$') out += line[i];
            }
        } else if (mark == std::string_view::npos || line.substr(mark).starts_with("<<<") ||
                   line.find("python") != std::string_view::npos ||
                   (closing = end_of_document(text, end, line.substr(mark + 2))) == std::string_view::npos) {
            out += line;
        } else {
            opened = true;
        }
        out += '\n';
        at = end + 1;
    }
    return opened ? out : std::string();
}

struct Environment {
    std::string_view variable;
    std::string_view field;
};

constexpr std::array kEnvironment = {
    Environment{"NVTE_ALLOW_NONDETERMINISTIC_ALGO", "nvte_allow_nondeterministic_algo"},
    Environment{"CUBLAS_WORKSPACE_CONFIG", "cublas_workspace_config"},
};

class ScriptReader {
  public:
    explicit ScriptReader(std::string_view text)
        : text_(plain_text(text.substr(0, kMostScriptBytes), import_.problems)) {
        if (text.size() <= kMostScriptBytes) return;
        import_.problems.push_back({Severity::warning, "too_long", "",
                                    fmt::format("the script is {} bytes long; the first {} are read",
                                                text.size(), kMostScriptBytes)});
    }

    Import read() {
        import_.format = Format::launch_script;
        LaunchCommand chosen;
        if (is_quoted_list(text_)) {
            script_.variables = ShellVariables(text_.size());
            chosen = read_launch_command(words_of_list(text_, script_.variables), script_.variables);
            kind_ = "list of flags";
        } else {
            script_ = follow_shell(text_);
            chosen = choose();
            if (chosen.fields == 0 && overrides_.empty()) read_written_script(chosen);
        }
        add_environment(chosen);
        add_world(chosen);
        if (chosen.fields == 0 && chosen.dialect == Dialect::megatron && !overrides_.empty())
            return finish_overrides(chosen);
        return finish(std::move(chosen));
    }

  private:
    // No command of the script trains; the script that it writes may.
    void read_written_script(LaunchCommand& chosen) {
        const std::string opened = with_open_documents(text_);
        if (opened.empty()) return;
        ShellScript outer = std::move(script_);
        script_ = follow_shell(opened);
        LaunchCommand inner = choose();
        if (inner.fields == 0) {
            script_ = std::move(outer);
            return;
        }
        chosen = std::move(inner);
        import_.problems.push_back(
            {Severity::info, "here_document", "",
             "the training's command stands in a here-document, which is read as a part "
             "of the script"});
    }

    // Of several commands the one with the most of a model in it is the training.
    LaunchCommand choose() {
        std::size_t best = 0;
        LaunchCommand chosen;
        std::size_t trainings = 0;
        for (const ShellCommand& command : script_.commands) {
            note_overrides(command);
            const bool flags = std::any_of(command.words.begin(), command.words.end(),
                                           [](const ShellWord& w) { return w.text.starts_with("--"); });
            if (!flags) continue;
            LaunchCommand read = read_launch_command(command.words, script_.variables);
            if (!read.evidently) {
                note_world(read);
                continue;
            }
            ++trainings;
            const std::size_t score = 2 * read.fields + (read.dialect == Dialect::swift ? 1 : 0) + 1;
            if (score >= best) {
                best = score;
                chosen = std::move(read);
                chosen_line_ = command.line;
            }
        }
        if (trainings > 1) {
            import_.problems.push_back(
                {Severity::info, "several_commands", "",
                 fmt::format("{} commands have flags of a training; that of line {} is read", trainings,
                             chosen_line_)});
        }
        if (best == 0) return from_variables();
        kind_ = "launch script";
        return chosen;
    }

    // "python -m trainer model.tensor_model_parallel_size=4": the command with the most of them.
    void note_overrides(const ShellCommand& command) {
        std::vector<OverrideWord> words;
        for (const ShellWord& word : command.words) {
            const Open* open = script_.variables.open_in(word.text);
            std::string text = open == nullptr ? word.text : script_.variables.readable(word.text);
            if (!is_override(text)) continue;
            words.push_back({std::move(text), word.line, open == nullptr ? std::string() : open->message});
        }
        if (words.size() > overrides_.size()) overrides_ = std::move(words);
    }

    // Commands that start one, such as srun around bash -c.
    void note_world(const LaunchCommand& read) {
        for (const Argument& argument : read.arguments) {
            if (argument.flag == "--nodes" || argument.flag == "--gpus-per-node") outer_.push_back(argument);
        }
    }

    // Only arrays and strings of flags, no command: a part of a script.
    LaunchCommand from_variables() {
        std::vector<ShellWord> words;
        for (const std::string& name : script_.variables.order()) {
            const ShellValue* found = script_.variables.find(name);
            if (found == nullptr) continue;
            const ShellValue& value = *found;
            for (const ShellWord& word : value.words) {
                if (value.array) {
                    words.push_back(word);
                } else if (trim(word.text).starts_with("--")) {
                    for (const std::string_view part : split(word.text, ' ')) {
                        if (!trim(part).empty()) words.push_back({std::string(trim(part)), word.line});
                    }
                }
            }
        }
        kind_ = "lists of flags";
        return read_launch_command(words, script_.variables);
    }

    bool has(const LaunchCommand& chosen, std::string_view flag) const {
        return std::any_of(chosen.arguments.begin(), chosen.arguments.end(),
                           [&](const Argument& a) { return canonical_flag(a.flag) == flag; });
    }

    bool is_known(const LaunchCommand& chosen, std::string_view flag) const {
        return std::any_of(chosen.arguments.begin(), chosen.arguments.end(),
                           [&](const Argument& a) { return a.flag == flag && a.unresolved.empty(); });
    }

    void add_variable(LaunchCommand& chosen, std::string_view variable, std::string_view flag) {
        const ShellValue* value = script_.variables.find(variable);
        if (value == nullptr || value->words.size() != 1) return;
        const std::string& text = value->words[0].text;
        Argument argument{std::string(flag),
                          {},
                          value->words[0].line,
                          fmt::format("{}={}", variable, script_.variables.readable(text))};
        if (const Open* open = script_.variables.open_in(text)) {
            argument.unresolved = open->message;
        } else {
            argument.values.push_back(text);
        }
        chosen.arguments.push_back(std::move(argument));
    }

    void add_environment(LaunchCommand& chosen) {
        for (const Environment& row : kEnvironment)
            add_variable(chosen, row.variable, row.field);
        add_attention(chosen);
    }

    // TransformerEngine's switches, where Megatron-LM's own flag doesn't set them
    // (transformer_engine/pytorch/attention/dot_product_attention/utils.py).
    void add_attention(LaunchCommand& chosen) {
        if (has(chosen, "--attention-backend")) return;
        const auto off = [&](std::string_view name) {
            const ShellValue* value = script_.variables.find(name);
            return value != nullptr && value->words.size() == 1 && value->words[0].text == "0";
        };
        const bool flash = !off("NVTE_FLASH_ATTN");
        const bool fused = !off("NVTE_FUSED_ATTN");
        if (flash && fused) return;
        const std::string_view name = flash ? "NVTE_FUSED_ATTN" : "NVTE_FLASH_ATTN";
        const ShellValue* value = script_.variables.find(name);
        chosen.arguments.push_back({"--attention-backend",
                                    {flash   ? "flash"
                                     : fused ? "fused"
                                             : "unfused"},
                                    value->line,
                                    fmt::format("{}=0", name)});
    }

    // The number of GPUs, from the strongest word about it to the weakest.
    void add_world(LaunchCommand& chosen) {
        if (has(chosen, "--world-size")) return;
        struct Candidate {
            std::string_view flag;
            std::string_view variable;
        };
        constexpr std::array kCandidates = {
            Candidate{"--nodes", "SLURM_NNODES"},
            Candidate{"--nodes", "NNODES"},
            Candidate{"--nodes", "NUM_NODES"},
            Candidate{"--gpus-per-node", "SLURM_GPUS_PER_NODE"},
            Candidate{"--gpus-per-node", "SLURM_GPUS_ON_NODE"},
            Candidate{"--gpus-per-node", "NPROC_PER_NODE"},
            Candidate{"--gpus-per-node", "GPUS_PER_NODE"},
            Candidate{"--gpus-per-node", "NUM_GPUS_PER_NODE"},
            Candidate{"--gpus-per-node", "NPUS_PER_NODE"},
        };
        for (const Argument& argument : outer_) {
            if (!is_known(chosen, argument.flag)) add_or_replace(chosen, argument);
        }
        for (const Candidate& candidate : kCandidates) {
            if (is_known(chosen, candidate.flag)) continue;
            LaunchCommand found;
            add_variable(found, candidate.variable, candidate.flag);
            if (!found.arguments.empty()) add_or_replace(chosen, found.arguments.front());
        }
        const ShellValue* tasks = script_.variables.find("SLURM_NTASKS_PER_NODE");
        if (!is_known(chosen, "--gpus-per-node") && tasks != nullptr && tasks->words[0].text != "1") {
            LaunchCommand found;
            add_variable(found, "SLURM_NTASKS_PER_NODE", "--gpus-per-node");
            add_or_replace(chosen, found.arguments.front());
        }
        const ShellValue* visible = script_.variables.find("CUDA_VISIBLE_DEVICES");
        if (!has(chosen, "--gpus-per-node") && visible != nullptr && visible->words.size() == 1 &&
            !ShellVariables::is_open(visible->words[0].text) && !visible->words[0].text.empty()) {
            const std::string& list = visible->words[0].text;
            const auto count = std::count(list.begin(), list.end(), ',') + 1;
            chosen.arguments.push_back({"--gpus-per-node",
                                        {fmt::format("{}", count)},
                                        visible->words[0].line,
                                        fmt::format("CUDA_VISIBLE_DEVICES={}", list)});
        }
        if (is_known(chosen, "--gpus-per-node") && !has(chosen, "--nodes")) {
            // torchrun and ms-swift start one node unless they are told otherwise.
            chosen.arguments.push_back({"--nodes", {"1"}, 0, "one node, unless more are named"});
        }
    }

    static void add_or_replace(LaunchCommand& chosen, const Argument& argument) {
        const auto open = std::find_if(chosen.arguments.begin(), chosen.arguments.end(),
                                       [&](const Argument& a) { return a.flag == argument.flag; });
        if (open == chosen.arguments.end()) {
            chosen.arguments.push_back(argument);
        } else if (argument.unresolved.empty()) {
            *open = argument;
        }
    }

    // The overrides, with the number of GPUs that the script tells beside them.
    Import finish_overrides(const LaunchCommand& chosen) {
        Import import = import_override_words(overrides_);
        import.problems.insert(import.problems.begin(), import_.problems.begin(), import_.problems.end());
        import.problems.insert(import.problems.begin(), script_.problems.begin(), script_.problems.end());
        Import world = read_arguments(chosen.arguments, import.format, Dialect::bridge);
        for (Taken& taken : world.taken) {
            const bool known = std::any_of(import.taken.begin(), import.taken.end(),
                                           [&](const Taken& t) { return t.key == taken.key; });
            if (known) continue;
            const auto silent = std::find_if(import.defaults.begin(), import.defaults.end(),
                                             [&](const Taken& t) { return t.key == taken.key; });
            if (silent != import.defaults.end()) import.defaults.erase(silent);
            import.taken.push_back(std::move(taken));
        }
        return import;
    }

    Import finish(LaunchCommand chosen) {
        Problems problems = std::move(import_.problems);
        std::move(script_.problems.begin(), script_.problems.end(), std::back_inserter(problems));
        std::move(chosen.problems.begin(), chosen.problems.end(), std::back_inserter(problems));
        Import import = read_arguments(chosen.arguments, Format::launch_script, chosen.dialect);
        import.recognised =
            fmt::format("{} of {}{}", kind_, chosen.dialect == Dialect::swift ? "ms-swift" : "Megatron-LM",
                        chosen.program.empty() ? "" : fmt::format(" ({})", chosen.program));
        std::move(import.problems.begin(), import.problems.end(), std::back_inserter(problems));
        import.problems = std::move(problems);
        const bool world = std::any_of(import.taken.begin(), import.taken.end(), [](const Taken& t) {
            return t.key == "nodes" || t.key == "gpus_per_node";
        });
        for (Question& question : chosen.questions) {
            if (question.key == "nodes" && world) continue;
            import.questions.push_back(std::move(question));
        }
        const auto asked = [&](std::string_view key) {
            return std::any_of(import.questions.begin(), import.questions.end(),
                               [&](const Question& q) { return q.key == key; });
        };
        if (!world && !asked("nodes") && !asked("gpus_per_node") && !import.taken.empty()) {
            import.questions.push_back({"nodes", "", 0, "the text doesn't say how many GPUs there are"});
        }
        const auto knows = [&](std::string_view key) {
            return asked(key) || std::any_of(import.taken.begin(), import.taken.end(),
                                             [&](const Taken& t) { return t.key == key; });
        };
        if (knows("nodes") && !knows("gpus_per_node") && !asked("nodes")) {
            import.questions.push_back(
                {"gpus_per_node", "", 0, "the text doesn't say how many GPUs a node has"});
        }
        if (import.taken.empty() && import.questions.empty()) {
            import.problems.push_back({Severity::error, "no_arguments", "",
                                       "no flag of a training stands in this text that sets a field"});
            import.defaults.clear();
        }
        return import;
    }

    Import import_;
    std::string text_;
    ShellScript script_;
    std::vector<Argument> outer_;
    std::vector<OverrideWord> overrides_;
    std::string kind_;
    std::size_t chosen_line_ = 0;
};

}  // namespace

Import import_launch_script(std::string_view text) {
    return ScriptReader(text).read();
}

bool has_flags(std::string_view written) {
    // Dashes of word processors count too.
    std::string plain;
    std::string_view text = written;
    if (text.find("\xE2\x80\x93") != std::string_view::npos ||
        text.find("\xE2\x80\x94") != std::string_view::npos) {
        Problems problems;
        plain = plain_text(text, problems);
        text = plain;
    }
    for (std::size_t at = text.find("--"); at != std::string_view::npos; at = text.find("--", at + 2)) {
        const char after = at + 2 < text.size() ? text[at + 2] : ' ';
        const bool letter = (after >= 'a' && after <= 'z') || (after >= 'A' && after <= 'Z');
        const bool begins =
            at == 0 || std::string_view(" \t\n\"'(=").find(text[at - 1]) != std::string_view::npos;
        if (letter && begins) return true;
    }
    return false;
}

}  // namespace megamem
