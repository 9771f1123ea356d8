#include "import/hf_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_lenient.h"
#include "base/text.h"
#include "import/hf_neutral.h"
#include "scenario/field.h"

namespace megamem::hf {

namespace {

constexpr std::size_t kMostMentions = 2000;  // a hostile file has a million keys

// "head_dim=128 tie=true" as an object.
Json parse_defaults(std::string_view text) {
    Json object = Json::object();
    for (const std::string_view setting : split(text, ' ')) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string_view::npos) continue;
        object[std::string(setting.substr(0, equals))] =
            parse_unsigned(setting.substr(equals + 1)).value_or(0);
    }
    return object;
}

// "5,120", "5_120" and "5 120": 5120. Groups must be of three digits.
OptionalInt parse_grouped(std::string_view text) {
    text = trim(text);
    if (const auto plain = parse_integer(text)) return plain;
    const std::size_t separator = text.find_first_of(",_ ");
    if (separator == std::string_view::npos) return std::nullopt;
    std::string digits;
    const auto groups = split(text, text[separator]);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i > 0 ? groups[i].size() != 3 : groups[i].empty() || groups[i].size() > 3) return std::nullopt;
        digits += groups[i];
    }
    return parse_unsigned(digits);
}

OptionalInt whole_number(const Json& value) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const double number = value.get<double>();
    constexpr double kExact = 9007199254740992.0;
    if (std::floor(number) != number || std::fabs(number) > kExact) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::string shown(const Json& value) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        const std::string_view impossible = impossible_number(text);
        return impossible.empty() ? quote(text) : std::string(impossible);
    }
    if (value.is_structured()) return std::string(kind_of(value));
    return value.dump();
}

}  // namespace

Reader::Reader(const Json& root, std::string path, const std::vector<KeyPlace>& places, const Model* model,
               Import& out)
    : root_(root),
      path_(std::move(path)),
      section_(object_at(path_)),
      places_(places),
      used_(places.size(), false),
      model_(model),
      defaults_(parse_defaults(model == nullptr ? std::string_view{} : model->defaults)),
      out_(out) {}

const Json* Reader::object_at(std::string_view path) const {
    const Json* at = &root_;
    if (path.empty()) return at;
    for (const std::string_view key : split(path, '.')) {
        const auto found = at->find(std::string(key));
        if (found == at->end() || !found->is_object()) return nullptr;
        at = &*found;
    }
    return at;
}

std::string Reader::whole_path(std::string_view path, std::string_view key) const {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

// Marks the key as used and gives its line.
std::size_t Reader::mark(const std::string& path) {
    std::size_t line = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        if (places_[i].path != path) continue;
        used_[i] = true;
        line = places_[i].line;  // of repeated keys the last one counts
    }
    return line;
}

Entry Reader::find_in(std::string_view path, Keys keys) {
    const Json* object = object_at(path);
    Entry entry;
    if (object == nullptr) return entry;
    for (const std::string_view key : keys) {
        const auto found = object->find(std::string(key));
        if (found == object->end()) continue;
        std::string source = whole_path(path, key);
        const std::size_t line = mark(source);
        if (entry || found->is_null()) continue;
        entry = {&*found, std::move(source), line, false};
    }
    return entry;
}

Entry Reader::find(Keys keys) {
    if (Entry entry = find_in(path_, keys)) return entry;
    // A null overrides the class's default.
    if (std::any_of(keys.begin(), keys.end(), [&](auto key) { return mentions(key); })) return {};
    for (const std::string_view key : keys) {
        const auto found = defaults_.find(std::string(key));
        if (found != defaults_.end()) return {&*found, fmt::format("{} of model_type {}", key, name())};
    }
    return {};
}

Entry Reader::find_anywhere(Keys keys) {
    Entry here = find_in(path_, keys);
    Entry there = path_.empty() ? Entry{} : find_in("", keys);
    return here ? here : there;
}

bool Reader::mentions(std::string_view key) const {
    return section_->find(std::string(key)) != section_->end();
}

// Once: several parts may look at one key.
void Reader::tell(Severity severity, std::string_view code, std::string path, std::string message) {
    for (const Problem& problem : out_.problems) {
        if (problem.code == code && problem.path == path && problem.message == message) return;
    }
    out_.problems.push_back({severity, code, std::move(path), std::move(message)});
}

void Reader::refuse(const Entry& entry, std::string_view why) {
    tell(Severity::warning, "bad_value", entry.source,
         fmt::format("{}: {} {}", entry.source, shown(*entry.value), why));
}

OptionalInt Reader::number(const Entry& entry) {
    if (!entry) return std::nullopt;
    const Json* value = entry.value;
    if (value->is_array() && !value->empty()) {  // one value a layer
        const Json& first = value->front();
        if (std::any_of(value->begin(), value->end(), [&](const Json& item) { return item != first; })) {
            refuse(entry, "differs from layer to layer");
            return std::nullopt;
        }
        value = &first;
    }
    if (value->is_string() && impossible_number(value->get_ref<const std::string&>()).empty()) {
        const auto grouped = parse_grouped(value->get_ref<const std::string&>());
        if (grouped)
            note(entry.source,
                 fmt::format("{}: {} is read as the number {}", entry.source, shown(*value), *grouped));
        else
            refuse(entry, "is no number");
        return grouped;
    }
    const OptionalInt whole = whole_number(*value);
    if (!whole) refuse(entry, "is no whole number");
    return whole;
}

std::optional<bool> Reader::truth(const Entry& entry) {
    if (!entry) return std::nullopt;
    if (entry.value->is_boolean()) return entry.value->get<bool>();
    if (entry.value->is_number_integer()) return entry.value->get<std::int64_t>() != 0;
    const std::string_view text = word(entry);
    if (text == "true" || text == "True") return true;
    if (text == "false" || text == "False") return false;
    refuse(entry, "is neither true nor false");
    return std::nullopt;
}

std::string_view Reader::word(const Entry& entry) const {
    if (!entry || !entry.value->is_string()) return {};
    return entry.value->get_ref<const std::string&>();
}

OptionalInt Reader::copy(std::string_view field, Keys keys) {
    const Entry entry = find(keys);
    if (!entry) return std::nullopt;
    const OptionalInt value = number(entry);
    if (value && take(field, *value, entry)) return value;
    ask(field, entry.source, fmt::format("{}: a right value of {} is needed", field, entry.source));
    return std::nullopt;
}

bool Reader::take(std::string_view key, std::string_view value, const Entry& from) {
    const Field* field = find_field(key);
    if (field == nullptr) return false;
    if (auto problem = set_text(scenario_, *field, value)) {
        tell(Severity::warning, "bad_value", from.source,
             fmt::format("{}: {}", from.source, problem->message));
        return false;
    }
    auto& list = from.silent ? out_.defaults : out_.taken;
    std::erase_if(list, [&](const Taken& taken) { return taken.key == field->key; });
    list.push_back({field->key, get_text(scenario_, *field), from.source, from.line});
    return true;
}

bool Reader::take(std::string_view key, std::int64_t value, const Entry& from) {
    return take(key, fmt::format("{}", value), from);
}

void Reader::assume(std::string_view field, std::string_view value) {
    Entry entry;
    entry.source = is_known() ? fmt::format("model_type {}", name()) : name();
    entry.silent = !is_known();
    take(field, value, entry);
}

void Reader::assume(std::string_view field, std::int64_t value) {
    assume(field, fmt::format("{}", value));
}

void Reader::ask(std::string_view field, std::string source, std::string message) {
    if (is_asked(field)) return;
    const Field* row = find_field(field);
    out_.questions.push_back(
        {row == nullptr ? std::string_view{} : row->key, std::move(source), 0, std::move(message)});
}

void Reader::not_modelled(std::string source, std::string message) {
    tell(Severity::warning, "not_modelled", std::move(source), std::move(message));
}

void Reader::note(std::string source, std::string message) {
    tell(Severity::info, "note", std::move(source), std::move(message));
}

bool Reader::is_set(std::string_view field) const {
    const auto has = [&](const std::vector<Taken>& list) {
        return std::any_of(list.begin(), list.end(), [&](const Taken& taken) { return taken.key == field; });
    };
    return has(out_.taken) || has(out_.defaults);
}

bool Reader::is_asked(std::string_view field) const {
    return std::any_of(out_.questions.begin(), out_.questions.end(),
                       [&](const Question& question) { return question.key == field; });
}

std::string Reader::name() const {
    return model_ == nullptr ? "this kind of model" : std::string(model_->type);
}

void Reader::list_the_rest() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const KeyPlace& place = places_[i];
        const std::size_t dot = place.path.rfind('.');
        const std::string_view parent =
            dot == std::string::npos ? std::string_view{} : std::string_view(place.path).substr(0, dot);
        const std::string_view key =
            std::string_view(place.path).substr(dot == std::string::npos ? 0 : dot + 1);
        const bool vision = parent.ends_with("vision_config") || parent == "visual";
        // Of other objects only their own key is named.
        if (used_[i] || (!parent.empty() && parent != path_ && !vision)) continue;
        if (path_.starts_with(place.path) || key == "vision_config") continue;
        const auto note = neutral_key(key);
        auto& list = note ? out_.neutral : out_.unknown;
        if (list.size() < kMostMentions)
            list.push_back({quote(place.path, 80), place.line, std::string(note.value_or(""))});
    }
    // quote() gives the marks too, which belong to messages and not to lists.
    for (auto* list : {&out_.neutral, &out_.unknown}) {
        for (Mention& mention : *list)
            mention.source = mention.source.substr(1, mention.source.size() - 2);
    }
}

}  // namespace megamem::hf
