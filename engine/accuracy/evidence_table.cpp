#include "accuracy/evidence_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

// Enough to name a commit, and half of what the page would carry.
constexpr std::size_t kCommitDigits = 12;

std::size_t interned(std::vector<std::string>& known, std::string text) {
    const auto found = std::find(known.begin(), known.end(), text);
    if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
    known.push_back(std::move(text));
    return known.size() - 1;
}

// Pieces of the label become {0}, {1}, {2}: one text for all tests of a repository.
std::string as_pattern(std::string place, std::string_view label) {
    const auto pieces = split(label, '@');
    for (std::size_t i = 0; i < pieces.size() && i < 10; ++i) {
        const std::size_t at = pieces[i].empty() ? std::string::npos : place.rfind(pieces[i]);
        if (at != std::string::npos) place.replace(at, pieces[i].size(), fmt::format("{{{}}}", i));
    }
    return place;
}

struct Source {
    std::string place;
    std::string commit;
};

// "owner/name@commit:path (case)", as measured_runs.cpp writes it; anything else is words.
Source source_of(const std::string& text, std::string_view label) {
    const std::size_t commit = text.find('@');
    const std::size_t path = text.find(':', commit == std::string::npos ? 0 : commit);
    if (commit == std::string::npos || path == std::string::npos) return {text, ""};
    // The label tells the cases of a file apart already.
    const std::string file = text.substr(path, text.find(" (", path) - path);
    return {as_pattern(text.substr(0, commit) + file, label),
            text.substr(commit + 1, std::min(path - commit - 1, kCommitDigits))};
}

std::int16_t hundredths(const Compared& compared) {
    const auto error = compared.error();
    if (!error) return kNoError;
    return static_cast<std::int16_t>(std::lround(std::clamp(*error, -3.0, 3.0) * 10'000));
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

std::string texts(std::string_view name, const std::vector<std::string>& all) {
    std::string result =
        fmt::format("constexpr std::array<std::string_view, {}> {} = {{\n", all.size(), name);
    for (const std::string& text : all)
        result += fmt::format("    {},\n", quoted(text));
    return result + "};\n\n";
}

}  // namespace

MadeEvidence make_evidence(const std::vector<MeasuredRun>& runs, const Accuracy& accuracy) {
    MadeEvidence made;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const RunAccuracy& run = accuracy.runs[i];
        if (!run.covered || run.flagged) continue;
        const Scenario& s = runs[i].scenario;
        const Gpu* gpu = find_gpu(s.gpu);
        const Source source = source_of(run.source, run.id);
        const std::size_t suffix = std::min(run.id.find('@'), run.id.size());
        EvidenceRow row;
        row.features = features_of(s, estimate(s, Method::detailed).virtual_stages);
        row.sm = static_cast<std::uint8_t>(gpu != nullptr ? gpu->sm : 0);
        row.layers = static_cast<std::uint16_t>(s.num_layers.value_or(0));
        row.hidden = static_cast<std::uint16_t>(s.hidden_size.value_or(0));
        for (const StageAccuracy& stage : run.stages) {
            if (!stage.peak.measured || *stage.peak.measured == 0) continue;
            row.test = static_cast<std::uint8_t>(interned(made.tests, run.id.substr(0, suffix)));
            row.machine = static_cast<std::uint8_t>(interned(made.machines, run.id.substr(suffix)));
            row.place = static_cast<std::uint8_t>(interned(made.places, source.place));
            row.commit = static_cast<std::uint8_t>(interned(made.commits, source.commit));
            row.rank = static_cast<std::uint8_t>(stage.pipeline_rank);
            row.peak_error = hundredths(stage.peak);
            row.steady_error = hundredths(stage.steady);
            row.peak_mib = static_cast<std::uint32_t>((*stage.peak.measured + kMiB / 2) / kMiB);
            made.rows.push_back(row);
        }
    }
    for (const auto* texts : {&made.tests, &made.machines, &made.places, &made.commits}) {
        if (texts->size() > 256) made.error = "more than 256 tests, places or commits: widen EvidenceRow";
    }
    return made;
}

std::string write_evidence(const MadeEvidence& made) {
    std::string text =
        "// Made by `scripts/accuracy --evidence engine/accuracy/evidence_data.cpp`, from\n"
        "// tests/data/measured_runs.json and what the engine says of each run. Don't edit it: make it "
        "anew.\n"
        "// clang-format off\n"
        "#include \"accuracy/evidence_data.h\"\n\n#include <array>\n\nnamespace megamem {\n\nnamespace {\n\n";
    text += texts("kTests", made.tests) + texts("kMachines", made.machines) + texts("kPlaces", made.places) +
            texts("kCommits", made.commits);
    text +=
        "// test, machine, place, commit, rank, sm, layers, hidden, peak error, steady error, features, peak "
        "MiB\n";
    text += fmt::format("constexpr std::array<EvidenceRow, {}> kRows = {{{{\n", made.rows.size());
    for (const EvidenceRow& row : made.rows) {
        const std::string steady =
            row.steady_error == kNoError ? "kNoError" : fmt::format("{}", row.steady_error);
        text += fmt::format("    {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, 0x{:08x}, {}}},\n", row.test,
                            row.machine, row.place, row.commit, row.rank, row.sm, row.layers, row.hidden,
                            row.peak_error, steady, row.features, row.peak_mib);
    }
    text +=
        "}};\n\nconstexpr EvidenceNames kNames = {kTests, kMachines, kPlaces, kCommits};\n\n"
        "}  // namespace\n\n"
        "std::span<const EvidenceRow> evidence_rows() {\n    return kRows;\n}\n\n"
        "const EvidenceNames& evidence_names() {\n    return kNames;\n}\n\n}  // namespace megamem\n";
    return text;
}

}  // namespace megamem
