// The measured runs that the engine carries with it, beside what the detailed method says of each: made by
// `scripts/accuracy --evidence engine/accuracy/evidence_data.cpp`, never by hand.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "accuracy/features.h"

namespace megamem {

// One measured stage. Ordered by run; small, since the page carries all of them.
struct EvidenceRow {
    std::uint8_t test = 0;     // its label is this test's
    std::uint8_t machine = 0;  // and this suffix
    std::uint8_t place = 0;
    std::uint8_t commit = 0;
    std::uint8_t rank = 0;  // pipeline rank
    std::uint8_t sm = 0;
    std::uint16_t layers = 0;
    std::uint16_t hidden = 0;
    std::int16_t peak_error = 0;  // (predicted - measured) / measured, in hundredths of a percent
    std::int16_t steady_error = 0;
    Features features = 0;
    std::uint32_t peak_mib = 0;  // measured

    friend bool operator==(const EvidenceRow&, const EvidenceRow&) = default;
};

inline constexpr std::int16_t kNoError = std::numeric_limits<std::int16_t>::min();  // it wasn't measured

std::span<const EvidenceRow> evidence_rows();

// What the rows point to, apart from them: a program that only wants their errors doesn't carry it.
struct EvidenceNames {
    std::span<const std::string_view> tests;
    std::span<const std::string_view> machines;  // "@dgx_h100@dev"; empty: the test's name is the label
    // "owner/name:path", in which {0}, {1}, {2} stand for the label's pieces between "@"; or, without a
    // commit, a source in words.
    std::span<const std::string_view> places;
    std::span<const std::string_view> commits;
};

const EvidenceNames& evidence_names();

}  // namespace megamem
