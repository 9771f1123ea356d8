// Known models and GPUs, as data with the source of every row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "scenario/scenario.h"

namespace megamem {

struct ModelPreset {
    std::string_view id;  // stable: links carry it
    std::string_view title;
    std::string_view source;       // where the dimensions come from
    double published_total_b = 0;  // parameters in units of 1e9; 0 where the owner gives none
    double published_active_b = 0;
    std::string_view published_source;
    std::string_view settings;  // "num_layers=61 hidden_size=7168 ...": what differs from the defaults
};

std::span<const ModelPreset> model_presets();
const ModelPreset* find_preset(std::string_view id);

// The preset's whole scenario: dimensions of the model and a starting layout and batch.
Scenario scenario_of(const ModelPreset& preset);

struct Gpu {
    std::string_view id;
    std::string_view title;
    std::int64_t usable_bytes = 0;  // what a process can allocate in all, as CUDA or ROCm reports it
    std::string_view source;
    int sm = 90;  // compute capability x 10; the nearest NVIDIA one for other makers
};

std::span<const Gpu> gpus();
const Gpu* find_gpu(std::string_view id);

}  // namespace megamem
