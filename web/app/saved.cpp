#include "app/saved.h"

#include <algorithm>
#include <optional>

#include "app/state.h"
#include "base/json_reader.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

constexpr const char* kKey = "scenarios";
constexpr std::string_view kProbe = "probe";

std::optional<std::vector<Saved>> known;  // read once

std::vector<Saved> read() {
    std::vector<Saved> list;
    const ReadJson json = read_json(platform::stored(kKey));
    if (has_error(json.problems) || !json.value.is_array()) return list;
    for (const Json& item : json.value) {
        const auto text = [&](const char* key) {
            const auto found = item.find(key);
            return found != item.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        if (item.is_object() && !text("link").empty()) list.push_back({text("name"), text("link")});
    }
    return list;
}

std::vector<Saved>& list() {
    if (!known) known = read();
    return *known;
}

void write() {
    OrderedJson json = OrderedJson::array();
    for (const Saved& saved : list())
        json.push_back({{"name", saved.name}, {"link", saved.link}});
    platform::store(kKey, list().empty() ? std::string()
                                         : json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
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
