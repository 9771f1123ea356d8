#include "app/module_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/preferences.h"
#include "app/state.h"
#include "base/units.h"
#include "text/text.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

constexpr const char* kOrderKey = "modules_order";
constexpr const char* kSectionTitles[kSections] = {
    words::kSectionEmbedding, words::kSectionLayers, words::kSectionMtp,    words::kSectionHead,
    words::kVision,           words::kSectionBeside, words::kSectionReserve};

// All columns that there can be, for what the browser remembers: new ones come at the end.
constexpr std::string_view kSortable[] = {kNameColumn, kParametersColumn, "weight",     "fp8_cache", "grad",
                                          "master",    "optimizer",       "activation", kTotalColumn};

struct View {
    Order order;
    bool read = false;  // what the browser remembers
    // What isn't part of the model is folded at first.
    bool open[kSections] = {true, true, true, true, true, false, false};
    std::vector<std::string> modules;  // that are unfolded
    int changes = 0;
};

View& view() {
    static View the_view;
    if (!the_view.read) {
        the_view.read = true;
        const int kept = preferred(kOrderKey, 0);
        if (kept > 0 && kept <= 2 * static_cast<int>(std::size(kSortable)))
            the_view.order = {kSortable[(kept - 1) / 2], (kept - 1) % 2 == 1};
    }
    return the_view;
}

std::int64_t amount(const TableRow& row, std::string_view column) {
    if (column == kParametersColumn) return row.elements;
    const auto kind = kind_named(column);
    return kind ? row.of(*kind) : row.total();
}

// What a row is sorted by, and its place among its like.
struct Key {
    std::string_view label;
    const TableRow* row;
    std::size_t place;
};

bool before(const Key& a, const Key& b) {
    const Order& order = view().order;
    if (order.column == kNameColumn) return order.falling ? b.label < a.label : a.label < b.label;
    const std::int64_t first = amount(*a.row, order.column);
    const std::int64_t second = amount(*b.row, order.column);
    return order.falling ? second < first : first < second;
}

// The model's order stays where the column doesn't part them. They are few: inserting is quick and short.
void sort_keys(std::vector<Key>& keys) {
    if (view().order.column.empty()) return;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        for (std::size_t k = i; k > 0 && before(keys[k], keys[k - 1]); --k)
            std::swap(keys[k], keys[k - 1]);
    }
}

void add(TableRow& sums, const TableRow& row) {
    sums.elements += row.elements;
    for (std::size_t i = 0; i < kKinds; ++i)
        sums.bytes[i] += row.bytes[i];
}

// "self_attention.linear_qkv.weight" as "linear_qkv", and a bias as "linear_qkv.bias": the module's row says
// the rest.
std::string_view short_name(std::string_view name) {
    constexpr std::string_view kWeight = ".weight";
    const bool weight = name.ends_with(kWeight);
    if (weight) name.remove_suffix(kWeight.size());
    const std::size_t last = name.rfind('.');
    if (last == std::string_view::npos || last == 0) return name;
    if (weight) return name.substr(last + 1);
    const std::size_t before = name.rfind('.', last - 1);
    return before == std::string_view::npos ? name : name.substr(before + 1);
}

std::string detail_of(const TensorRow& tensor) {
    std::string text = grouped(tensor.rows);
    if (tensor.cols > 0) text += " × " + grouped(tensor.cols);
    text.append(" · ").append(tensor.dtype);
    const auto add = [&](const char* words, std::int64_t count) {
        if (count > 1) text.append(" · ").append(translated(fmt::format(fmt::runtime(words), count)));
    };
    add(words::kShapeExperts, tensor.copies);
    add(words::kShapeLayers, tensor.layers);
    return text;
}

class Builder {
  public:
    Builder(const State& s, bool folds) : folds_(folds) {
        const RankReport& rank = s.report.ranks[static_cast<std::size_t>(s.selected_rank)];
        if (s.report.method == Method::detailed)
            tensors_ = tensor_rows(s.scenario, s.report, rank.pipeline_rank);
        out_.sums.name = kTotalColumn;
        for (TableRow& row : table_rows(rank)) {
            add(out_.sums, row);
            if (row.total() == 0 && row.elements == 0) continue;  // not there at the peak
            sections_[static_cast<std::size_t>(section_of(row))].push_back(std::move(row));
        }
    }

    ShownRows build() {
        TableRow sums[kSections];
        std::vector<Key> keys;
        for (std::size_t i = 0; i < kSections; ++i) {
            if (sections_[i].empty()) continue;
            for (const TableRow& row : sections_[i])
                add(sums[i], row);
            keys.push_back({kSectionTitles[i], &sums[i], i});
        }
        sort_keys(keys);
        for (const Key& key : keys)
            section(static_cast<Section>(key.place), *key.row);
        return std::move(out_);
    }

  private:
    void section(Section section, const TableRow& sums) {
        const auto i = static_cast<std::size_t>(section);
        std::vector<TableRow>& rows = sections_[i];
        const bool alone = rows.size() == 1;  // it would only say the same
        if (!alone) {
            out_.rows.push_back({.level = ShownRow::Level::section,
                                 .row = sums,
                                 .id = section_row(section),
                                 .label = kSectionTitles[i],
                                 .unfolds = true,
                                 .open = view().open[i]});
            if (folds_ && !view().open[i]) return;
        }
        std::vector<Key> keys;
        for (const TableRow& row : rows)
            keys.push_back({row.name, &row, 0});
        sort_keys(keys);
        for (const Key& key : keys)
            module(*key.row, alone ? 0 : 1);
    }

    void module(const TableRow& row, int indent) {
        std::vector<Key> keys;
        for (std::size_t i = 0; i < tensors_.size(); ++i) {
            const TensorRow& tensor = tensors_[i];
            if (tensor.module == row.name) keys.push_back({short_name(tensor.name), &tensor.held, i});
        }
        const std::vector<std::string>& unfolded = view().modules;
        const bool open = std::find(unfolded.begin(), unfolded.end(), row.name) != unfolded.end();
        std::string label = spoken(row.name);
        if (row.multiplicity > 1) label += fmt::format(" × {}", row.multiplicity);
        out_.rows.push_back({.indent = indent,
                             .row = row,
                             .id = std::string(row.name),
                             .label = std::move(label),
                             .unfolds = !keys.empty(),
                             .open = open});
        if (!open) return;
        sort_keys(keys);
        for (const Key& key : keys)
            out_.rows.push_back({.level = ShownRow::Level::tensor,
                                 .indent = indent + 1,
                                 .row = *key.row,
                                 .id = std::string(row.name),
                                 .label = std::string(key.label),
                                 .detail = detail_of(tensors_[key.place])});
        kept_for_backward(row, indent + 1);
    }

    // No tensor of the model: the explanation of the cell lists what it is made of.
    void kept_for_backward(const TableRow& module, int indent) {
        if (module.of(Kind::activation) == 0) return;
        ShownRow row = {.level = ShownRow::Level::tensor, .indent = indent};
        row.row.name = words::kActivations;
        row.row.bytes[static_cast<std::size_t>(Kind::activation)] = module.of(Kind::activation);
        row.id = module.name;
        row.label = translated(words::kActivations);
        row.detail = translated(words::kKeptForBackward);
        out_.rows.push_back(std::move(row));
    }

    bool folds_;
    std::vector<TableRow> sections_[kSections];
    std::vector<TensorRow> tensors_;
    ShownRows out_;
};

}  // namespace

const Order& module_order() {
    return view().order;
}

void order_modules_by(std::string_view column) {
    // The largest first, but names from A to Z.
    Order& order = view().order;
    const bool first = column != kNameColumn;
    if (order.column != column) {
        order = {column, first};
    } else if (order.falling == first) {
        order.falling = !first;
    } else {
        order = {};
    }
    ++view().changes;
    const auto* const found = std::find(std::begin(kSortable), std::end(kSortable), order.column);
    const auto place = static_cast<int>(found - std::begin(kSortable));
    prefer(kOrderKey, order.column.empty() ? 0 : 2 * place + (order.falling ? 2 : 1));
}

void unfold_row(const ShownRow& row) {
    ++view().changes;
    if (const auto section = section_named(row.id)) {
        view().open[static_cast<std::size_t>(*section)] = !row.open;
        return;
    }
    std::vector<std::string>& open = view().modules;
    if (row.open) {
        std::erase(open, row.id);
    } else {
        open.push_back(row.id);
    }
}

const ShownRows& shown_rows() {
    static ShownRows made;
    static std::string of;
    const State& s = state();
    std::string now =
        fmt::format("{} {} {} {}", s.version, s.selected_rank, view().changes, is_chinese() ? 1 : 0);
    if (of != now) {
        made = Builder(s, true).build();
        of = std::move(now);
    }
    return made;
}

ShownRows text_rows() {
    return Builder(state(), false).build();
}

int module_view_changes() {
    return view().changes;
}

std::string spoken(std::string_view name) {
    if (is_chinese()) return std::string(name);
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

}  // namespace megamem::web
