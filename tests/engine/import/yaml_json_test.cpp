#include "import/yaml_json.h"

#include <catch2/catch_test_macros.hpp>

#include "base/json_reader.h"

namespace megamem {

namespace {

std::string json(std::string_view yaml) {
    const ReadYaml read = read_yaml(yaml);
    REQUIRE(read.documents.size() == 1);
    const std::string text = json_text_of(read.documents[0]);
    CHECK(read_json(text).problems.empty());
    return text;
}

}  // namespace

TEST_CASE("A config kept as YAML becomes JSON with its types", "[yaml]") {
    CHECK(
        json("architectures:\n- OurModel\nhidden_size: 5120\ntie_word_embeddings: false\nrope_scaling: null\n"
             "rope_theta: 1e6\nname: '12'\nempty: {}\nlist: []\n") ==
        R"({"architectures":["OurModel"],"hidden_size":5120,"tie_word_embeddings":false,"rope_scaling":null,)"
        R"("rope_theta":1e6,"name":"12","empty":{},"list":[]})");
}

TEST_CASE("What JSON has no number for stays text", "[yaml]") {
    CHECK(json("[+1, .5, 0x10, 1_000, 007, 1., -0.5e-3, .nan, \"a\\n\\\"b\"]") ==
          R"(["+1",".5","0x10","1_000","007","1.",-0.5e-3,".nan","a\u000a\"b"])");
}

}  // namespace megamem
