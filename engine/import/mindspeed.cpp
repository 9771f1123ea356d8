#include "import/mindspeed.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "import/argument_editor.h"

namespace megamem {

namespace {

// Dense layers first: mindspeed_llm/core/transformer/transformer_block.py:163 of Ascend/MindSpeed-LLM.
void set_dense_layers(ArgumentEditor& stream) {
    const Argument* dense = stream.find("--first-k-dense-replace");
    if (dense == nullptr) return;
    const Argument found = *dense;
    stream.remove("--first-k-dense-replace");
    const std::string value = found.values.empty() ? std::string() : found.values.front();
    const Argument* every = stream.find("--moe-layer-freq");
    const bool all = every == nullptr || (every->unresolved.empty() && every->values.size() == 1 &&
                                          (every->values[0] == "1" || every->values[0] == "-1"));
    if (value == "-1") {  // none, its default
        if (every != nullptr && every->values.size() == 1 && every->values[0] == "-1")
            stream.remove("--moe-layer-freq");
    } else if (all) {
        stream.remove("--moe-layer-freq");
        stream.add("num_dense_layers", value, found);
    } else {
        stream.ask("num_dense_layers", "with --moe-layer-freq: which layers have experts?", found);
    }
}

// features_manager/moe/shared_expert.py: as many times the width of an expert, or of the MLP.
void set_shared_experts(ArgumentEditor& stream) {
    const Argument* experts = stream.find("--n-shared-experts");
    if (experts == nullptr || stream.find("--moe-shared-expert-intermediate-size") != nullptr) return;
    const Argument found = *experts;
    if (stream.find("--moe-ffn-hidden-size") == nullptr)
        stream.rename("--moe-intermediate-size", "--moe-ffn-hidden-size");
    const auto count = stream.number("--n-shared-experts", 1000);
    auto width = stream.number("--moe-ffn-hidden-size", 1 << 20);
    if (!width && stream.find("--moe-ffn-hidden-size") == nullptr)
        width = stream.number("--ffn-hidden-size", 1 << 20);
    stream.remove("--n-shared-experts");
    if (count && width)
        stream.add("--moe-shared-expert-intermediate-size", fmt::format("{}", *count * *width), found);
    else if (found.values.empty() || found.values.front() != "0")
        stream.ask("--moe-shared-expert-intermediate-size", "the width of an expert isn't known here", found);
}

// core/context_parallel: Ulysses exchanges heads, Megatron's rings pass keys and values.
void set_context(ArgumentEditor& stream) {
    const Argument* algorithm = stream.find("--context-parallel-algo");
    if (algorithm == nullptr || algorithm->values.empty()) return;
    const Argument found = *algorithm;
    const std::string_view value = found.values.front();
    if (value != "ulysses_cp_algo" && value != "megatron_cp_algo") return;
    stream.remove("--context-parallel-algo");
    stream.add("--cp-comm-type", value == "ulysses_cp_algo" ? "a2a" : "p2p", found);
}

// pipeline_parallel/noop_layers: layers of --num-layers that do nothing, to fill up the stages.
void ask_for_layers(ArgumentEditor& stream) {
    const Argument* noop = stream.find_on("--noop-layers");
    if (noop == nullptr) return;
    const Argument found = *noop;
    stream.remove("--noop-layers");
    const auto all = stream.number("--num-layers");
    std::int64_t idle = 0;
    for (const std::string& value : found.values)
        idle += 1 + std::count(value.begin(), value.end(), ',');
    stream.ask(
        "--num-layers",
        all && idle < *all
            ? fmt::format("{} of the {} layers do nothing: {} layers, in a pipeline layout that leaves "
                          "their places empty?",
                          idle, *all, *all - idle)
            : std::string("layers that do nothing are counted in it"),
        found);
}

}  // namespace

std::vector<Argument> with_mindspeed(std::vector<Argument> arguments) {
    ArgumentEditor stream(std::move(arguments));
    set_dense_layers(stream);
    set_shared_experts(stream);
    set_context(stream);
    ask_for_layers(stream);
    return stream.take();
}

}  // namespace megamem
