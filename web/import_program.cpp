// Readers and writers of foreign formats, as a program of their own that the page loads when something is
// pasted or exported: most visits need none of it.
#include <emscripten.h>

#include <cstddef>
#include <string>

#include "export/export.h"
#include "import/import.h"
#include "import/import_json.h"
#include "scenario/scenario_json.h"

namespace {

std::string text;
std::string answer;

}  // namespace

extern "C" {

// Room for the text.
EMSCRIPTEN_KEEPALIVE char* megamem_import_room(std::size_t size) {
    text.resize(size);
    return text.data();
}

// Reads it; the answer is JSON, as engine/import/import_json.h has it.
EMSCRIPTEN_KEEPALIVE const char* megamem_import_read() {
    answer = megamem::write_import_json(megamem::import_text(text));
    text = {};
    return answer.data();
}

// The text is a scenario as JSON; the answer is its export in a format of kExportFormats, by a method.
EMSCRIPTEN_KEEPALIVE const char* megamem_import_export(int format, int method) {
    const megamem::ReadScenario read = megamem::read_scenario_json(text);
    answer = megamem::make_export(read.scenario, static_cast<megamem::Method>(method),
                                  megamem::kExportFormats.at(static_cast<std::size_t>(format)))
                 .text;
    text = {};
    return answer.data();
}

EMSCRIPTEN_KEEPALIVE std::size_t megamem_import_size() {
    return answer.size();
}

}  // extern "C"
