// What the page asks of the program beside it (desk/program.cpp). Both are built of the same sources.
#pragma once

namespace megamem::web {

enum class DeskQuestion {
    import,       // of foreign text: import/import_records.h
    exported,     // of a link, in a format of kExportFormats by its number: the text
    explanation,  // of a link's scenario, the rank by its number and a cell: memory/explain_records.h
    notes,        // on a link's scenario and method: desk/notes.h
    methods,      // side by side for a link's scenario: memory/compare_records.h
};

// Between the link and the name of the cell.
inline constexpr char kBeforeCell = ' ';

}  // namespace megamem::web
