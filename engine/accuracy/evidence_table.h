// Makes the table of evidence_data.cpp from measured runs.
#pragma once

#include <string>
#include <vector>

#include "accuracy/accuracy.h"
#include "accuracy/evidence_data.h"

namespace megamem {

struct MadeEvidence {
    std::vector<EvidenceRow> rows;
    std::vector<std::string> tests;
    std::vector<std::string> machines;
    std::vector<std::string> places;
    std::vector<std::string> commits;
    std::string error;  // why there is no table: empty where there is one
};

// Of the covered, unflagged runs whose peak was measured. `accuracy` is what measure_accuracy made of `runs`.
MadeEvidence make_evidence(const std::vector<MeasuredRun>& runs, const Accuracy& accuracy);

// The file evidence_data.cpp.
std::string write_evidence(const MadeEvidence& made);

}  // namespace megamem
