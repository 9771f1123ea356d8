#include "model/software.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/problems.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::with;

namespace {

Software software(std::string_view settings) {
    Problems problems;
    const Software out = resolve_software(with({}, settings), problems);
    INFO(settings << '\n' << test::shown(problems));
    CHECK(problems.empty());
    return out;
}

Attention backend(std::string_view settings) {
    const Scenario s = with({}, settings);
    Problems problems;
    return attention_backend(s, resolve_software(s, problems));
}

}  // namespace

TEST_CASE("Dates and versions", "[model][software]") {
    CHECK(parse_date("2025-08-01") == Date{2025, 8, 1});
    for (const char* text : {"", "2025", "2025-08", "2025-13-01", "2025-00-01", "2025-01-32", "2025-01-00",
                             "2025-01-01-01", "x-1-1", "-1-1-1", "99999-01-01"}) {
        INFO(text);
        CHECK_FALSE(parse_date(text));
    }
    CHECK(Date{2025, 8, 1} < Date{2025, 10, 1});
    CHECK(Date{2024, 12, 31} < Date{2025, 1, 1});
    CHECK(parse_version("2.11") == Version{2, 11});
    CHECK(parse_version("2.11.0") == Version{2, 11});
    CHECK(Version{2, 9} < Version{2, 10});
    for (const char* text : {"", "2", "2.", ".1", "a.b", "2.99999", "-1.2"}) {
        INFO(text);
        CHECK_FALSE(parse_version(text));
    }
}

TEST_CASE("A release is the day its branch left main", "[model][software]") {
    // Pinned: rules by date turn on these days.
    for (const char* name : {"core_v0.14.0", "core_v0.14", "core_r0.14.0", "v0.14.0", "0.14"}) {
        INFO(name);
        CHECK(software(std::string("framework_version=") + name).megatron == Date{2025, 8, 18});
    }
    CHECK(software("framework_version=core_v0.9.0").megatron == Date{2024, 9, 8});
    CHECK(software("framework_version=core_v0.13.1").megatron == Date{2025, 6, 16});
    CHECK(software("framework_version=2025-03-04").megatron == Date{2025, 3, 4});
    CHECK(software("framework_version=main").megatron == software("").megatron);
    CHECK(software("").megatron > software("framework_version=core_v0.19.0").megatron);
}

TEST_CASE("TransformerEngine and the container are what came with it, unless they are given",
          "[model][software]") {
    // The dummy gradients' rules turn on these: TE 2.3 of 2025-04-28, 2.10 of 2025-11-21.
    CHECK(software("framework_version=2025-03-01").transformer_engine < Version{2, 3});
    CHECK(software("framework_version=core_v0.14.0").transformer_engine >= Version{2, 3});
    CHECK(software("framework_version=core_v0.14.0").transformer_engine < Version{2, 10});
    CHECK(software("framework_version=2026-01-15").transformer_engine >= Version{2, 10});
    // CI's image became 26.04 between 2026-05-01 and 05-07
    CHECK(software("framework_version=2026-04-14").container < Version{26, 4});
    CHECK(software("framework_version=2026-05-29").container == Version{26, 4});
    CHECK(software("framework_version=2025-03-01 transformer_engine_version=2.11").transformer_engine ==
          Version{2, 11});
    CHECK(software("container_version=25.09").container == Version{25, 9});
    // Later code never comes with older libraries.
    Software before = software("framework_version=2024-01-01");
    for (const char* date :
         {"2025-02-01", "2025-05-01", "2025-08-01", "2025-11-01", "2026-01-01", "2026-03-01", "2026-07-01"}) {
        const Software now = software(std::string("framework_version=") + date);
        CHECK(now.transformer_engine >= before.transformer_engine);
        CHECK(now.container >= before.container);
        before = now;
    }
}

TEST_CASE("Versions that can't be read are told with the field", "[model][software]") {
    for (const char* settings : {"framework_version=core_v99.0", "framework_version=yesterday",
                                 "transformer_engine_version=new", "container_version=latest"}) {
        INFO(settings);
        Problems problems;
        const Scenario s = with({}, settings);
        const Software out = resolve_software(s, problems);
        REQUIRE(problems.size() == 1);
        CHECK(problems[0].code == "unknown_version");
        CHECK(problems[0].severity == Severity::warning);
        CHECK(std::string_view(settings).starts_with(problems[0].path));
        Problems none;
        const Software newest = resolve_software({}, none);
        CHECK(out.megatron == newest.megatron);
        CHECK(out.transformer_engine == newest.transformer_engine);
        CHECK(out.container == newest.container);
    }
}

TEST_CASE("Which attention runs when nobody says which", "[model][software]") {
    // TE attention/dot_product_attention/utils.py:1029-1070, 1136 @v2.11: A100 and Ada flash; Hopper cuDNN,
    // also deterministic; Blackwell cuDNN, but flash where it must be deterministic.
    struct Row {
        const char* gpu;
        Attention usual, deterministic;
    };
    for (const Row& row : {Row{"A100-40", Attention::flash, Attention::flash},
                           Row{"A100-80", Attention::flash, Attention::flash},
                           Row{"RTX4090-24", Attention::flash, Attention::flash},
                           Row{"H100-80", Attention::fused, Attention::fused},
                           Row{"H200-141", Attention::fused, Attention::fused},
                           Row{"B200", Attention::fused, Attention::flash},
                           Row{"GB200", Attention::fused, Attention::flash}}) {
        INFO(row.gpu);
        const std::string gpu = std::string("gpu=") + row.gpu;
        CHECK(backend(gpu) == row.usual);
        CHECK(backend(gpu + " deterministic_mode=1") == row.deterministic);
        CHECK(backend(gpu + " nvte_allow_nondeterministic_algo=0") == row.deterministic);
        CHECK(backend(gpu + " attention_backend=flash") == Attention::flash);
        CHECK(backend(gpu + " attention_backend=fused") == Attention::fused);
        CHECK(backend(gpu + " attention_backend=unfused") == Attention::unfused);
        CHECK(backend(gpu + " transformer_impl=local attention_backend=flash") == Attention::unfused);
    }
}

TEST_CASE("Grouped linear layers came with TransformerEngine 1.9", "[model][software]") {
    CHECK_FALSE(has_grouped_linear(software("transformer_engine_version=1.8")));
    CHECK(has_grouped_linear(software("transformer_engine_version=1.9")));
}

}  // namespace megamem
