// What all parts of the importer of config.json work on: the file's keys by name, with the class's defaults
// behind them, and the import that they fill.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "import/hf_models.h"
#include "import/import.h"
#include "scenario/scenario.h"

namespace megamem::hf {

// Spellings of one thing; the first that the file has counts.
using Keys = std::initializer_list<std::string_view>;

// A value of the file, or of the class that its model_type names.
struct Entry {
    const Json* value = nullptr;
    std::string source;  // "text_config.hidden_size"
    std::size_t line = 0;
    bool silent = false;  // a guess about a class that isn't known

    explicit operator bool() const { return value != nullptr; }
};

class Reader {
  public:
    // `path` leads to the language model's object in `root`, empty for the root itself.
    Reader(const Json& root, std::string path, const std::vector<KeyPlace>& places, const Model* model,
           Import& out);

    // The language model's entry that isn't null; Entry{} where there is none.
    Entry find(Keys keys);
    // Likewise in another object of the file: "vision_config", or "" for the root.
    Entry find_in(std::string_view path, Keys keys);
    // In the language model's object and then in the root.
    Entry find_anywhere(Keys keys);
    // A key is there, though it may be null.
    bool mentions(std::string_view key) const;

    // The value in the wanted type; what isn't of it is reported, and numbers in quotes are noted.
    OptionalInt number(const Entry& entry);
    std::optional<bool> truth(const Entry& entry);
    std::string_view word(const Entry& entry) const;  // empty where it isn't a string

    // find, number and take in one.
    OptionalInt copy(std::string_view field, Keys keys);

    // Sets a field. `from` tells where the value is from, and so into which list it goes.
    bool take(std::string_view field, std::string_view value, const Entry& from);
    bool take(std::string_view field, std::int64_t value, const Entry& from);
    // What the class means by silence. That is as good as a word of the file where the class is known.
    void assume(std::string_view field, std::string_view value);
    void assume(std::string_view field, std::int64_t value);
    void ask(std::string_view field, std::string source, std::string message);
    void not_modelled(std::string source, std::string message);
    void note(std::string source, std::string message);  // worth knowing

    bool is_known() const { return model_ != nullptr; }
    bool has(Traits trait) const { return model_ != nullptr && (model_->traits & trait) != 0; }
    bool is_set(std::string_view field) const;  // taken or assumed
    bool is_asked(std::string_view field) const;
    const Scenario& scenario() const { return scenario_; }
    const std::string& path() const { return path_; }
    std::string name() const;  // of the model's class, for messages

    // Keys that nothing has asked for go into the import's lists of neutral and unknown ones.
    void list_the_rest();

  private:
    const Json* object_at(std::string_view path) const;
    std::string whole_path(std::string_view path, std::string_view key) const;
    std::size_t mark(const std::string& path);
    void tell(Severity severity, std::string_view code, std::string path, std::string message);
    void refuse(const Entry& entry, std::string_view why);

    const Json& root_;
    std::string path_;
    const Json* section_;
    const std::vector<KeyPlace>& places_;
    std::vector<bool> used_;  // of the places
    const Model* model_;
    Json defaults_;
    Import& out_;
    Scenario scenario_;
};

}  // namespace megamem::hf
