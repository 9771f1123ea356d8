// The field table: its rows, group by group, in the order in which forms, links and documents list them.
#include <algorithm>
#include <array>
#include <type_traits>

#include "scenario/field.h"
#include "scenario/field_rows_model.h"
#include "scenario/field_rows_parallel.h"
#include "scenario/field_rows_software.h"
#include "scenario/field_rows_training.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

template <std::size_t... Sizes>
constexpr auto joined(const std::array<rows::Row, Sizes>&... groups) {
    std::array<rows::Row, (Sizes + ...)> all{};
    std::size_t at = 0;
    ((std::copy(groups.begin(), groups.end(), all.begin() + static_cast<std::ptrdiff_t>(at)), at += Sizes),
     ...);
    return all;
}

constexpr auto kRows = joined(rows::kModel, rows::kAttention, rows::kExperts, rows::kParallel,
                              rows::kPipeline, rows::kBatch, rows::kPrecision, rows::kOptimizer,
                              rows::kRecompute, rows::kSoftware, rows::kHardware, rows::kVision);

template <auto Part>
constexpr auto each() {
    std::array<std::remove_cvref_t<decltype(kRows[0].*Part)>, kRows.size()> parts{};
    std::transform(kRows.begin(), kRows.end(), parts.begin(), [](const rows::Row& row) { return row.*Part; });
    return parts;
}

// Two tables of one: a program that asks for no help doesn't carry it.
constexpr auto kFields = each<&rows::Row::field>();
constexpr auto kHelp = each<&rows::Row::help>();

// Rows are looked up by key all the time; both orders are made once at compile time.
template <auto Projection>
constexpr auto sorted_by() {
    std::array<const Field*, kFields.size()> order{};
    for (std::size_t i = 0; i < kFields.size(); ++i)
        order[i] = &kFields[i];
    std::sort(order.begin(), order.end(),
              [](const Field* a, const Field* b) { return a->*Projection < b->*Projection; });
    return order;
}

template <auto Projection>
const Field* find_by(std::string_view word) {
    static constexpr auto order = sorted_by<Projection>();
    const auto found =
        std::lower_bound(order.begin(), order.end(), word,
                         [](const Field* f, std::string_view w) { return f->*Projection < w; });
    return found != order.end() && (*found)->*Projection == word ? *found : nullptr;
}

}  // namespace

Choices gpu_ids() {
    static const std::vector<std::string_view> ids = [] {
        std::vector<std::string_view> all;
        for (const Gpu& gpu : gpus())
            all.push_back(gpu.id);
        return all;
    }();
    return ids;
}

std::span<const Field> field_table() {
    return kFields;
}

std::string_view help_of(const Field& field) {
    return kHelp[static_cast<std::size_t>(&field - kFields.data())];
}

const Field* find_field(std::string_view key) {
    return find_by<&Field::key>(key);
}

const Field* find_field_by_link_key(std::string_view link_key) {
    return find_by<&Field::link_key>(link_key);
}

const Field* find_field_by_flag(std::string_view flag) {
    return flag.empty() ? nullptr : find_by<&Field::flag>(flag);
}

}  // namespace megamem
