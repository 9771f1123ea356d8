#include "import/launch_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "import/argument_names.h"
#include "import/argument_values.h"
#include "import/overrides.h"

namespace megamem {

namespace {

// What torchrun, srun and containers are told beside the number of processes; it decides no byte.
constexpr std::array<std::string_view, 40> kLauncherFlags = {"--account",
                                                             "--container-image",
                                                             "--container-mounts",
                                                             "--cpu-bind",
                                                             "--cpus-per-task",
                                                             "--device",
                                                             "--env",
                                                             "--error",
                                                             "--exclusive",
                                                             "--export",
                                                             "--gpus",
                                                             "--hostfile",
                                                             "--job-name",
                                                             "--kill-on-bad-exit",
                                                             "--label",
                                                             "--local-addr",
                                                             "--local-ranks-filter",
                                                             "--log-dir",
                                                             "--master-addr",
                                                             "--master-port",
                                                             "--max-restarts",
                                                             "--mem",
                                                             "--module",
                                                             "--monitor-interval",
                                                             "--mpi",
                                                             "--no-container-mount-home",
                                                             "--no-python",
                                                             "--node-rank",
                                                             "--ntasks",
                                                             "--output",
                                                             "--partition",
                                                             "--rdzv-backend",
                                                             "--rdzv-conf",
                                                             "--rdzv-endpoint",
                                                             "--rdzv-id",
                                                             "--redirects",
                                                             "--role",
                                                             "--start-method",
                                                             "--tee",
                                                             "--time"};

constexpr std::size_t kMostFlags = 10'000;

bool is_flag(std::string_view word) {
    return word.size() > 2 && word.starts_with("--");
}

bool is_number(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

class Reader {
  public:
    Reader(const std::vector<ShellWord>& words, const ShellVariables& variables)
        : words_(words), variables_(variables) {}

    LaunchCommand read() {
        const std::size_t program = find_program();
        if (program > 0) {
            read_launcher(program);
            ask_launcher(program);
        } else if (!words_.empty() && !is_flag(words_[0].text)) {
            read_launcher(words_.size());
        }
        read_flags(program);
        find_dialect();
        add_world();
        count_fields();
        return std::move(out_);
    }

  private:
    // Where the training's own words begin: after "pretrain_gpt.py" or "megatron sft"; 0 where the words are
    // flags throughout.
    std::size_t find_program() {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::string_view word = words_[i].text;
            if (word.ends_with(".py")) {
                out_.program = base_name(word);
                return i + 1;
            }
            if (word == "-m" && i + 1 < words_.size() &&
                !words_[i + 1].text.starts_with("torch.distributed")) {
                out_.program = words_[i + 1].text;
                return i + 2;
            }
            const std::string_view name = base_name(word);
            if ((name == "megatron" || name == "swift") && i + 1 < words_.size() &&
                !words_[i + 1].text.starts_with('-')) {
                std::size_t sub = i + 1;
                if (words_[sub].text == "megatron" && sub + 1 < words_.size()) ++sub;
                out_.program = fmt::format("megatron {}", words_[sub].text);
                out_.dialect = Dialect::swift;
                return sub + 1;
            }
        }
        return 0;
    }

    // A candidate for nodes or GPUs of a node; the strongest counts.
    struct World {
        int rank = 0;
        Argument argument;
    };

    void offer(World& world, int rank, std::string_view flag, const ShellWord& value, std::string source) {
        Argument argument{std::string(flag), {}, value.line, std::move(source)};
        if (const Open* open = variables_.open_in(value.text)) {
            argument.unresolved = open->message;
            rank -= 10;  // any known number is better
        } else {
            argument.values.push_back(value.text);
        }
        if (world.rank == 0 || rank > world.rank) world = {rank, std::move(argument)};
    }

    // torchrun --nproc_per_node 8 --nnodes=2, srun -N 4 --ntasks-per-node 8, mpirun -np 16, deepspeed.
    bool take_world(std::string_view written, const ShellWord& value, std::string source) {
        const std::string flag = is_flag(written) ? canonical_flag(written) : std::string(written);
        ShellWord last = value;
        last.text = value.text.substr(value.text.rfind(':') == std::string::npos ||
                                              ShellVariables::is_open(value.text)
                                          ? 0
                                          : value.text.rfind(':') + 1);
        if (flag == "--nnodes" || flag == "--num-nodes") {
            offer(nodes_, 30, "--nodes", value, std::move(source));
        } else if (flag == "--actor-num-nodes") {  // slime
            offer(nodes_, 25, "--nodes", value, std::move(source));
        } else if (flag == "--actor-num-gpus-per-node") {
            offer(gpus_, 25, "--gpus-per-node", value, std::move(source));
        } else if (flag == "--nodes" || flag == "-N") {
            offer(nodes_, 20, "--nodes", value, std::move(source));
        } else if (flag == "--nproc-per-node") {
            if (value.text == "gpu" || value.text == "auto") {
                gpus_ = {30,
                         {"--gpus-per-node", {}, value.line, std::move(source), "it is what the node has"}};
            } else {
                offer(gpus_, 30, "--gpus-per-node", value, std::move(source));
            }
        } else if (flag == "--num-gpus" || flag == "--gpus-per-node" || flag == "--num-gpus-per-node") {
            offer(gpus_, 25, "--gpus-per-node", last, std::move(source));
        } else if (flag == "--gres") {
            if (value.text.starts_with("gpu")) offer(gpus_, 24, "--gpus-per-node", last, std::move(source));
        } else if (flag == "--ntasks-per-node") {
            if (value.text != "1") offer(gpus_, 20, "--gpus-per-node", value, std::move(source));
        } else if (flag == "-np" || flag == "-n" || flag == "--np") {
            if (is_number(value.text) && value.text != "1")
                offer(total_, 20, "--world-size", value, std::move(source));
        } else {
            return false;
        }
        return true;
    }

    void read_launcher(std::size_t end) {
        for (std::size_t i = 0; i < end; ++i) {
            const std::string& word = words_[i].text;
            if (!word.starts_with('-')) continue;
            const std::size_t equals = word.find('=');
            if (equals != std::string::npos) {
                (void)take_world(word.substr(0, equals), {word.substr(equals + 1), words_[i].line},
                                 variables_.readable(word));
            } else if (i + 1 < end) {
                const ShellWord value{words_[i + 1].text, words_[i].line};
                (void)take_world(word, value, variables_.readable(word + ' ' + value.text));
            }
        }
    }

    // "torchrun $DISTRIBUTED_ARGS pretrain_gpt.py": the number of processes hides in it.
    void ask_launcher(std::size_t end) {
        if (nodes_.rank == 0 && gpus_.rank == 0) {
            for (std::size_t i = 0; i < end; ++i) {
                const Open* open = variables_.open_in(words_[i].text);
                if (open == nullptr || i == 0 || words_[i - 1].text.starts_with('-')) continue;
                if (ShellVariables::without_marks(words_[i].text).empty()) {
                    out_.questions.push_back(
                        {"nodes", variables_.readable(words_[i].text), words_[i].line,
                         fmt::format("{}: it may say how many GPUs there are", open->message)});
                }
            }
        }
    }

    void read_flags(std::size_t begin) {
        bool first = begin == 0;
        std::size_t i = begin;
        while (i < words_.size()) {
            const ShellWord& word = words_[i];
            if (!is_flag(word.text)) {
                // Before the first flag of a bare list stands the command.
                if (!first) stray(word);
                ++i;
                continue;
            }
            first = false;
            i = read_flag(i);
            if (out_.arguments.size() < kMostFlags) continue;
            out_.problems.push_back({Severity::warning, "too_long", "",
                                     fmt::format("line {}: more than {} flags stand in one command; the rest "
                                                 "isn't read",
                                                 word.line, kMostFlags)});
            return;
        }
    }

    std::size_t read_flag(std::size_t at) {
        const ShellWord& word = words_[at];
        std::string written = word.text;
        Argument argument;
        argument.line = word.line;
        // The mark of a condition stands at the flag's end.
        std::string glued;
        bool has_glued = false;
        const std::size_t equals = written.find('=');
        if (equals != std::string::npos) {
            glued = written.substr(equals + 1);
            written.resize(equals);
            has_glued = true;
        }
        argument.source = variables_.readable(written);
        if (const Open* open = variables_.open_in(written)) argument.unresolved = open->message;
        argument.flag = ShellVariables::without_marks(written);
        std::size_t next = at + 1;
        if (has_glued) {
            put(argument, glued);
            argument.source = variables_.readable(word.text);
        }
        const Dialect dialect = out_.dialect;
        const auto arity = arity_of(canonical_flag(argument.flag), dialect);
        while (!has_glued && next < words_.size() && !is_flag(words_[next].text)) {
            const std::string& value = words_[next].text;
            const bool open = ShellVariables::is_open(value);
            // Of a flag that nobody knows: an array without a value hides flags of its own.
            if (!arity && open && hides_flags(value)) break;
            if (arity == Arity::none && (open || (!means_on(value) && !means_off(value)))) break;
            if (arity != Arity::several && !argument.values.empty()) break;
            if (arity == Arity::one && !argument.unresolved.empty() && next > at + 1) break;
            put(argument, value);
            argument.source += ' ';
            argument.source += variables_.readable(value.size() > 200 ? value.substr(0, 200) : value);
            ++next;
            if (arity == Arity::none || arity == Arity::one || (!arity && open)) break;
        }
        const std::string flag = canonical_flag(argument.flag);
        const ShellWord value{!argument.values.empty() ? argument.values[0]
                              : next > at + 1          ? words_[next - 1].text
                                                       : glued,
                              word.line};
        if (!value.text.empty() && flag != "--world-size" &&
            take_world(argument.flag, value, argument.source))
            return next;
        const bool launcher =
            std::binary_search(kLauncherFlags.begin(), kLauncherFlags.end(), std::string_view(flag));
        if (launcher && !find_known_flag(flag, dialect)) return next;
        out_.arguments.push_back(std::move(argument));
        return next;
    }

    bool hides_flags(const std::string& value) const {
        const std::string shown = variables_.readable(value);
        return shown.find("[@]") != std::string::npos || shown.find("[*]") != std::string::npos;
    }

    void put(Argument& argument, const std::string& value) {
        if (const Open* open = variables_.open_in(value)) {
            if (argument.unresolved.empty()) argument.unresolved = open->message;
        } else {
            argument.values.push_back(value);
        }
    }

    void stray(const ShellWord& word) {
        if (const Open* open = variables_.open_in(word.text)) {
            if (out_.questions.size() < 50) {
                out_.questions.push_back({"", variables_.readable(word.text), word.line,
                                          fmt::format("{}; flags may be missing", open->message)});
            }
            return;
        }
        if (is_override(word.text)) return;
        if (word.text.empty() || word.text == "-" || word.text.starts_with('-') || out_.problems.size() >= 20)
            return;
        out_.problems.push_back({Severity::warning, "stray_word", "",
                                 fmt::format("line {}: {} belongs to no flag", word.line, quote(word.text))});
    }

    // ms-swift without its command: its own words give it away.
    void find_dialect() {
        if (!out_.program.empty()) return;
        for (const Argument& argument : out_.arguments) {
            if (argument.flag == "--max_length" || argument.flag == "--tuner_type" ||
                argument.flag == "--train_type" || argument.flag == "--split_dataset_ratio")
                out_.dialect = Dialect::swift;
        }
    }

    void add_world() {
        if (nodes_.rank != 0) out_.arguments.push_back(nodes_.argument);
        if (gpus_.rank != 0) out_.arguments.push_back(gpus_.argument);
        if (nodes_.rank == 0 && gpus_.rank == 0 && total_.rank != 0)
            out_.arguments.push_back(total_.argument);
    }

    void count_fields() {
        for (const Argument& argument : out_.arguments) {
            const std::string flag = canonical_flag(argument.flag);
            const bool field =
                find_alias(flag, out_.dialect) != nullptr || find_argument_field(flag).field != nullptr;
            const bool world = flag == "--nodes" || flag == "--gpus-per-node";
            if (field && !world) ++out_.fields;
        }
        out_.evidently = out_.fields > 0 || out_.dialect == Dialect::swift;
    }

    const std::vector<ShellWord>& words_;
    const ShellVariables& variables_;
    LaunchCommand out_;
    World nodes_;
    World gpus_;
    World total_;
};

}  // namespace

LaunchCommand read_launch_command(const std::vector<ShellWord>& words, const ShellVariables& variables) {
    return Reader(words, variables).read();
}

}  // namespace megamem
