// Readers and writers of foreign formats, as a program of their own that the page loads when something is
// pasted or exported: most visits need none of it.
#include <emscripten.h>

#include <cstddef>
#include <string>

#include "export/export.h"
#include "import/import.h"
#include "import/import_records.h"
#include "link/link.h"

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

// Reads it; the answer is as engine/import/import_records.h has it.
EMSCRIPTEN_KEEPALIVE const char* megamem_import_read() {
    answer = megamem::write_import_records(megamem::import_text(text));
    text = {};
    return answer.data();
}

// The text is a link; the answer is its scenario's export in a format of kExportFormats.
EMSCRIPTEN_KEEPALIVE const char* megamem_import_export(int format) {
    const megamem::ReadLink read = megamem::read_link(text);
    answer = megamem::make_export(read.scenario, read.method,
                                  megamem::kExportFormats.at(static_cast<std::size_t>(format)))
                 .text;
    text = {};
    return answer.data();
}

EMSCRIPTEN_KEEPALIVE std::size_t megamem_import_size() {
    return answer.size();
}

}  // extern "C"
