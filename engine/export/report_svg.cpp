#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/units.h"
#include "export/report_text.h"
#include "memory/components.h"

namespace megamem {

namespace {

constexpr std::int64_t kWidth = 960, kLeft = 80, kBars = 780, kRow = 26, kBar = 16, kTop = 64, kLegend = 30;

// Of the components in their order, on white.
constexpr std::array<std::string_view, kComponentsOfTotal.size()> kColors = {
    "#3b6fd4", "#c7bbfa", "#7aa5f0", "#5b48c4", "#a08def",
    "#e08a3a", "#f0bf7f", "#2f9e8f", "#8c97a8", "#b6bfcc"};

std::string_view color_of(const Component& component) {
    return kColors[static_cast<std::size_t>(&component - kComponentsOfTotal.data())];
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                // Control characters aren't allowed in XML.
                if (static_cast<unsigned char>(c) >= 0x20) out += c;
        }
    }
    return out;
}

std::string words(std::int64_t x, std::int64_t y, std::string_view attributes, std::string_view content) {
    return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", x, y, attributes, escaped(content));
}

// Whole thousandths of the bars' width, as a decimal.
std::string place(Bytes bytes, Bytes full) {
    const auto thousandths = static_cast<std::int64_t>(Wide{bytes} * kBars * 1000 / std::max<Bytes>(full, 1));
    return fmt::format("{}.{:03}", thousandths / 1000, thousandths % 1000);
}

}  // namespace

std::string export_svg(const Scenario& scenario, const Report& report) {
    const auto ranks = static_cast<std::int64_t>(report.ranks.size());
    const std::int64_t height = kTop + ranks * kRow + kLegend + 16;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Inter, system-ui, sans-serif\" font-size=\"12\" fill=\"#171a21\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
        kWidth, height);
    svg += words(16, 26, " font-size=\"15\" font-weight=\"600\"",
                 scenario.name.empty() ? std::string_view("Memory per pipeline rank") : scenario.name);
    svg += words(16, 46, " fill=\"#5f6878\"",
                 ranks == 0
                     ? std::string("no ranks")
                     : fmt::format("GiB per pipeline rank, method {}, {} GiB usable on {}",
                                   name_of(report.method), gib(report.capacity.usable), report.capacity.gpu));
    if (ranks == 0) return svg + "</svg>\n";
    const Bytes most = std::max(report.capacity.usable, report.worst().totals.total);
    const Bytes full = most + most / 12;
    for (const RankReport& rank : report.ranks) {
        const std::int64_t y = kTop + rank.pipeline_rank * kRow;
        svg += words(16, y + 13, "", fmt::format("rank {}", rank.pipeline_rank));
        Bytes before = 0;
        for (const Component& component : kComponentsOfTotal) {
            const Bytes bytes = rank.totals.*component.bytes;
            if (bytes > 0) {
                svg += fmt::format(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" transform=\"translate({} "
                    "0)\">"
                    "<title>{} {} GiB</title></rect>\n",
                    place(before, full), y, place(bytes, full), kBar, color_of(component), kLeft,
                    component.name, gib(bytes));
            }
            before += bytes;
        }
        svg += words(kWidth - 16, y + 13, " text-anchor=\"end\" font-weight=\"600\"", gib(rank.totals.total));
    }
    svg += fmt::format(
        "<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#b42318\" stroke-dasharray=\"5 3\" "
        "transform=\"translate({3} 0)\"/>\n",
        place(report.capacity.usable, full), kTop - 4, kTop + ranks * kRow - 6, kLeft);
    std::int64_t x = kLeft;
    for (const Component& component : kComponentsOfTotal) {
        const bool used = std::any_of(report.ranks.begin(), report.ranks.end(),
                                      [&](const RankReport& r) { return r.totals.*component.bytes > 0; });
        if (!used) continue;
        const std::int64_t y = kTop + ranks * kRow + 16;
        svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{}\"/>\n", x, y - 9,
                           color_of(component));
        svg += words(x + 15, y, " fill=\"#5f6878\"", component.name);
        x += 30 + 7 * static_cast<std::int64_t>(component.name.size());
    }
    return svg + "</svg>\n";
}

}  // namespace megamem
