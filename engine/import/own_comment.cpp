#include "import/own_comment.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "link/escape.h"

namespace megamem {

namespace {

void take(std::string_view pair, std::size_t line, Import& import) {
    const std::size_t equals = pair.find('=');
    const std::string_view key = pair.substr(0, equals);
    const Field* field = equals == std::string_view::npos ? nullptr : find_field(key);
    if (field == nullptr) {
        import.unknown.push_back({std::string(pair), line, "no field of megamem"});
        return;
    }
    const std::string value = percent_decode(pair.substr(equals + 1));
    Scenario scratch;
    if (auto problem = set_text(scratch, *field, value)) {
        problem->severity = Severity::warning;
        import.problems.push_back(std::move(*problem));
        return;
    }
    std::erase_if(import.taken, [&](const Taken& taken) { return taken.key == field->key; });
    import.taken.push_back({field->key, get_text(scratch, *field), std::string(pair), line});
}

}  // namespace

std::string own_comment(const Field& field, std::string_view value) {
    return fmt::format("{} {}={}\n", kOwnComment, field.key, percent_encode(value));
}

void take_own_comments(std::string_view text, Import& import) {
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = trim(text.substr(at, end - at));
        at = end + 1;
        ++number;
        if (!line.starts_with(kOwnComment)) continue;
        line.remove_prefix(kOwnComment.size());
        for (const std::string_view pair : split(line, ' ')) {
            if (!pair.empty()) take(pair, number, import);
        }
    }
}

}  // namespace megamem
