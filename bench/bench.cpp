// How long one evaluation by the method of the first argument takes: the median over many batches, in nanoseconds, of
// the scenario that scripts/bench gives on standard input. Prints that one number.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "memory/estimate.h"
#include "scenario/scenario_json.h"

namespace {

std::string standard_input() {
    std::string text;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, stdin))
        text.append(buffer, count);
    return text;
}

// Batches are long against the clock's steps, and short against whatever else the machine does meanwhile.
constexpr int kBatches = 401;
constexpr int kBatchSize = 50;

}  // namespace

int main(int argc, char** argv) {
    const auto method = megamem::method_named(argc > 1 ? argv[1] : "");
    if (!method) {
        std::fputs("megamem_bench: give a method\n", stderr);
        return 2;
    }
    const megamem::ReadScenario read = megamem::read_scenario_json(standard_input());
    if (!megamem::estimate(read.scenario, *method).valid) {
        std::fputs("megamem_bench: the scenario has no result\n", stderr);
        return 1;
    }

    std::vector<double> batches;
    megamem::Bytes sum = 0;  // used below, so that the work can't be left out
    for (int batch = 0; batch < kBatches; ++batch) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < kBatchSize; ++i)
            sum ^= megamem::estimate(read.scenario, *method).worst().totals.total;
        const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
        batches.push_back(time.count() / kBatchSize);
    }
    const auto middle = batches.begin() + kBatches / 2;
    std::nth_element(batches.begin(), middle, batches.end());
    std::printf("%.0f\n", *middle);
    return sum == -1 ? 1 : 0;
}
