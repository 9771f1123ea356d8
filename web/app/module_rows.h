// What the table of modules shows of a rank: sections, their modules, and the modules' tensors, as far as
// they are unfolded, in the chosen order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/tensor_rows.h"

namespace megamem::web {

struct ShownRow {
    enum class Level { section, module, tensor };

    Level level = Level::module;
    int indent = 0;
    TableRow row;    // of a section: the sums
    std::string id;  // of its cells: "attention", "all layers"; of a tensor, its module's
    std::string label;
    std::string detail;  // of a tensor: shape, type, how often
    bool unfolds = false;
    bool open = false;
};

struct ShownRows {
    std::vector<ShownRow> rows;
    TableRow sums;
};

// By a column's name; "name" for the labels. An empty one: in the model's order.
struct Order {
    std::string_view column;
    bool falling = false;
};
inline constexpr std::string_view kNameColumn = "name";

const Order& module_order();
void order_modules_by(std::string_view column);  // the other way round the second time, and then not at all
void unfold_row(const ShownRow& row);            // or fold it again

// Of the selected rank. Computed when something has changed.
const ShownRows& shown_rows();
// The same for a text, in which nothing can be unfolded: all sections are.
ShownRows text_rows();
int module_view_changes();  // counts changes of the order and of what is unfolded

// "shared expert"; in Chinese as it is, which is what the dictionary has.
std::string spoken(std::string_view name);

}  // namespace megamem::web
