#include "import/measured_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json_reader.h"
#include "base/text.h"
#include "import/megatron_arguments.h"
#include "model/software.h"
#include "scenario/field.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

std::string text_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string text_member(const Json& object, const char* key) {
    const Json* value = member(object, key);
    return value == nullptr ? std::string() : text_of(*value);
}

std::optional<std::int64_t> whole_member(const Json& object, const char* key) {
    const Json* value = member(object, key);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    const double number = value->get<double>();
    if (!(number >= 0) || number > 9e15) return std::nullopt;
    return static_cast<std::int64_t>(std::llround(number));
}

// A switch that is anything else than true is off: value() would end the program on a string.
bool is_true(const Json& object, const char* key) {
    const Json* value = member(object, key);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

// Given, and not turned off.
bool is_given(const Json& object, std::string_view key) {
    const auto found = object.find(key);
    return found != object.end() && !found->is_null() && *found != Json(false);
}

std::vector<Argument> arguments_of(const Json& map) {
    std::vector<Argument> arguments;
    for (const auto& [flag, value] : map.items()) {
        Argument argument{flag, {}};
        if (value.is_array()) {
            for (const Json& item : value)
                argument.values.push_back(text_of(item));
        } else if (!value.is_null() && !(value.is_boolean() && value.get<bool>())) {
            argument.values.push_back(text_of(value));
        }
        arguments.push_back(std::move(argument));
    }
    return arguments;
}

struct GpuName {
    std::string_view in;
    std::string_view id;
};

// "Runs of an unnamed machine behave as H100 in the newer container and as A100 in the older one."
constexpr std::array kGpuNames = {
    GpuName{"a100", "A100-80"}, GpuName{"h100", "H100-80"},    GpuName{"gb200", "GB200"},
    GpuName{"B200", "B200"},    GpuName{"4090", "RTX4090-24"}, GpuName{"g7e", "RTXPRO6000-96"},
};

std::string gpu_of(std::string_view name, bool older_container) {
    for (const GpuName& known : kGpuNames) {
        if (name.find(known.in) != std::string_view::npos) return std::string(known.id);
    }
    return older_container || !name.empty() ? "A100-80" : "H100-80";
}

// The older container ("lts") came with a TransformerEngine of its own: NGC 24.01 until 23a1dcaf74 of
// 2025-11-06.
std::string older_transformer_engine(std::string_view date) {
    const auto at = parse_date(date.substr(0, 10));
    return !at || *at < Date{2025, 11, 6} ? "1.2" : "2.9";
}

// Arguments of runs that are no GPT model, or do more than train one: their figures are of other things.
struct Foreign {
    std::string_view flag;
    std::string_view reason;
};
constexpr std::array kForeign = {
    Foreign{"--export-kd-teacher-load", "a distillation teacher of unknown shape"},
    Foreign{"--is-hybrid-model", "a hybrid of Mamba and attention layers"},
    Foreign{"--hybrid-layer-pattern", "a hybrid of Mamba and attention layers"},
    Foreign{"--hybrid-override-pattern", "a hybrid of Mamba and attention layers"},
    Foreign{"--mamba-num-heads", "a hybrid of Mamba and attention layers"},
    Foreign{"--experimental-attention-variant", "attention of an experimental kind"},
    Foreign{"--heterogeneous-layers-config-path", "layers that differ by a file of their own"},
    Foreign{"--spec", "layers of a specification of their own"},
    Foreign{"--encoder-num-layers", "an encoder beside the decoder (T5)"},
    Foreign{"--decoder-num-layers", "an encoder beside the decoder (T5)"},
    Foreign{"--bert-no-binary-head", "BERT's heads"},
    Foreign{"--img-h", "a vision tower whose shape isn't among the arguments"},
    Foreign{"--model-provider", "a model built by its own provider (MIMO)"},
    Foreign{"--perform-rl-step", "reinforcement learning, whose figures hold inference's memory too"},
};

constexpr std::string_view kNewTokenizer = "2025-08";  // from here on the NullTokenizer adds no token

class RunReader {
  public:
    explicit RunReader(const Json& json) : json_(json) {}

    MeasuredRun read() {
        run_.id = text_member(json_, "id");
        read_source();
        if (const Json* flags = member(json_, "flags"); flags != nullptr && flags->is_array()) {
            for (const Json& flag : *flags)
                run_.flags.push_back(text_of(flag));
        }
        const Json* arguments = member(json_, "args");
        if (arguments == nullptr || !arguments->is_object()) {
            run_.not_covered = "no arguments";
            return std::move(run_);
        }
        ImportedArguments imported = import_arguments(arguments_of(*arguments));
        run_.scenario = std::move(imported.scenario);
        run_.problems = std::move(imported.problems);
        set("name", run_.id);
        run_.not_covered = foreign(*arguments);
        read_vocabulary(*arguments);
        read_software();
        read_world();
        read_measurements();
        read_peers();
        return std::move(run_);
    }

  private:
    std::string foreign(const Json& arguments) const {
        for (const Foreign& row : kForeign) {
            if (is_given(arguments, row.flag)) return std::string(row.reason);
        }
        // BERT has no flag that all its runs bear; data, tokenizers and test cases have its name.
        const auto names = [](std::string_view text) { return text.find("bert") != text.npos; };
        const bool bert = text_member(arguments, "--tokenizer-type").starts_with("Bert") ||
                          names(text_member(arguments, "--data-path")) ||
                          names(text_member(arguments, "--vocab-file")) || names(run_.source);
        return bert ? "BERT's heads" : "";
    }

    void read_source() {
        const Json* source = member(json_, "source");
        if (source == nullptr || !source->is_object()) return;
        date_ = text_member(*source, "recorded_date").substr(0, 10);
        run_.source = text_member(*source, "text");
        if (!run_.source.empty()) return;
        const auto either = [&](const char* key, const char* other) {
            const std::string text = text_member(*source, key);
            return text.empty() ? text_member(*source, other) : text;
        };
        run_.source = fmt::format("{}@{}:{}", text_member(*source, "repository"),
                                  either("commit", "recorded_commit"), either("path", "golden"));
        const std::string which = text_member(*source, "case");
        if (!which.empty()) run_.source += fmt::format(" ({})", which);
    }

    // Without --vocab-size it is the tokenizer's; some releases' NullTokenizer adds one.
    void read_vocabulary(const Json& arguments) {
        const std::string type = text_member(arguments, "--tokenizer-type");
        OptionalInt& vocabulary = run_.scenario.vocab_size;
        if (vocabulary) {
            const bool adds = is_true(json_, "tokenizer_adds_one") ||
                              (type == "NullTokenizer" && !date_.empty() && date_ < kNewTokenizer);
            if (adds) (void)set_integer(run_.scenario, *find_field("vocab_size"), *vocabulary + 1);
            return;
        }
        const bool nemotron = text_member(arguments, "--tokenizer-model").find("256k") != std::string::npos ||
                              type == "GPTSentencePieceTokenizer";
        vocabulary = nemotron ? 256000 : type == "Llama2Tokenizer" ? 32000 : 50257;
    }

    void read_software() {
        Scenario& s = run_.scenario;
        const std::string software = text_member(json_, "software");
        const bool older = software == "lts";
        if (software.find("legacy") != std::string::npos || software.find("2023") != std::string::npos)
            run_.flags.push_back("legacy");
        s.gpu = gpu_of(text_member(json_, "gpu"), older);
        set("framework_version", date_);
        const std::string engine = text_member(json_, "transformer_engine");
        if (!engine.empty()) {
            set("transformer_engine_version", engine);
        } else if (older) {
            s.transformer_engine_version = older_transformer_engine(date_);
        }
        const std::string container = text_member(json_, "container");
        if (container.starts_with("NGC ")) set("container_version", std::string_view(container).substr(4));
        if (date_.empty()) {
            // Published with a commit of a release, or of a stack older than every rule.
            const std::string commit = text_member(json_, "megatron_commit");
            s.framework_version = commit.starts_with("23e00ed0") ? "core_v0.14.0" : "2023-07-01";
            if (engine.empty()) s.transformer_engine_version = "1.0";
        }
        const Json* variables = member(json_, "env_vars");
        if (variables != nullptr) {
            set("cublas_workspace_config", text_member(*variables, "CUBLAS_WORKSPACE_CONFIG"));
            s.nvte_allow_nondeterministic_algo =
                text_member(*variables, "NVTE_ALLOW_NONDETERMINISTIC_ALGO") != "0";
        }
        const bool single =
            std::find(run_.flags.begin(), run_.flags.end(), "single_step") != run_.flags.end();
        s.first_iteration = single || is_true(json_, "first_iteration");
        s.nccl_buffer_gib = Decimal4{0};  // figures are of torch's allocator
    }

    void read_world() {
        Scenario& s = run_.scenario;
        auto world = whole_member(json_, "world_size");
        if (!world) {
            world = whole_member(json_, "world_size_inferred");
            run_.world_size_inferred = world.has_value();
        }
        // A node of GB200 has 4 GPUs; the record's guess for a one-node test is the 8 of other machines.
        const bool guess = text_member(json_, "world_size_source").find("guess") != std::string::npos;
        if (guess && run_.id.find("_1node@dgx_gb200") != std::string::npos) world = 4;
        // CI's own tests run on one node of 8 unless they are release tests.
        const bool unnamed =
            run_.id.find("@None@") != std::string::npos && run_.id.find("release") == std::string::npos;
        if (!world && unnamed) world = 8;
        if (!world) {
            run_.not_covered = "world size unknown";
            return;
        }
        if (*world < 1 || *world > find_field("nodes")->max) {
            run_.not_covered = fmt::format("no cluster has {} GPUs", *world);
            return;
        }
        // How they stand in nodes decides no byte, and any number of GPUs can be that of one-GPU nodes.
        const bool one_node = *world <= find_field("gpus_per_node")->max;
        s.nodes = one_node ? 1 : *world;
        s.gpus_per_node = one_node ? *world : 1;
    }

    void read_measurements() {
        if (const Json* stages = member(json_, "stages")) {
            for (const Json& stage : *stages) {
                if (stage.is_object()) add_stage(stage);
            }
        } else {
            add_stage(json_);
        }
        if (run_.stages.empty() && run_.not_covered.empty()) run_.not_covered = "nothing was measured";
    }

    void add_stage(const Json& stage) {
        const MeasuredStage measured{whole_member(stage, "pipeline_rank").value_or(-1),
                                     whole_member(stage, "steady_bytes"), whole_member(stage, "peak_bytes"),
                                     whole_member(stage, "reserved_bytes")};
        if (measured.steady || measured.peak || measured.reserved) run_.stages.push_back(measured);
    }

    void read_peers() {
        const Json* peers = member(json_, "peers");
        if (peers == nullptr || !peers->is_object()) return;
        for (const auto& [name, value] : peers->items()) {
            PeerFigure figure{name, {}};
            if (value.is_number()) figure.gib.push_back(value.get<double>());
            if (value.is_array() || value.is_object()) {
                for (const Json& item : value) {
                    if (item.is_number()) figure.gib.push_back(item.get<double>());
                }
            }
            if (!figure.gib.empty()) run_.peers.push_back(std::move(figure));
        }
    }

    // A text that its field doesn't take is told and left out.
    void set(std::string_view key, std::string_view text) {
        if (auto problem = set_text(run_.scenario, *find_field(key), text)) {
            problem->severity = Severity::warning;
            run_.problems.push_back(std::move(*problem));
        }
    }

    const Json& json_;
    MeasuredRun run_;
    std::string date_;
};

}  // namespace

ReadRuns read_measured_runs(std::string_view text) {
    ReadRuns result;
    ReadJson json = read_json(text);
    result.problems = std::move(json.problems);
    if (has_error(result.problems)) return result;
    if (!json.value.is_array()) {
        result.problems.push_back(
            {Severity::error, "not_runs", "",
             fmt::format("measured runs are a JSON array, not {}", kind_of(json.value))});
        return result;
    }
    if (json.value.empty()) {
        result.problems.push_back({Severity::error, "no_runs", "", "the file holds no measured runs"});
        return result;
    }
    for (const Json& run : json.value) {
        if (run.is_object()) {
            result.runs.push_back(RunReader(run).read());
            continue;
        }
        MeasuredRun unread;
        unread.id = fmt::format("[{}]", result.runs.size());
        unread.not_covered = fmt::format("a run is an object, not {}", kind_of(run));
        result.runs.push_back(std::move(unread));
    }
    return result;
}

}  // namespace megamem
