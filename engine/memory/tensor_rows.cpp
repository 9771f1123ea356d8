#include "memory/tensor_rows.h"

#include <algorithm>

#include "memory/detailed.h"
#include "memory/planned.h"

namespace megamem {

namespace {

using namespace detailed;

std::string_view dtype_of(const Context& c, const Tensor& tensor, bool low_precision) {
    const Wide bytes = states_of(c, tensor, low_precision)[0].bytes;
    if (bytes == 4 * kByteUnit) return "fp32";
    if (bytes == 2 * kByteUnit) return c.s.precision == Precision::fp16 ? "fp16" : "bf16";
    return c.fp4() ? "fp4" : "fp8";
}

bool same_tensor(const TensorRow& a, const TensorRow& b) {
    return a.module == b.module && a.name == b.name && a.rows == b.rows && a.cols == b.cols &&
           a.copies == b.copies && a.dtype == b.dtype;
}

}  // namespace

std::vector<TensorRow> tensor_rows(const Scenario& scenario, const Report& report, std::int64_t rank) {
    std::vector<TensorRow> rows;
    const Planned planned(scenario, report);
    if (planned.plan() == nullptr || report.method != Method::detailed || rank < 0 ||
        rank >= static_cast<std::int64_t>(report.ranks.size()))
        return rows;
    Problems told_elsewhere;
    const Context c = context_of(*planned.plan(), told_elsewhere);
    for (const TensorGroup& group : rank_tensors(c, rank)) {
        for (const Tensor& tensor : group.tensors) {
            TensorRow own{.module = tensor.module,
                          .name = tensor.name,
                          .rows = tensor.rows,
                          .cols = tensor.cols,
                          .copies = tensor.copies,
                          .layers = 0,
                          .dtype = dtype_of(c, tensor, group.low_precision),
                          .held = {.name = tensor.name}};
            auto row = std::find_if(rows.begin(), rows.end(),
                                    [&](const TensorRow& other) { return same_tensor(own, other); });
            if (row == rows.end()) row = rows.insert(row, own);
            row->layers += group.count;
            // Buffers are kept, but they are no parameters.
            if (tensor.buffer != Buffer::none) row->held.elements += narrow(tensor.elements() * group.count);
            const auto bytes = state_bytes(c, tensor, group);
            for (std::size_t i = 0; i + 1 < bytes.size(); ++i)
                row->held.bytes[static_cast<std::size_t>(state_kind(scenario, i))] += narrow(bytes[i]);
        }
    }
    return rows;
}

}  // namespace megamem
