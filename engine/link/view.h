// What of the page a link opens, besides the scenario, and what the page said when the link was made.
//
//   tab   the open tab, a word of the page's own: letters a-z and '-', at most 16
//   rank  the selected rank or shard; absent: the worst
//   at    the chosen number, a cell of memory/cells.h
//   lang  "en" or "zh", only where the reader chose it
//   ver   the product's version
//   was   the worst rank's GiB with that version, two decimals
//
// None of them changes a number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/problem.h"

namespace megamem {

struct LinkView {
    std::string tab{};                   // empty: the page's first
    std::optional<std::int64_t> rank{};  // not set: the worst
    std::string cell{};                  // empty: none is chosen
    std::string language{};              // empty: the browser's

    friend bool operator==(const LinkView&, const LinkView&) = default;
};

struct LinkStamp {
    std::string version;  // "0.1.0"
    std::string gib;      // "61.20", as gib() of base/units.h gives it

    friend bool operator==(const LinkStamp&, const LinkStamp&) = default;
};

// "&tab=methods&rank=3", "&ver=0.1.0&was=61.20"; what isn't set, or what no link can carry, is left out.
std::string link_text(const LinkView& view);
std::string link_text(const LinkStamp& stamp);

bool is_view_key(std::string_view key);
bool is_stamp_key(std::string_view key);

// Reads one decoded value. One that can't be used leaves the view as it is, and is said.
std::optional<Problem> read_view(LinkView& view, std::string_view key, std::string_view value);
std::optional<Problem> read_stamp(LinkStamp& stamp, std::string_view key, std::string_view value);

// "This number was 61.20 GiB with version 0.1.0.", where another version gives another number today.
std::optional<std::string> changed_since(const LinkStamp& then, const LinkStamp& now);

}  // namespace megamem
