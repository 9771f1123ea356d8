// The field table: one row for each member of Scenario. Whatever lists fields (JSON, link, command line,
// form, documentation) is driven by it, so a new field is one member and one row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/problem.h"
#include "scenario/scenario.h"

namespace megamem {

enum class Group {
    general,
    model,
    attention,
    experts,
    parallel,
    pipeline,
    batch,
    precision,
    optimizer,
    recompute,
    software,
    hardware,
    vision
};

std::string_view title_of(Group group);

enum class FieldType {
    integer,
    boolean,
    decimal,        // up to four places
    choice,         // one of choices()
    words,          // a list of choices()
    text,           // free UTF-8 text
    layer_pattern,  // moe_layer_freq: layer_pattern.h
    layout,         // pipeline_model_parallel_layout: a string, or the list form as JSON
};

std::string_view name_of(FieldType type);

// How an enumeration member is reached through its position in the list of choices.
struct EnumSlot {
    std::size_t (*get)(const Scenario&);
    void (*set)(Scenario&, std::size_t);
};

using Slot =
    std::variant<std::int64_t Scenario::*, OptionalInt Scenario::*, bool Scenario::*, Decimal4 Scenario::*,
                 std::string Scenario::*, std::vector<std::string> Scenario::*, EnumSlot>;

using Choices = std::span<const std::string_view>;

struct Field {
    std::string_view key{};       // JSON key: Megatron's argument name
    std::string_view link_key{};  // short and frozen: links carry it
    std::string_view flag{};      // Megatron's command-line flag, empty where there is none
    bool negated = false;         // the flag turns the field off: --disable-bias-linear
    Group group = Group::general;
    FieldType type = FieldType::integer;
    Slot slot{};
    std::int64_t min = 0;  // of integers, and of decimals in ten-thousandths
    std::int64_t max = 0;
    std::int64_t step = 1;    // allowed are min, min + step, ...
    bool required = false;    // no default: asked for when it isn't set
    bool power_step = false;  // the form's buttons double and halve it
    std::string_view unit{};
    Choices (*choices)() = nullptr;
    // Megatron's own default where ours is another: what a launch script without the flag means. As text.
    std::string_view megatron_default{};
    std::string_view label{};
};

std::span<const Field> field_table();
std::string_view help_of(const Field& field);  // of one of the table

const Field* find_field(std::string_view key);
const Field* find_field_by_link_key(std::string_view link_key);
const Field* find_field_by_flag(std::string_view flag);

// The value as canonical text: "61", "1"/"0", "0.75", "selective", "core_attn,moe_act"; kUnset where an
// optional field isn't set. set_text(get_text(x)) gives x back.
inline constexpr std::string_view kUnset = "none";
std::string get_text(const Scenario& scenario, const Field& field);

// Reads what a person, a link or a command line wrote. On failure the scenario is unchanged and the problem
// names field, value and what would be right.
std::optional<Problem> set_text(Scenario& scenario, const Field& field, std::string_view text);

// Typed setters, for readers that already have a typed value (JSON). They check range and choices.
std::optional<Problem> set_integer(Scenario& scenario, const Field& field, std::int64_t value);
std::optional<Problem> set_decimal(Scenario& scenario, const Field& field, Decimal4 value);
std::optional<Problem> set_words(Scenario& scenario, const Field& field, std::vector<std::string> words);

bool is_optional(const Field& field);
bool is_set(const Scenario& scenario, const Field& field);
bool equal(const Scenario& a, const Scenario& b, const Field& field);
void copy_field(Scenario& to, const Scenario& from, const Field& field);

// "1 to 65536", "2 or 4", "none, e4m3, hybrid": for messages and help.
std::string describe_range(const Field& field);

}  // namespace megamem
