#include "app/imports.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "import/import_records.h"
#include "memory/estimate.h"
#include "platform/platform.h"
#include "scenario/field.h"

namespace megamem::web {

namespace {

OpenImport the_import;

// What is chosen of the pasted texts, and the answers after them.
std::vector<Import> chosen() {
    std::vector<Import> parts;
    const auto left_out = [](const Taken& taken) { return the_import.left_out.contains(taken.key); };
    for (const Pasted& pasted : the_import.pasted) {
        Import part;
        std::remove_copy_if(pasted.import.taken.begin(), pasted.import.taken.end(),
                            std::back_inserter(part.taken), left_out);
        part.defaults = pasted.import.defaults;
        parts.push_back(std::move(part));
    }
    Import answers;
    for (const auto& [key, draft] : the_import.answers) {
        if (!draft.text.empty() && draft.reason.empty()) answers.taken.push_back({key, draft.text, {}, 0});
    }
    parts.push_back(std::move(answers));
    return parts;
}

void compute() {
    the_import.merged =
        merge_imports(the_import.onto_open_scenario ? state().scenario : Scenario{}, chosen());
    the_import.preview = estimate(the_import.merged.scenario, state().method);
}

// Names and sizes of what is being read, in order.
std::deque<Pasted> waiting;

// A model's config says nothing of layout and batch: those stay as they are, and so does what notes leave
// out. A script says it all.
bool is_partial(Format format) {
    return format == Format::hf_config || format == Format::overrides || format == Format::notes;
}

void import_read(std::string records) {
    Pasted pasted = std::move(waiting.front());
    waiting.pop_front();
    if (!the_import.open) return;  // closed meanwhile
    pasted.import = read_import_records(records);
    if (the_import.pasted.empty()) the_import.onto_open_scenario = is_partial(pasted.import.format);
    the_import.pasted.push_back(std::move(pasted));
    compute();
}

}  // namespace

const OpenImport& imports() {
    return the_import;
}

void open_import() {
    if (the_import.open) return;
    the_import = {};
    the_import.open = true;
    platform::show_text_view(false);  // the choices are on the canvas
    compute();
}

void receive_text(std::string_view text, std::string_view name) {
    open_import();
    waiting.push_back({std::string(name), text.size(), {}});
    platform::ask_desk(DeskQuestion::import, text, 0, import_read);
}

void remove_pasted(std::size_t index) {
    the_import.pasted.erase(the_import.pasted.begin() + static_cast<std::ptrdiff_t>(index));
    compute();
}

void take_field(std::string_view key, bool taken) {
    if (taken) {
        the_import.left_out.erase(key);
    } else {
        the_import.left_out.insert(key);
    }
    compute();
}

void answer_field(const Field& field, std::string_view text) {
    Draft& answer = the_import.answers[field.key];
    answer = {std::string(text), {}};
    Scenario scratch;
    if (auto problem = text.empty() ? std::nullopt : set_text(scratch, field, text))
        answer.reason = std::move(problem->message);
    compute();
}

void import_onto(bool open_scenario) {
    the_import.onto_open_scenario = open_scenario;
    compute();
}

void apply_import() {
    open_scenario(std::move(the_import.merged.scenario));
    close_import();
}

void close_import() {
    the_import = {};
}

}  // namespace megamem::web
