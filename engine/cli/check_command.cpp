// `megamem check`: a gate before a launch.
#include <fmt/format.h>

#include <cstdio>

#include "accuracy/gate.h"
#include "base/decimal.h"
#include "base/text.h"
#include "cli/check_text.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/options.h"
#include "link/link.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

namespace megamem::cli {

namespace {

int status_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::fits:
            return kFits;
        case Verdict::does_not_fit:
            return kDoesNotFit;
        case Verdict::bad_input:
            return kBadInput;
        case Verdict::cannot_say:
            return kCannotSay;
    }
    return kCannotSay;
}

std::string lower(std::string_view given) {
    std::string text(given);
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

// What --gpu names: a known GPU, or a capacity.
struct Target {
    const Gpu* gpu = nullptr;
    Capacity capacity;
};

std::optional<Target> target_of(const std::string& text) {
    const std::string wanted = lower(text);
    for (const Gpu& gpu : gpus()) {
        if (lower(gpu.id) == wanted) return Target{&gpu, {gpu.id, gpu.usable_bytes}};
    }
    if (!wanted.ends_with("gib")) return std::nullopt;
    const auto number = parse_decimal4(trim(std::string_view(text).substr(0, text.size() - 3)));
    if (!number || number->ten_thousandths == 0) return std::nullopt;
    return Target{nullptr,
                  {"a given capacity", narrow(Wide{number->ten_thousandths} * kGiB / Decimal4::kOne)}};
}

std::string known_gpus() {
    std::string names;
    for (const Gpu& gpu : gpus())
        names += fmt::format("{}{}", names.empty() ? "" : ", ", gpu.id);
    return names;
}

}  // namespace

int check_command(const std::vector<std::string>& arguments) {
    const Options options = parse_options(
        arguments, {"--gpu", "--margin", "--format", "--page", "--method", "--preset", "--set", "--link"});
    if (!options.error.empty()) return usage_error(options.error);
    const std::string format = options.value("--format").value_or("line");
    if (format != "line" && format != "json" && format != "markdown")
        return usage_error(fmt::format("--format is line, json or markdown, not {}", quote(format)));
    const std::string margin = options.value("--margin").value_or("auto");
    const auto rule = parse_margin(margin);
    if (!rule) return usage_error(fmt::format("--margin is auto, none, N% or NGiB, not {}", quote(margin)));
    const auto named = options.value("--method");
    if (named && !method_named(*named))
        return usage_error(fmt::format("--method is one of {}", fmt::join(kMethodNames, ", ")));
    std::optional<Target> target;
    if (const auto gpu = options.value("--gpu")) {
        target = target_of(*gpu);
        if (!target)
            return usage_error(fmt::format("--gpu is one of {}, or a capacity like 96GiB, not {}",
                                           known_gpus(), quote(*gpu)));
    }

    Input input = read_input(options);
    if (target && target->gpu != nullptr) input.scenario.gpu = target->gpu->id;
    const Method method = named ? *method_named(*named) : input.method;
    Report report;
    report.method = method;
    Gate gate;
    std::string link;
    if (has_error(input.problems)) {
        report.problems = std::move(input.problems);
        gate = refused(report.problems);
    } else {
        report = estimate(input.scenario, method);
        report.problems.insert(report.problems.begin(), input.problems.begin(), input.problems.end());
        if (target) report.capacity = target->capacity;
        gate = gate_of(input.scenario, report, *rule);
        link = options.value("--page").value_or("") + write_link(input.scenario, input.preset, method);
    }
    tell_people(report.problems);
    const std::string text = format == "json"       ? check_json(report, gate, link) + "\n"
                             : format == "markdown" ? check_markdown(report, gate, link)
                                                    : check_line(gate) + "\n";
    std::fputs(text.c_str(), stdout);
    return status_of(gate.verdict);
}

}  // namespace megamem::cli
