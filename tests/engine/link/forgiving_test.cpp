// What the reader undoes, each with the one info that it gives; and when it says that a link was cut.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "engine/support/problems.h"
#include "engine/support/scenarios.h"
#include "link/link_pair.h"

namespace megamem {

using test::with;

namespace {

std::vector<std::string> codes(const Problems& problems) {
    std::vector<std::string> all;
    for (const Problem& problem : problems)
        all.push_back(std::string(name_of(problem.severity)) + " " + std::string(problem.code));
    return all;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("What came on the way is undone and said once", "[link][forgiving]") {
    const Scenario expected = with({}, "num_layers=61 tensor_model_parallel_size=8 global_batch_size=16");
    struct Case {
        const char* link;
        Codes problems;
    };
    const Codes none;
    const Codes encoded{"info link_encoded"};
    const Codes entities{"info html_entities"};
    const Codes punctuation{"info punctuation_behind"};
    const Codes tracking{"info tracking_keys"};
    const Codes other_case{"info other_case"};
    for (const Case& c : {
             Case{"#v=1&l=61&tp=8&gb=16&z=1", none},
             Case{"#v%3D1%26l%3D61%26tp%3D8%26gb%3D16%26z%3D1", encoded},
             Case{"#v%253D1%2526l%253D61%2526tp%253D8%2526gb%253D16%2526z%253D1", encoded},
             Case{"#v%25253D1%252526l%25253D61%252526tp%25253D8%252526gb%25253D16%252526z%25253D1", encoded},
             Case{"https%3A%2F%2Fexample.org%2F%23v%3D1%26l%3D61%26tp%3D8%26gb%3D16%26z%3D1", encoded},
             Case{"#v=1&l%3D61&tp=8&gb%3d16&z=1", encoded},
             Case{"#v=1%26l=61%26tp=8%26gb=16%26z=1", encoded},
             Case{"#v=1&l=61%26tp%3D8%26gb%3D16%26z%3D1", encoded},
             Case{"#v=1&l=%36%31&tp=%2538&gb=%252531%252536&z=1", none},
             Case{"#v=1&amp;l=61&amp;tp=8&amp;gb=16&amp;z=1", entities},
             Case{"#v=1&amp;amp;l=61&amp;tp=8&#38;gb=16&z=1", entities},
             Case{"v=1&#38;l=61&#x26;tp=8&gb=16&z=1", entities},
             Case{"#v=1;l=61;tp=8;gb=16;z=1", Codes{"info semicolons"}},
             Case{"#v=1&l=61&tp=8&gb=16&z=1。", punctuation},
             Case{"#l=61&tp=8&gb=16，", punctuation},
             Case{"(https://example.org/#v=1&l=61&tp=8&gb=16&z=1)", punctuation},
             Case{"**https://example.org/#l=61&tp=8&gb=16**", punctuation},
             Case{"「#l=61&tp=8&gb=16」", punctuation},
             Case{"<#l=61&tp=8&gb=16>）。", punctuation},
             Case{"#v=1&l=61&t\u200Bp=8&gb=16&z=1", Codes{"info invisible_characters"}},
             Case{"#v=1&l=61&t=\np=8&gb=16&z=1", Codes{"info line_breaks"}},
             Case{"#v=1&l=61&tp=\r\n 8&gb=1=\n6&z=1", Codes{"info line_breaks"}},
             Case{"#v=1& l=61 & tp = 8&gb=1 6&z=1", none},
             Case{"#v=1&l=61&tp=+8&gb=16&z=1", none},
             Case{"#v=1&l=61&tp=8&gb=16&z=1&from=timeline&isappinstalled=0&utm_source=x&fbclid=y", tracking},
             Case{"#l=61&tp=8&gb=16?from=timeline", tracking},
             Case{"#v=1&L=61&tp=8&gb=16&z=1", other_case},
             Case{"#V=1&l=61&tp=8&gb=16&z=1", other_case},
             Case{"#v=1&l=61&tp=8&gb=16&mt=DETAILED&z=1", other_case},
             Case{"#v=1&l=61&tp=8&gb=16&qq=5&z=1", Codes{"info unknown_key"}},
         }) {
        INFO(c.link);
        const ReadLink read = read_link(c.link);
        INFO(test::shown(read.problems));
        CHECK(codes(read.problems) == c.problems);
        CHECK(read.scenario == expected);
    }
}

TEST_CASE("Encoding and case are undone in every type of value", "[link][forgiving]") {
    const auto scenario = [](const char* link) { return read_link(link).scenario; };
    CHECK(scenario("#tp=%2538") == with({}, "tensor_model_parallel_size=8"));
    CHECK(scenario("#dt=FP16&gpu=h100-80&sw=TRUE&nm=layernorm") ==
          with({}, "precision=fp16 swiglu=1 normalization=LayerNorm"));
    CHECK(scenario("#gpu=b200").gpu == "B200");
    CHECK(scenario("#rm=MoE_Act.MLP").recompute_modules == std::vector<std::string>{"mlp", "moe_act"});
    CHECK(scenario("#mf=%255B0%255D*3").moe_layer_freq == scenario("#mf=[0]*3").moe_layer_freq);
    CHECK(read_link("#m=DeepSeek-V3").preset == "deepseek-v3");
    CHECK(read_link("#m=DeepSeek-V3").problems[0].message ==
          "\"DeepSeek-V3\" in the link is read as \"deepseek-v3\"");
    // A name keeps its case, and what it holds is not taken for another pair.
    CHECK(scenario("#v=1&n=A%26tp%3D8&z=1").name == "A&tp=8");
    CHECK(scenario("#v=1&n=A%26tp%3D8&z=1").tensor_model_parallel_size == 1);
    CHECK(scenario("#n=my+run").name == "my run");
    CHECK(codes(read_link("#n=my+run").problems) == Codes{"info plus_signs"});
    CHECK(scenario("#mf=([0]*3+[1]*58)").moe_layer_freq == "([0]*3+[1]*58)");
    CHECK(scenario("#pl=['Ett'] + ['mL']").pipeline_model_parallel_layout == "['Ett'] + ['mL']");
}

TEST_CASE("A link typed by hand needs no end mark", "[link][forgiving]") {
    for (const char* link : {"#tp=8", "#m=deepseek-v3&tp=8", "#v=1&tp=8", "#num_layers=61&swiglu=true",
                             "#pl=Etx3.L", "#n=run", "#m=deepseek-v3&tp=8&pp=4&gb=16&ep=8"}) {
        INFO(link);
        CHECK(read_link(link).problems.empty());
    }
}

TEST_CASE("A link that looks cut is told", "[link][forgiving]") {
    for (const char* link :
         {"#m=deepseek-v3&t", "#l=61&tp=", "#tp=8&n=%E6%A8%", "#tp=8&n=%E6%A8%A", "#tp=8&pl=Etx",
          "#tp=8&pl=Etx3._tt", "#tp=8&pl=Et*3|(t", "#tp=8&n=%E6%A8", "#tp=8&gpu=H10", "#tp=8&rm=moe_a",
          "#v=1&l=61&num_lay", "#v=1&m=deepseek-v3&tp="}) {
        INFO(link);
        const ReadLink read = read_link(link);
        REQUIRE_FALSE(read.problems.empty());
        CHECK(read.problems.back().code == "link_cut");
        CHECK(read.problems.back().severity == Severity::warning);
    }
    CHECK(read_link("#l=61&tp=").problems.back().message ==
          "the link looks cut: it ends in \"tp=\", and what came behind is lost");
    // With its end mark it isn't cut, whatever it holds.
    CHECK(codes(read_link("#v=1&l=61&tp=x&z=1").problems) == Codes{"warning not_an_integer"});
}

TEST_CASE("A link that the page wrote, without its end, may have been cut inside a number",
          "[link][forgiving]") {
    CHECK(codes(read_link("#v=1&l=61&tp=1").problems) == Codes{"info link_without_end"});
    CHECK(read_link("#v=1&tp=1").problems.empty());
    CHECK(codes(read_link_pair("#v=1&l=61&a.v=1&a.l=61&a.tp=1").compared->problems) ==
          Codes{"info link_without_end"});
}

TEST_CASE("Hostile texts are no errors", "[link][forgiving]") {
    std::vector<std::string> texts = {"#🚀=🚀&tp=🚀",
                                      std::string("#tp=8\0&l=61", 11),
                                      "#__proto__=1&constructor=2&v=1",
                                      "#%25%25%25%32%35",
                                      "#=&==&%3D%26",
                                      "#&#38;&amp;#&",
                                      "#z",
                                      "#v",
                                      "#a.=1&a.a.tp=8&A.tp=4",
                                      "#tp=99999999999999999999999999",
                                      "#tp=-0&l=1e9&h=0x10&dr=NaN&nc=Infinity",
                                      "#rank=18446744073709551616&at=%00&tab=<script>"};
    for (const char* unit :
         {"tp=1%26", "=\n", "%26", ")", "?ref", "%25", "&amp;", "a.tp=8&", "%3D", "\u200B", "["}) {
        std::string text = "#";
        while (text.size() + 8 < 64 * 1024)
            text += unit;
        texts.push_back(text);
    }
    texts.push_back(std::string(1 << 20, '='));
    for (const std::string& text : texts) {
        INFO(text.substr(0, 60));
        const ReadLinkPair read = read_link_pair(text);
        CHECK_FALSE(has_error(read.open.problems));
        if (read.compared) CHECK_FALSE(has_error(read.compared->problems));
        CHECK(read_link(write_link(read.open.scenario, read.open.preset)).scenario == read.open.scenario);
    }
}

TEST_CASE("A preset with six changed fields makes a link under 300 characters", "[link]") {
    for (const ModelPreset& preset : model_presets()) {
        const Scenario changed =
            with(scenario_of(preset),
                 "nodes=96 tensor_model_parallel_size=16 seq_length=131072 "
                 "global_batch_size=12345 pipeline_model_parallel_layout=Et*3|(tt|)*29,m|L "
                 "recompute_modules=core_attn,layernorm,mla_up_proj,mlp,moe_act");
        INFO(preset.id);
        CHECK(write_link(changed, preset.id).size() < 300);
    }
}

}  // namespace megamem
