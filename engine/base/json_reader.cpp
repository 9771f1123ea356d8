#include "base/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/text.h"

namespace megamem {

namespace {

// The text as nlohmann's lexer walks it: the events carry no positions, so the walk tells how far it is.
class Walk {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    Walk(const char* at, const char** seen) : at_(at), seen_(seen) {}
    reference operator*() const { return *at_; }
    Walk& operator++() {
        *seen_ = ++at_;
        return *this;
    }
    friend bool operator==(const Walk& a, const Walk& b) { return a.at_ == b.at_; }

  private:
    const char* at_;
    const char** seen_;
};

// Builds the value event by event (nlohmann's SAX interface).
class Builder {
  public:
    Builder(std::string_view text, std::vector<KeyPlace>* places)
        : text_(text), seen_(text.data()), counted_(text.data()), places_(places) {}

    void parse() {
        const char* end = text_.data() + text_.size();
        Json::sax_parse(Walk(text_.data(), &seen_), Walk(end, &seen_), this);
    }

    bool null() { return put(Json()); }
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
        // Keys often stand in order: then each goes behind the last.
        Open& open = open_.back();
        auto& object = open.container->get_ref<Json::object_t&>();
        const std::size_t before = object.size();
        const auto hint = before == 0 ? object.end() : std::next(open.last);
        open.last = object.try_emplace(hint, key);
        if (object.size() == before) {
            problems.push_back(
                {Severity::warning, "duplicate_key", key.substr(0, 80),
                 fmt::format("the key {} stands more than once; the last one counts", quote(key))});
        }
        if (places_ != nullptr) key_ = std::move(key);
        if (places_ != nullptr && places_->size() < kMostKeyPlaces) note_place();
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
    struct Open {
        Json* container;
        Json::object_t::iterator last;  // the member that was added last, of an object
    };

    template <class Value>
    bool put(Value&& item) {
        place(std::forward<Value>(item));
        return true;
    }

    // The lexer has just read the key.
    void note_place() {
        line_ += static_cast<std::size_t>(std::count(counted_, seen_, '\n'));
        counted_ = seen_;
        std::string path;
        for (std::size_t i = 0; i < open_.size(); ++i) {
            if (!open_[i].container->is_object()) return;
            if (i > 0) path += keys_[i] + '.';
        }
        places_->push_back({path + key_, line_});
    }

    bool open(Json container) {
        if (open_.size() >= static_cast<std::size_t>(kDeepestJson)) {
            problems.push_back({Severity::error, "json_too_deep", "",
                                fmt::format("the JSON is nested more than {} deep", kDeepestJson)});
            return false;
        }
        // Pointers stay good: a container is only grown while it is the innermost open one.
        open_.push_back({&place(std::move(container)), {}});
        if (places_ != nullptr) keys_.push_back(key_);
        return true;
    }

    bool close() {
        open_.pop_back();
        if (places_ != nullptr) keys_.pop_back();
        return true;
    }

    template <class Value>
    Json& place(Value&& item) {
        if (open_.empty()) return value = std::forward<Value>(item);
        Json& parent = *open_.back().container;
        if (parent.is_object()) return open_.back().last->second = std::forward<Value>(item);
        return parent.get_ref<Json::array_t&>().emplace_back(std::forward<Value>(item));
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
    const char* seen_;     // where the lexer is
    const char* counted_;  // the lines up to here are counted
    std::size_t line_ = 1;
    std::vector<KeyPlace>* places_;
    std::vector<Open> open_;
    std::vector<std::string> keys_;  // of the open containers, where places are wanted
    std::string key_;                // the last one, where places are wanted
};

ReadJson read(std::string_view text, std::vector<KeyPlace>* places) {
    const auto refuse = [](std::string_view code, std::string message) {
        return ReadJson{{}, {{Severity::error, code, "", std::move(message)}}};
    };
    if (text.size() > kMostJsonBytes) {
        return refuse("too_long",
                      fmt::format("the text is {} bytes long; {} are allowed", text.size(), kMostJsonBytes));
    }
    if (trim(text).empty()) return refuse("empty", "the text is empty");
    Builder builder(text, places);
    builder.parse();
    return {std::move(builder.value), std::move(builder.problems)};
}

}  // namespace

ReadJson read_json(std::string_view text) {
    return read(text, nullptr);
}

ReadJson read_json(std::string_view text, std::vector<KeyPlace>& places) {
    places.clear();
    return read(text, &places);
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
