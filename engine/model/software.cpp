#include "model/software.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

struct Release {
    std::string_view name;
    Date left_main;  // merge base of the tag and main
};

// git merge-base of each tag with main@d98e8a64 in NVIDIA/Megatron-LM.
constexpr std::array kReleases = {
    Release{"0.9", {2024, 9, 8}},    Release{"0.10", {2024, 12, 7}}, Release{"0.11", {2025, 2, 12}},
    Release{"0.12", {2025, 4, 4}},   Release{"0.13", {2025, 6, 16}}, Release{"0.14", {2025, 8, 18}},
    Release{"0.15", {2025, 10, 20}}, Release{"0.16", {2026, 2, 2}},  Release{"0.17", {2026, 3, 31}},
    Release{"0.18", {2026, 6, 1}},   Release{"0.19", {2026, 7, 28}},
};

constexpr Date kNewest = {2026, 8, 22};  // main@d98e8a64

struct Since {
    Date from;
    Version version;
};

// TransformerEngine in the images that Megatron-LM's CI used: its Dockerfiles and pyproject pins at these
// dates.
constexpr std::array kTransformerEngine = {
    Since{{0, 0, 0}, {2, 1}},     Since{{2025, 4, 20}, {2, 3}},  Since{{2025, 7, 10}, {2, 6}},
    Since{{2025, 10, 1}, {2, 9}}, Since{{2025, 12, 1}, {2, 11}}, Since{{2026, 2, 1}, {2, 13}},
    Since{{2026, 6, 1}, {2, 17}},
};

// NGC images of the same CI, as far as a rule asks for them.
constexpr std::array kContainers = {
    Since{{0, 0, 0}, {25, 1}},
    Since{{2026, 2, 1}, {26, 2}},
    Since{{2026, 5, 1}, {26, 4}},
};

template <std::size_t N>
Version at(const std::array<Since, N>& table, Date date) {
    Version version;
    for (const Since& since : table) {
        if (date >= since.from) version = since.version;
    }
    return version;
}

std::optional<Date> date_of_framework(std::string_view text) {
    if (text == "main") return kNewest;
    if (const auto date = parse_date(text)) return date;
    for (const std::string_view prefix : {"core_v", "core_r", "v"}) {
        if (text.starts_with(prefix)) {
            text.remove_prefix(prefix.size());
            break;
        }
    }
    const auto version = parse_version(text);
    if (!version) return std::nullopt;
    const std::string name = fmt::format("{}.{}", version->major, version->minor);
    const auto known =
        std::find_if(kReleases.begin(), kReleases.end(), [&](const Release& r) { return r.name == name; });
    return known == kReleases.end() ? std::nullopt : std::optional(known->left_main);
}

void tell_unread(std::string_view field, std::string_view text, std::string_view wanted, Problems& problems) {
    problems.push_back(
        {Severity::warning, "unknown_version", std::string(field),
         fmt::format("{} {} is not known ({}); the newest is assumed", field, quote(text), wanted)});
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
    const auto parts = split(text, '-');
    if (parts.size() != 3) return std::nullopt;
    const auto year = parse_unsigned(parts[0]);
    const auto month = parse_unsigned(parts[1]);
    const auto day = parse_unsigned(parts[2]);
    if (!year || !month || !day || *year > 9999 || *month < 1 || *month > 12 || *day < 1 || *day > 31)
        return std::nullopt;
    return Date{static_cast<int>(*year), static_cast<int>(*month), static_cast<int>(*day)};
}

std::optional<Version> parse_version(std::string_view text) {
    const auto parts = split(text, '.');
    if (parts.size() < 2) return std::nullopt;
    const auto major = parse_unsigned(parts[0]);
    const auto minor = parse_unsigned(parts[1]);
    constexpr std::int64_t kMost = 9999;
    if (!major || !minor || *major > kMost || *minor > kMost) return std::nullopt;
    return Version{static_cast<int>(*major), static_cast<int>(*minor)};
}

Software resolve_software(const Scenario& s, Problems& problems) {
    Software software;
    software.te = s.transformer_impl == TransformerImpl::transformer_engine;
    if (const Gpu* gpu = find_gpu(s.gpu)) software.sm = gpu->sm;

    software.megatron = kNewest;
    if (!s.framework_version.empty()) {
        if (const auto date = date_of_framework(s.framework_version)) {
            software.megatron = *date;
        } else {
            tell_unread("framework_version", s.framework_version, "a release such as core_v0.14.0 or a date",
                        problems);
        }
    }
    const auto version = [&](std::string_view field, const std::string& text, Version fallback) {
        if (text.empty()) return fallback;
        if (const auto given = parse_version(text)) return *given;
        tell_unread(field, text, "two numbers such as 2.11", problems);
        return fallback;
    };
    software.transformer_engine = version("transformer_engine_version", s.transformer_engine_version,
                                          at(kTransformerEngine, software.megatron));
    software.container =
        version("container_version", s.container_version, at(kContainers, software.megatron));
    return software;
}

bool has_grouped_linear(const Software& software) {
    return software.transformer_engine >= Version{1, 9};
}

Attention attention_backend(const Scenario& s, const Software& software) {
    // Without TransformerEngine the scores are materialised.
    if (!software.te) return Attention::unfused;
    switch (s.attention_backend) {
        case AttentionBackend::flash:
            return Attention::flash;
        case AttentionBackend::fused:
            return Attention::fused;
        case AttentionBackend::unfused:
            return Attention::unfused;
        case AttentionBackend::automatic:
            break;
    }
    const bool deterministic = s.deterministic_mode || !s.nvte_allow_nondeterministic_algo;
    // TE 1.2 knows no deterministic fast kernel (TE v1.2 attention.py:1999-2011).
    if (!s.nvte_allow_nondeterministic_algo && software.transformer_engine <= Version{1, 2})
        return Attention::unfused;
    if (software.sm < 90) return Attention::flash;
    if (software.sm >= 100 && deterministic) return Attention::flash;
    return Attention::fused;
}

}  // namespace megamem
