#include "import/argument_editor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "import/argument_names.h"
#include "import/argument_values.h"

namespace megamem {

namespace {

std::string shown(const Argument& argument) {
    if (!argument.source.empty()) return argument.source;
    return argument.values.empty() ? argument.flag
                                   : fmt::format("{} {}", argument.flag, argument.values.front());
}

}  // namespace

ArgumentEditor::ArgumentEditor(std::vector<Argument> arguments) : arguments_(std::move(arguments)) {}

const Argument* ArgumentEditor::find(std::string_view flag) const {
    for (auto at = arguments_.rbegin(); at != arguments_.rend(); ++at) {
        if (canonical_flag(at->flag) == canonical_flag(flag)) return &*at;
    }
    return nullptr;
}

const Argument* ArgumentEditor::find_on(std::string_view flag) const {
    const Argument* found = find(flag);
    return found == nullptr || (!found->values.empty() && means_off(found->values[0])) ? nullptr : found;
}

std::optional<std::int64_t> ArgumentEditor::number(std::string_view flag, std::int64_t most) const {
    const Argument* found = find(flag);
    if (found == nullptr || found->values.empty() || !found->unresolved.empty()) return std::nullopt;
    const auto value = parse_unsigned(trim(found->values.front()));
    return value && *value >= 1 && *value <= most ? value : std::nullopt;
}

void ArgumentEditor::remove(std::string_view flag) {
    const std::string canonical = canonical_flag(flag);
    std::erase_if(arguments_, [&](const Argument& a) { return canonical_flag(a.flag) == canonical; });
}

void ArgumentEditor::add(std::string_view flag, std::string value, const Argument& from) {
    Argument added{std::string(flag), {std::move(value)}, from.line, shown(from), from.unresolved};
    arguments_.push_back(std::move(added));
}

void ArgumentEditor::ask(std::string_view flag, std::string why, const Argument& from) {
    Argument open{std::string(flag), {}, from.line, shown(from), from.unresolved};
    if (open.unresolved.empty()) open.unresolved = std::move(why);
    arguments_.push_back(std::move(open));
}

void ArgumentEditor::rename(std::string_view flag, std::string_view to) {
    const Argument* found = find(flag);
    if (found == nullptr) return;
    Argument renamed = *found;
    renamed.source = shown(renamed);
    renamed.flag = to;
    remove(flag);
    arguments_.push_back(std::move(renamed));
}

}  // namespace megamem
