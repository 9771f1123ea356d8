// Any bytes as YAML and as a YAML map of arguments. How to build with -fsanitize=fuzzer: see fuzz_link.cpp.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/json_reader.h"
#include "import/argument_map.h"
#include "import/yaml_json.h"
#include "import/yaml_subset.h"
#include "import_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace megamem;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const ReadYaml yaml = read_yaml(text);
    if (has_error(yaml.problems) && !yaml.documents.empty()) std::abort();
    for (const YamlNode& document : yaml.documents)
        (void)read_json(json_text_of(document));
    (void)looks_like_argument_map(text);
    fuzz::check_import(import_argument_map(text));
    return 0;
}
