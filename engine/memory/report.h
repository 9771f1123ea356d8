// The result: one kind of line item for all methods. Every table (modules, activation terms, totals) is
// derived from the items, so that a method adds items, not schemas.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/integers.h"
#include "base/problem.h"
#include "pipeline/stages.h"
#include "scenario/defaults.h"
#include "scenario/method.h"

namespace megamem {

enum class Kind {
    weight,
    fp8_cache,
    grad,
    master,
    optimizer,
    activation,  // saved for backward by the micro-batches in flight
    transient,   // alive at the peak only, beside what is saved
    workspace,   // kept from start to end
    held,        // alive between steps but not at the peak
    reserve      // beyond what torch allocates
};

std::string_view name_of(Kind kind);
bool is_state(Kind kind);  // of parameters: weight, copies, gradient, optimizer

enum class Part { language, vision, reserve };

struct LineItem {
    std::string_view component;  // module or activation term; a literal
    Part part = Part::language;
    Kind kind = Kind::weight;
    Bytes bytes = 0;  // of the whole rank: multiplicity is in it
    std::int64_t multiplicity =
        1;  // layers, times the chunks or micro-batches in flight where the method has them
    std::int64_t elements = 0;  // of the module's parameters on the rank; 0 for other kinds than states
    std::string_view formula;   // id in formulas.h
    std::string_view module{};  // what it belongs to, where the component is finer than a module
};

struct LayerCounts {
    std::int64_t embedding = 0;
    std::int64_t dense = 0;
    std::int64_t moe = 0;
    std::int64_t mtp = 0;
    std::int64_t output = 0;
};

struct Totals {
    Bytes weight = 0;
    Bytes fp8_cache = 0;
    Bytes grad = 0;
    Bytes master = 0;
    Bytes optimizer = 0;
    Bytes activation = 0;
    Bytes vision = 0;
    Bytes transient = 0;
    Bytes workspace = 0;
    Bytes held = 0;
    Bytes reserve = 0;
    Bytes steady_allocated = 0;  // what torch reports between steps
    Bytes peak_allocated = 0;    // the most that torch reports
    Bytes peak_reserved = 0;     // likewise, with what the allocator holds besides
    Bytes total = 0;             // peak_allocated and reserve
};

struct RankReport {
    std::int64_t pipeline_rank = 0;
    LayerCounts layers;
    std::vector<std::string> chunks;  // its stages in layout letters, "Ettt"
    std::vector<LineItem> items;
    std::vector<std::int64_t>
        in_flight;                // micro-batches of each chunk at the peak; empty: the method has none
    std::string_view peak_event;  // where the peak is; empty: the method doesn't say
    Totals totals;
};

struct ModuleRow {
    std::string_view module;
    std::int64_t elements = 0;
    Bytes weight = 0;
    Bytes fp8_cache = 0;
    Bytes grad = 0;
    Bytes master = 0;
    Bytes optimizer = 0;
    std::int64_t multiplicity = 1;

    Bytes total() const { return weight + fp8_cache + grad + master + optimizer; }
};

struct ActivationRow {
    std::string_view term;
    Bytes bytes = 0;
    std::int64_t multiplicity = 1;
    std::string_view formula;
    std::string_view module{};
};

// What the `megatron-report` method has in place of ranks. Megatron computes its report in doubles and some
// of its results are fractions of a byte, so these are doubles too; bytes are integers everywhere else.
struct ShardItem {
    std::string_view component;  // module or activation term; a literal
    double parameters = 0;       // 0 for activations
    double bytes = 0;            // of a module: weights, gradients and optimizer together
    std::string_view formula;    // id in formulas.h
};

struct Shard {
    std::string_view name;  // "most loaded" or "other"
    std::vector<ShardItem> modules{};
    std::vector<ShardItem> activations{};
    double parameters = 0;
    double weight_and_optimizer_bytes = 0;
    std::optional<double> activation_bytes{};  // Megatron has them for the most loaded shard only

    std::optional<double> total_bytes() const {
        if (!activation_bytes) return std::nullopt;
        return weight_and_optimizer_bytes + *activation_bytes;
    }
};

struct Groups {
    std::int64_t world_size = 0;
    std::int64_t data_parallel_size = 0;
    std::int64_t expert_data_parallel_size = 0;
    std::int64_t shared_expert_data_parallel_size = 0;
    std::int64_t vision_data_parallel_size = 0;
};

struct Parameters {
    std::int64_t total = 0;   // of the whole unsharded model
    std::int64_t active = 0;  // with top-k of the experts
};

struct Capacity {
    std::string_view gpu;
    Bytes usable = 0;
};

struct Report {
    Method method = Method::calculator;
    bool valid = false;  // false: there are no ranks and no shards, and problems says why
    Groups groups;
    Parameters parameters;
    std::int64_t micro_batches = 0;  // of a step; 0 where the batch doesn't divide
    std::int64_t virtual_stages = 1;
    std::vector<RankReport> ranks;
    std::int64_t worst_rank = -1;  // -1: there are no ranks
    std::vector<Shard> shards;     // of `megatron-report`, which has no ranks; the most loaded one first
    Capacity capacity;
    Problems problems;
    Assumptions assumptions;

    // Only where there are ranks.
    const RankReport& worst() const { return ranks[static_cast<std::size_t>(worst_rank)]; }
    // What has to fit: the worst rank's total, or the most loaded shard's, rounded up.
    Bytes needed() const;
    bool fits() const { return valid && needed() <= capacity.usable; }
    Bytes headroom() const { return capacity.usable - needed(); }
};

// The line item of what the allocator holds beyond what it has given out.
inline constexpr std::string_view kFragmentationItem = "fragmentation";

// Rows in the order of the items; the parts' rows are apart.
std::vector<ModuleRow> module_rows(const RankReport& rank, Part part);
std::vector<ActivationRow> activation_rows(const RankReport& rank, Part part);

// Sums of the items. Saturates at kMaxExactBytes.
Totals totals_of(const std::vector<LineItem>& items);

// The first rank with the largest total.
std::int64_t worst_rank_of(const std::vector<RankReport>& ranks);

}  // namespace megamem
