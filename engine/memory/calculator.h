// The `calculator` method: the requested calculator, to the byte. It is exact by its own rules, also where
// Megatron-LM does otherwise; each such place is among the report's assumptions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/integers.h"
#include "memory/plan.h"
#include "memory/report.h"
#include "pipeline/stages.h"
#include "scenario/defaults.h"
#include "scenario/scenario.h"

namespace megamem {

void calculate(const Plan& plan, Report& report);

namespace calculator {

// What every formula of the method needs, under the names of its text.
struct Terms {
    std::int64_t tp = 1;
    std::int64_t cp = 1;
    Wide hidden = 0;
    Wide vocab = 0;
    Wide query = 0;  // kv_channels * heads
    Wide key = 0;    // kv_channels * groups
    Wide ffn = 0;    // of an expert, or of a dense model's MLP
    Wide topk = 1;
    Wide shared = 0;  // shared_intermediate, 0 without a shared expert
    Wide tokens = 0;
    std::int64_t linear_bytes = 2;
    bool fp8 = false;
    bool recompute_moe_act = false;

    Wide dense_ffn() const { return ffn * topk; }
};

Terms terms_of(const Scenario& scenario, const Resolved& resolved);
Groups groups_of(const Scenario& scenario, const Resolved& resolved);

// The five state items of one module.
struct Module {
    std::string_view name;
    std::string_view formula;
    Part part = Part::language;
    std::int64_t multiplicity = 1;
    std::int64_t elements = 0;
    std::int64_t element_size = 2;
    std::int64_t shard_size = 1;
    bool fp8_cache = false;
};
void add_states(const Module& module, bool weight_2b_for_1b, std::vector<LineItem>& items);

void add_modules(const Plan& plan, const Terms& terms, const Groups& groups, const LayerCounts& layers,
                 std::vector<LineItem>& items);
// One activation term: floor(floor(product / TP) / CP) bytes for one layer.
struct ActivationTerm {
    enum class In { all, moe, dense, output };
    std::string_view name;
    std::string_view formula;
    Wide layer_bytes = 0;
    In layers = In::all;
    bool dropped = false;  // by moe_act recompute
};
std::vector<ActivationTerm> activation_terms(const Scenario& scenario, const Terms& terms);
void add_activations(const std::vector<ActivationTerm>& terms, const LayerCounts& layers, std::int64_t vpp,
                     std::vector<LineItem>& items);
void add_vision(const Plan& plan, const Groups& groups, std::vector<LineItem>& items);

Parameters parameters_of(const Plan& plan, const Terms& terms);
Wide vision_parameters(const Plan& plan);

void add_assumptions(const Plan& plan, const Terms& terms, Assumptions& assumptions);

}  // namespace calculator

}  // namespace megamem
