// What the stages of a layout may hold, and the pipeline that they make.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/layout.h"
#include "pipeline/stages.h"
#include "scenario/defaults.h"
#include "scenario/scenario.h"

namespace megamem {

inline constexpr std::string_view kLayoutField = "pipeline_model_parallel_layout";

struct LayoutFault {
    std::string_view code;
    std::string message;
    std::size_t stage = 0;  // which one is to blame; the number of stages: their number is
};

// Every rule that the stages break, in the order of Megatron-LM's own checks.
std::vector<LayoutFault> layout_faults(const std::vector<std::string>& stages, const Scenario& scenario,
                                       const Resolved& resolved);

// Stages in letters as stages of a pipeline, whatever they hold.
Pipeline pipeline_of(const std::vector<std::string>& stages, std::int64_t ranks);

}  // namespace megamem
