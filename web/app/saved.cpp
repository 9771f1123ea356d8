#include "app/saved.h"

#include <algorithm>
#include <optional>

#include "app/state.h"
#include "base/text.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

constexpr const char* kKey = "scenarios_2";
constexpr std::string_view kProbe = "probe";

std::optional<std::vector<Saved>> known;  // read once

// Kept as lines: a link, a blank and the name. Links hold no blanks, names no line ends.
std::vector<Saved> read() {
    const std::string lines = platform::stored(kKey);
    std::vector<Saved> list;
    for (std::string_view rest = lines; !rest.empty();) {
        const std::string_view line = take_line(rest);
        const std::size_t blank = std::min(line.find(' '), line.size());
        if (blank == 0) continue;
        list.push_back(
            {std::string(line.substr(std::min(blank + 1, line.size()))), std::string(line.substr(0, blank))});
    }
    return list;
}

std::vector<Saved>& list() {
    if (!known) known = read();
    return *known;
}

void write() {
    std::string lines;
    for (const Saved& saved : list()) {
        lines += saved.link + ' ';
        for (const char c : saved.name)
            lines += c == '\n' || c == '\r' ? ' ' : c;
        lines += '\n';
    }
    platform::store(kKey, lines);
}

std::string name_of_open() {
    const std::string& name = state().scenario.name;
    return std::string(name.empty() ? translated(words::kUnnamed) : name);
}

auto find(std::string_view name) {
    return std::find_if(list().begin(), list().end(), [&](const Saved& saved) { return saved.name == name; });
}

}  // namespace

const std::vector<Saved>& saved_scenarios() {
    return list();
}

bool saving_works() {
    static const bool works = [] {
        platform::store(kProbe, "1");
        const bool kept = !platform::stored(kProbe).empty();
        platform::store(kProbe, "");
        return kept;
    }();
    return works;
}

bool is_saved(std::string_view name) {
    return find(name) != list().end();
}

void save_scenario() {
    const std::string name = name_of_open();
    if (const auto there = find(name); there != list().end()) {
        there->link = current_link();
    } else {
        list().push_back({name, current_link()});
    }
    write();
}

void open_saved(std::size_t index) {
    const std::string link = list().at(index).link;
    visit_link(link);
}

void duplicate_saved(std::size_t index) {
    Saved copy = list().at(index);
    const std::string name = copy.name;
    for (int i = 2; is_saved(copy.name); ++i)
        copy.name = name + " " + std::to_string(i);
    list().insert(list().begin() + static_cast<std::ptrdiff_t>(index) + 1, std::move(copy));
    write();
}

void delete_saved(std::size_t index) {
    list().erase(list().begin() + static_cast<std::ptrdiff_t>(index));
    write();
}

}  // namespace megamem::web
