// The GPUs a user can pick: how many bytes one process can allocate on each, as CUDA or HIP reports it;
// and its compute capability.
#include <array>
#include <cstdint>
#include <span>

#include "scenario/presets.h"

namespace megamem {

namespace {

constexpr std::int64_t mib(std::int64_t count) {
    return count * 1024 * 1024;
}

// torch prints the capacity in GiB with two decimals; rounded down to a whole MiB.
constexpr std::int64_t gib_hundredths(std::int64_t hundredths) {
    return mib(hundredths * 1024 / 100);
}

constexpr std::array kGpus{
    Gpu{"A100-40", "NVIDIA A100 40 GB", 42298834944,
        "CUDA deviceQuery of an A100-SXM4-40GB in bottlerocket-os/bottlerocket pull request 3873 "
        "(42298834944 bytes); nvidia-smi lists 40960 MiB",
        80},
    Gpu{"A100-80", "NVIDIA A100 80 GB", gib_hundredths(7915),
        "approximate: torch out-of-memory messages on A100 80 GB give 79.15 to 79.25 GiB (79.25 GiB in "
        "levihsu/OOTDiffusion issue 235), the lowest is taken; nvidia-smi lists 81920 MiB",
        80},
    Gpu{"H100-80", "NVIDIA H100 80 GB", gib_hundredths(7911),
        "torch out-of-memory message on an H100 in vllm-project/vllm issue 27508 (79.11 GiB); up to 79.19 "
        "GiB with other drivers; nvidia-smi lists 81559 MiB (modal-labs/modal-client pull request 2797)",
        90},
    Gpu{"H200-141", "NVIDIA H200 141 GB", mib(143156),
        "torch device properties of an H200 quoted in ai-bot-pro/achatbot, "
        "deploy/modal/src/llm/vllm/vlm/skywork_r1v.py (total_memory 143156 MiB, 139.80 GiB); nvidia-smi "
        "lists 143771 MiB (sgl-project/sglang issue 3196)",
        90},
    Gpu{"H20-96", "NVIDIA H20 96 GB", mib(97285),
        "torch device properties of an H20 quoted in a comment of Ant Group's public seg_la Triton kernels "
        "(total_memory 97285 MiB); nvidia-smi lists 97871 MiB",
        90},
    Gpu{"B200", "NVIDIA B200", mib(182642),
        "torch device properties of a B200 quoted in ai-bot-pro/achatbot, "
        "deploy/modal/src/llm/vllm/vlm/skywork_r1v.py (total_memory 182642 MiB); 178.35 GiB in many "
        "out-of-memory messages; nvidia-smi lists 183359 MiB (sgl-project/sglang issue 27487)",
        100},
    Gpu{"GB200", "NVIDIA GB200", gib_hundredths(18431),
        "torch out-of-memory message on a GB200 in vllm-project/vllm issue 43951 (184.31 GiB); nvidia-smi "
        "lists 189471 MiB",
        100},
    Gpu{"B300", "NVIDIA B300", gib_hundredths(26769),
        "approximate: several public torch out-of-memory messages give 267.69 GiB, their B300 inferred from "
        "the size; nvidia-smi lists 275040 MiB for a B300 SXM6 AC",
        100},
    Gpu{"RTX4090-24", "NVIDIA GeForce RTX 4090 24 GB", gib_hundredths(2364),
        "approximate: torch out-of-memory messages on an RTX 4090 give about 23.64 GiB; nvidia-smi lists 24564 MiB", 89},
    Gpu{"RTXPRO6000-96", "NVIDIA RTX PRO 6000 Blackwell 96 GB", gib_hundredths(9497),
        "approximate: torch out-of-memory messages give about 94.97 GiB; nvidia-smi lists 97887 MiB", 120},
    Gpu{"MI300X", "AMD Instinct MI300X", mib(196592),
        "torch device properties of an MI300X in ROCm/ROCm issue 4203 (total_memory 196592 MiB, 191.98 GiB)",
        90},
};

}  // namespace

std::span<const Gpu> gpus() {
    return kGpus;
}

}  // namespace megamem
