#include "app/document.h"

#include <algorithm>

#include "text/translate.h"

namespace megamem::web {

namespace {

// These separate blocks, their fields, and a field from its exact value; they cannot be part of a text.
constexpr char kBlockEnd = '\x1e';
constexpr char kFieldEnd = '\x1f';
constexpr char kExactBegin = '\x1d';
constexpr char kVerbatim = '\x1c';  // before a cell's text; taken away here

void append_verbatim(std::string& out, std::string_view text) {
    out += kFieldEnd;
    for (const char c : text) {
        if (c != kBlockEnd && c != kFieldEnd) out += c;
    }
}

// In the language that was chosen, but for the exact value.
void append(std::string& out, std::string_view text) {
    if (text.starts_with(kVerbatim)) return append_verbatim(out, text.substr(1));
    const std::size_t end = std::min(text.find(kExactBegin), text.size());
    append_verbatim(out, translated(text.substr(0, end)));
    out += text.substr(end);
}

}  // namespace

void Document::block(std::string_view tag, std::string_view text) {
    coded_ += tag;
    append(coded_, text);
    coded_ += kBlockEnd;
}

void Document::cells(std::string_view tag, const std::vector<std::string>& all) {
    coded_ += tag;
    for (const std::string& cell : all)
        append(coded_, cell);
    coded_ += kBlockEnd;
}

void Document::heading(std::string_view text) {
    block("h2", text);
}
void Document::paragraph(std::string_view text) {
    block("p", text);
}
void Document::verbatim(std::string_view tag, std::string_view text) {
    coded_ += tag;
    append_verbatim(coded_, text);
    coded_ += kBlockEnd;
}
void Document::entry(std::string_view text) {
    block("li", text);
}
void Document::link(std::string_view text, std::string_view address) {
    coded_ += 'a';
    append(coded_, text);
    append_verbatim(coded_, address);
    coded_ += kBlockEnd;
}
void Document::table(std::string_view caption) {
    verbatim("table", caption);
}
void Document::head(const std::vector<std::string>& all) {
    cells("thead", all);
}
void Document::row(const std::vector<std::string>& all) {
    cells("tbody", all);
}

std::string verbatim_cell(std::string_view text) {
    return kVerbatim + std::string(text);
}

std::string cell_of(std::string_view text, std::string_view exact) {
    std::string cell(text);
    cell += kExactBegin;
    return cell.append(exact);
}

}  // namespace megamem::web
