#include "export/configuration.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>

#include "engine/support/generators.h"
#include "import/import.h"
#include "import/merge.h"
#include "scenario/field.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

Scenario imported(const std::string& text) {
    const std::vector<Import> imports = {import_text(text)};
    return merge_imports(Scenario{}, imports).scenario;
}

// The fields in which the two differ.
std::string difference(const Scenario& a, const Scenario& b) {
    std::string text;
    for (const Field& field : field_table()) {
        if (!equal(a, b, field))
            text += fmt::format("{}: {} | {}\n", field.key, get_text(a, field), get_text(b, field));
    }
    return text;
}

Configuration configuration(std::size_t index) {
    return static_cast<Configuration>(index);
}

}  // namespace

TEST_CASE("A preset as a script of Megatron-LM's flags", "[export]") {
    const std::string text =
        export_configuration(scenario_of(*find_preset("deepseek-v3")), Configuration::megatron);
    INFO(text);
    for (const char* part : {"--num-layers 61\n", "--hidden-size 7168\n", "--multi-latent-attention\n",
                             "--bf16\n", "--swiglu\n", "--moe-layer-freq '([0]*3+[1]*58)'\n",
                             "--num-experts 256\n", "torchrun --nnodes 128 --nproc_per_node 8"})
        CHECK(text.find(part) != std::string::npos);
}

TEST_CASE("Every preset comes back from every export", "[export]") {
    for (const ModelPreset& preset : model_presets()) {
        const Scenario scenario = scenario_of(preset);
        for (std::size_t i = 0; i < kConfigurationNames.size(); ++i) {
            const std::string text = export_configuration(scenario, configuration(i));
            INFO(preset.id << ' ' << kConfigurationNames[i] << '\n' << text);
            CHECK(difference(imported(text), scenario) == "");
        }
    }
}

TEST_CASE("Property: any scenario comes back from its export", "[export][property]") {
    CHECK(rc::check("import(export(s)) == s", [] {
        const Scenario scenario = test::any_scenario();
        const auto which = configuration(*rc::gen::inRange<std::size_t>(0, kConfigurationNames.size()));
        const std::string text = export_configuration(scenario, which);
        RC_LOG() << text;
        RC_ASSERT(difference(imported(text), scenario) == "");
    }));
}

}  // namespace megamem
