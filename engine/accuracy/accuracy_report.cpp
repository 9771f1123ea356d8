#include "accuracy/accuracy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_reader.h"
#include "base/units.h"

namespace megamem {

namespace {

std::string mib(Bytes bytes) {
    return fixed(static_cast<double>(bytes) / static_cast<double>(kMiB), 1);
}

std::string percent(const std::optional<double>& share) {
    if (!share) return "";
    return fmt::format("{}{} %", std::signbit(*share) ? "" : "+", fixed(*share * 100, 2));
}

std::string line_of(const RunAccuracy& run, const StageAccuracy& stage) {
    const auto measured = [](const Compared& c) { return c.measured ? mib(*c.measured) : std::string(); };
    return fmt::format("{:<11} {:<90} {:>4} {:>10} {:>10} {:>9} {:>10} {:>10} {:>9}{}{}\n", run.kind,
                       run.id.substr(0, 90), stage.pipeline_rank, mib(stage.steady.predicted),
                       measured(stage.steady), percent(stage.steady.error()), mib(stage.peak.predicted),
                       measured(stage.peak), percent(stage.peak.error()), run.flagged ? "  flagged" : "",
                       run.within ? "" : "  outside its tolerance");
}

// Another tool's peak, in the columns of ours.
std::string lines_of(const RunAccuracy& run, const PeerFigure& peer) {
    std::string text;
    for (std::size_t at = 0; at < peer.gib.size(); ++at) {
        const bool placed = at < run.stages.size() && peer.gib.size() == run.stages.size();
        text += fmt::format("{:<11} {:<90} {:>4} {:>10} {:>10} {:>9} {:>10} {:>10} {:>9}\n", "",
                            fmt::format("    {}", peer.name),
                            placed ? fmt::format("{}", run.stages[at].pipeline_rank) : "", "", "", "",
                            fixed(peer.gib[at] * static_cast<double>(kGiB) / static_cast<double>(kMiB), 1),
                            "", placed ? percent(peer_error(run, peer, at)) : "");
    }
    return text;
}

std::string spreads(const std::vector<Spread>& all, std::string_view what) {
    std::string text = fmt::format("\n{:<56} {:>6} {:>9} {:>9} {:>9}   {}\n", what, "stages", "median",
                                   "90 %", "worst", "|error|");
    for (const Spread& s : all) {
        text += fmt::format("{:<56} {:>6} {:>8}% {:>8}% {:>8}%\n", s.kind, s.count, fixed(s.median * 100, 2),
                            fixed(s.p90 * 100, 2), fixed(s.worst * 100, 2));
    }
    return text;
}

OrderedJson json_of(const Compared& compared) {
    OrderedJson json;
    json["predicted"] = compared.predicted;
    json["measured"] = compared.measured ? OrderedJson(*compared.measured) : OrderedJson(nullptr);
    return json;
}

OrderedJson json_of(const std::vector<Spread>& all) {
    OrderedJson json = OrderedJson::object();
    for (const Spread& s : all)
        json[s.kind] = {{"count", s.count}, {"median", s.median}, {"p90", s.p90}, {"worst", s.worst}};
    return json;
}

}  // namespace

std::string accuracy_table(const Accuracy& accuracy) {
    std::string text =
        fmt::format("{:<11} {:<90} {:>4} {:>10} {:>10} {:>9} {:>10} {:>10} {:>9}\n", "kind", "run (MiB)",
                    "rank", "steady", "measured", "error", "peak", "measured", "error");
    for (const RunAccuracy& run : accuracy.runs) {
        for (const StageAccuracy& stage : run.stages)
            text += line_of(run, stage);
        for (const PeerFigure& peer : run.peers)
            text += lines_of(run, peer);
    }
    const std::size_t uncovered = accuracy.runs.size() - accuracy.covered;
    text += fmt::format("\nnot covered: {}\n", uncovered);
    for (const RunAccuracy& run : accuracy.runs) {
        if (!run.covered) text += fmt::format("  {}: {}\n", run.id, run.reason);
    }
    text += spreads(accuracy.steady, "steady") + spreads(accuracy.peak, "peak");
    if (!accuracy.peers.empty()) text += spreads(accuracy.peers, "other tools' peak");
    text +=
        fmt::format("\n{} of {} runs covered, {} flagged by their own record: these are held to nothing\n",
                    accuracy.covered, accuracy.runs.size(), accuracy.flagged);
    return text;
}

std::string accuracy_json(const Accuracy& accuracy) {
    OrderedJson json;
    json["runs"] = OrderedJson::array();
    for (const RunAccuracy& run : accuracy.runs) {
        OrderedJson stages = OrderedJson::array();
        for (const StageAccuracy& stage : run.stages) {
            OrderedJson row = {{"pipeline_rank", stage.pipeline_rank}};
            row["steady"] = json_of(stage.steady);
            row["peak"] = json_of(stage.peak);
            row["reserved"] = json_of(stage.reserved);
            stages.push_back(std::move(row));
        }
        OrderedJson peers = OrderedJson::object();
        for (const PeerFigure& peer : run.peers)
            peers[peer.name] = peer.gib;
        json["runs"].push_back({{"id", run.id},
                                {"covered", run.covered},
                                {"reason", run.reason},
                                {"kind", run.kind},
                                {"flagged", run.flagged},
                                {"world_size_inferred", run.world_size_inferred},
                                {"within", run.within},
                                {"source", run.source},
                                {"stages", std::move(stages)},
                                {"peers_gib", std::move(peers)}});
    }
    json["summary"] = {{"runs", accuracy.runs.size()},
                       {"covered", accuracy.covered},
                       {"not_covered", accuracy.runs.size() - accuracy.covered},
                       {"flagged", accuracy.flagged},
                       {"all_within", accuracy.all_within},
                       {"steady", json_of(accuracy.steady)},
                       {"peak", json_of(accuracy.peak)},
                       {"peers", json_of(accuracy.peers)}};
    return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

// Measured against predicted peak, both on a logarithmic scale; on the diagonal they are equal.
std::string accuracy_svg(const Accuracy& accuracy) {
    constexpr double kSide = 560;
    constexpr double kMargin = 60;
    constexpr double kLow = 28;   // log2 of 256 MiB
    constexpr double kHigh = 38;  // log2 of 256 GiB
    const auto place = [](Bytes bytes) {
        const double share =
            (std::log2(static_cast<double>(std::max<Bytes>(bytes, 1))) - kLow) / (kHigh - kLow);
        return kMargin + std::clamp(share, 0.0, 1.0) * kSide;
    };
    const double size = kSide + 2 * kMargin;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{0}\" fill=\"#fff\"/>\n"
        "<line x1=\"{1}\" y1=\"{2}\" x2=\"{2}\" y2=\"{1}\" stroke=\"#999\"/>\n",
        fixed(size, 0), fixed(kMargin, 0), fixed(size - kMargin, 0));
    for (int power = static_cast<int>(kLow); power <= static_cast<int>(kHigh); power += 2) {
        const double x = place(Bytes{1} << power);
        const std::string label =
            power < 30 ? fmt::format("{} MiB", 1 << (power - 20)) : fmt::format("{} GiB", 1 << (power - 30));
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", fixed(x, 0),
                           fixed(size - kMargin + 20, 0), label);
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", fixed(kMargin - 8, 0),
                           fixed(size - x + 4, 0), label);
    }
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">measured peak</text>\n",
                       fixed(size / 2, 0), fixed(size - 12, 0));
    svg += fmt::format(
        "<text x=\"14\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {0})\">predicted "
        "peak</text>\n",
        fixed(size / 2, 0));
    for (const RunAccuracy& run : accuracy.runs) {
        for (const StageAccuracy& stage : run.stages) {
            if (!stage.peak.measured) continue;
            // Identifiers come from a file: no markup in them.
            std::string id = run.id;
            std::replace_if(
                id.begin(), id.end(),
                [](char c) { return c == '<' || c == '>' || c == '&' || (c >= 0 && c < ' '); }, '?');
            svg += fmt::format(
                "<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"#2563eb\" "
                "fill-opacity=\"0.5\"><title>{}: {}</title></circle>\n",
                fixed(place(*stage.peak.measured), 1), fixed(size - place(stage.peak.predicted), 1), id,
                percent(stage.peak.error()));
        }
    }
    return svg + "</svg>\n";
}

}  // namespace megamem
