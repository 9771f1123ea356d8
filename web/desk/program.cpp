// What the page needs now and then, as a program of its own that is loaded when it is first asked: readers
// and writers of foreign formats, explanations, and notes on a result.
#include <emscripten.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "desk/notes.h"
#include "desk/question.h"
#include "export/export.h"
#include "import/import.h"
#include "import/import_records.h"
#include "link/link.h"
#include "memory/compare_records.h"
#include "memory/estimate.h"
#include "memory/explain_cell.h"
#include "memory/explain_records.h"

namespace megamem::web {

namespace {

std::string text;
std::string answer;

std::string exported(std::string_view link, int format) {
    const ReadLink read = read_link(link);
    return make_export(read.scenario, read.method, kExportFormats.at(static_cast<std::size_t>(format))).text;
}

std::string explanation(std::string_view question, int rank) {
    const std::string_view link = question.substr(0, question.find(kBeforeCell));
    const std::string_view cell = question.substr(std::min(link.size() + 1, question.size()));
    const ReadLink read = read_link(link);
    const Report report = estimate(read.scenario, read.method);
    return write_explanation_records(explain_cell(read.scenario, report, rank, cell));
}

std::string notes(std::string_view link) {
    const ReadLink read = read_link(link);
    return write_notes(notes_on(read.scenario, estimate(read.scenario, read.method)));
}

std::string answer_to(DeskQuestion question, int number) {
    switch (question) {
        case DeskQuestion::import:
            return write_import_records(import_text(text));
        case DeskQuestion::exported:
            return exported(text, number);
        case DeskQuestion::explanation:
            return explanation(text, number);
        case DeskQuestion::notes:
            return notes(text);
        case DeskQuestion::methods:
            return write_comparison_records(compare_methods(read_link(text).scenario));
    }
    return {};
}

}  // namespace

extern "C" {

// Room for a question's text.
EMSCRIPTEN_KEEPALIVE char* megamem_desk_room(std::size_t size) {
    text.resize(size);
    return text.data();
}

EMSCRIPTEN_KEEPALIVE const char* megamem_desk_answer(int question, int number) {
    answer = answer_to(static_cast<DeskQuestion>(question), number);
    text = {};
    return answer.data();
}

EMSCRIPTEN_KEEPALIVE std::size_t megamem_desk_size() {
    return answer.size();
}

}  // extern "C"

}  // namespace megamem::web
