// The `megatron-report` method: the number that Megatron-LM prints at start-up, by
// megatron/training/theoretical_memory_usage.py. It is exact by that file's rules, also where the model
// differs from them; each such place is among the report's assumptions. That file computes in doubles, and
// some of its results are fractions of a byte, so this method does too, unlike the others.
//
// Line numbers without a file are of that file @d98e8a64.
#pragma once

#include <optional>
#include <vector>

#include "base/problem.h"
#include "memory/plan.h"
#include "memory/report.h"
#include "model/sizes.h"
#include "model/software.h"
#include "pipeline/stages.h"
#include "scenario/defaults.h"
#include "scenario/scenario.h"

namespace megamem {

// Of the plan's pipeline only the numbers of ranks and chunks are looked at.
void report_as_megatron(const Plan& plan, Report& report);

namespace megatron_report {

// The file changed three times between v0.15 and v0.19, whose file main@d98e8a64 has.
struct Rules {
    bool norms_by_kind =
        true;  // an RMSNorm is one vector and a LayerNorm two; before: two, and one inside MLA
    // Experts are divided by EP and ETP, and what TP replicates isn't divided; routers count. Before, TP
    // divides everything and nothing else does.
    bool split_by_kind = true;
    bool latent = true;  // moe_latent_size counts
};

Rules rules_of(const Software& software);

// Ranks and chunks of the pipeline, without its stages: the file divides layers evenly by PP, whatever a
// stage holds. So a split or layout that Megatron refuses is a warning here, unless it leaves VPP open.
std::optional<Pipeline> pipeline_size(const Scenario& scenario, const Resolved& resolved, Problems& problems);

struct Context {
    const Scenario& s;
    const Resolved& r;
    Sizes z;
    Software software;
    Rules rules;
    std::int64_t virtual_stages = 1;
    std::int64_t dense_layers = 0;
    std::int64_t moe_layers = 0;
    bool last_is_moe = false;  // the type of the last layer, which MTP layers take (51-57)

    double padded_vocab() const;
    // Which of the two activation formulas the file takes (466).
    bool with_sequence_parallel() const;
};

Context context_of(const Plan& plan, Problems& problems);

// How the parameters of a module are shared out among GPUs.
enum class Split { tensor, replicated, expert };

struct Module {
    std::string_view name;
    std::string_view formula;
    Split split = Split::tensor;
    double block = 0;         // in all decoder layers, or of the final norm
    double active_block = 0;  // the same, with the top-k of the experts only
    double mtp = 0;
};

std::vector<Module> modules_of(const Context& context);
Parameters parameters_of(const Context& context, const std::vector<Module>& modules);

std::vector<Shard> shards_of(const Context& context, const std::vector<Module>& modules);

// Of the first pipeline stage, where they are largest.
std::vector<ShardItem> activations_of(const Context& context);
// Micro-batches in flight there, as a share of PP.
double in_flight_share(const Context& context);

void add_assumptions(const Context& context, Assumptions& assumptions);

// A size as the double that the file computes with.
constexpr double real(Wide value) {
    return static_cast<double>(value);
}

}  // namespace megatron_report

}  // namespace megamem
