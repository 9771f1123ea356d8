#include "base/json_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace megamem {

namespace {

// Builds the value event by event (nlohmann's SAX interface).
class Builder {
  public:
    explicit Builder(std::string_view text) : text_(text) {}

    bool null() { return put(nullptr); }
    bool boolean(bool on) { return put(on); }
    bool number_integer(Json::number_integer_t number) { return put(number); }
    bool number_unsigned(Json::number_unsigned_t number) { return put(number); }
    bool number_float(Json::number_float_t number, const Json::string_t&) { return put(number); }
    bool string(Json::string_t& text) { return put(std::move(text)); }
    bool binary(Json::binary_t&) { return false; }  // JSON text has none

    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(Json::string_t& key) {
        Json& object = *open_.back();
        if (object.contains(key)) {
            problems.push_back(
                {Severity::warning, "duplicate_key", key.substr(0, 80),
                 fmt::format("the key {} stands more than once; the last one counts", quote(key))});
        }
        key_ = std::move(key);
        return true;
    }

    template <class Exception>
    bool parse_error(std::size_t position, const std::string&, const Exception& error) {
        if (!has_error(problems)) fail(position, error.id);
        return false;
    }

    Json value;
    Problems problems;

  private:
    template <class Value>
    bool put(Value&& item) {
        place(std::forward<Value>(item));
        return true;
    }

    bool open(Json container) {
        if (open_.size() >= static_cast<std::size_t>(kDeepestJson)) {
            problems.push_back({Severity::error, "json_too_deep", "",
                                fmt::format("the JSON is nested more than {} deep", kDeepestJson)});
            return false;
        }
        // Pointers stay good: a container is only grown while it is the innermost open one.
        open_.push_back(&place(std::move(container)));
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    template <class Value>
    Json& place(Value&& item) {
        if (open_.empty()) return value = std::forward<Value>(item);
        Json& parent = *open_.back();
        if (parent.is_object()) return parent[key_] = std::forward<Value>(item);
        parent.push_back(std::forward<Value>(item));
        return parent.back();
    }

    void fail(std::size_t position, int id) {
        // nlohmann counts the byte that it stopped at from 1.
        const std::size_t at = std::min(position == 0 ? 0 : position - 1, text_.size());
        const std::string_view before = text_.substr(0, at);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const std::size_t column =
            at - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
        constexpr int kNumberTooLarge = 406;  // nlohmann's id for a number that overflows
        const std::string_view what =
            id == kNumberTooLarge ? "a number is too large" : "this is not valid JSON";
        const std::string there = at < text_.size() ? fmt::format("near {}", quote(text_.substr(at, 20), 20))
                                                    : std::string("the text ends too early");
        problems.push_back({Severity::error, "bad_json", "",
                            fmt::format("{}: line {}, column {}, {}", what, line, column, there)});
    }

    std::string_view text_;
    std::vector<Json*> open_;
    std::string key_;
};

}  // namespace

ReadJson read_json(std::string_view text) {
    const auto refuse = [](std::string_view code, std::string message) {
        return ReadJson{{}, {{Severity::error, code, "", std::move(message)}}};
    };
    if (text.size() > kMostJsonBytes) {
        return refuse("too_long",
                      fmt::format("the text is {} bytes long; {} are allowed", text.size(), kMostJsonBytes));
    }
    if (trim(text).empty()) return refuse("empty", "the text is empty");
    Builder builder(text);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return {std::move(builder.value), std::move(builder.problems)};
}

std::string_view kind_of(const Json& value) {
    switch (value.type()) {
        case Json::value_t::null:
            return "null";
        case Json::value_t::object:
            return "an object";
        case Json::value_t::array:
            return "an array";
        case Json::value_t::string:
            return "a string";
        case Json::value_t::boolean:
            return "true or false";
        default:
            return "a number";
    }
}

}  // namespace megamem
