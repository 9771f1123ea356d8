// Headings, paragraphs, lists and tables for elements of the page: the result beside the canvas, and the
// dialog.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace megamem::web {

// Texts come in English and are shown in the language that was chosen, but for a table's caption and what is
// verbatim. Blocks come in their order. A row belongs to the table that was begun last, an entry to the list
// before it.
class Document {
  public:
    void heading(std::string_view text);
    void paragraph(std::string_view text);
    void entry(std::string_view text);  // of a list
    // As it is: a paragraph "p", an entry "li", or "pre", a formula, whose line breaks are kept.
    void verbatim(std::string_view tag, std::string_view text);
    void link(std::string_view text, std::string_view address);
    void table(std::string_view caption = {});
    void head(const std::vector<std::string>& cells);
    void row(const std::vector<std::string>& cells);  // the first one names it

    // One string, which web/platform/document.js makes elements of.
    const std::string& coded() const { return coded_; }

  private:
    void block(std::string_view tag, std::string_view text);
    void cells(std::string_view tag, const std::vector<std::string>& all);
    std::string coded_;
};

// A cell whose exact value goes along with it, unseen.
std::string cell_of(std::string_view text, std::string_view exact);

// A cell that is shown as it is.
std::string verbatim_cell(std::string_view text);

}  // namespace megamem::web
