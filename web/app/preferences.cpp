#include "app/preferences.h"

#include <fmt/format.h>

#include <optional>

#include "app/link_sync.h"
#include "app/state.h"
#include "base/text.h"
#include "platform/platform.h"
#include "style/theme.h"

namespace megamem::web {

namespace {

constexpr const char* kThemeKey = "theme";
constexpr const char* kVisitedKey = "visited";
std::optional<bool> first_visit;  // known from the first frame on

}  // namespace

bool wants_dark() {
    const std::string chosen = platform::stored(kThemeKey);
    return chosen.empty() ? platform::prefers_dark() : chosen == "dark";
}

void toggle_theme() {
    const bool dark = !style::is_dark();
    platform::store(kThemeKey, dark ? "dark" : "light");
    platform::set_page_theme(dark);
    // The style can't change within a frame.
    platform::after(0, [] { style::apply(wants_dark(), platform::scale()); });
}

bool is_first_visit() {
    if (!first_visit) first_visit = platform::hash().empty() && platform::stored(kVisitedKey).empty();
    // Whoever changes something, or opens a link, has begun: version 1 is the scenario that was there at
    // first.
    if (*first_visit && state().version > 1) end_first_visit();
    return *first_visit;
}

void end_first_visit() {
    first_visit = false;
    platform::store(kVisitedKey, "1");
}

void copy_link() {
    flush_link();
    platform::copy_text(platform::address());
}

int preferred(std::string_view key, int fallback) {
    constexpr std::int64_t kMost = 10'000;  // none of them is as large: it isn't ours
    const auto value = parse_integer(platform::stored(key));
    return value && *value >= 0 && *value <= kMost ? static_cast<int>(*value) : fallback;
}

void prefer(std::string_view key, int value) {
    platform::store(key, fmt::format("{}", value));
}

}  // namespace megamem::web
