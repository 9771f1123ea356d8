// The software a scenario runs on, resolved to what rules ask: dates of Megatron-LM's code, versions of
// TransformerEngine and the container, the GPU's architecture. Which behaviour came when is data beside each
// rule.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

#include "base/problem.h"
#include "scenario/scenario.h"

namespace megamem {

struct Date {
    int year = 0;
    int month = 0;
    int day = 0;
    friend constexpr auto operator<=>(const Date&, const Date&) = default;
};

struct Version {
    int major = 0;
    int minor = 0;
    friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

// "2025-08-01"
std::optional<Date> parse_date(std::string_view text);
// "2.11", "2.11.0"
std::optional<Version> parse_version(std::string_view text);

struct Software {
    Date megatron;  // of the code on main; of a release, the day its branch left main
    Version transformer_engine;
    Version container;  // NGC image: year and month
    int sm = 90;        // compute capability of the GPU, times 10
    bool te = true;     // transformer_impl is transformer_engine
};

// What isn't given is what was current at the date of Megatron-LM; text that can't be read is a warning.
Software resolve_software(const Scenario& scenario, Problems& problems);

// Whether grouped GEMMs are TransformerEngine's (TE 1.9; older ones leave them to Megatron's own GroupedMLP).
bool has_grouped_linear(const Software& software);

enum class Attention { flash, fused, unfused };

// What `auto` becomes (TransformerEngine attention/dot_product_attention/utils.py:1029-1070 and 1136 @v2.11).
Attention attention_backend(const Scenario& scenario, const Software& software);

}  // namespace megamem
