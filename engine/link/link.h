// A scenario as the hash of a link: readable key=value pairs, only what differs from the preset, in the order
// of the field table: "#v=1&m=deepseek-v3&tp=8&z=1". Keys are the table's link keys; these belong to the
// link:
//   v  version, first; the presets and defaults behind it are frozen
//   m  preset that the rest is a difference from; absent: the table's defaults
//   mt method to show; absent: the first
//   tab, rank, at, lang, ver, was   what is shown, and what was shown: view.h
//   z  end mark, last: a link that was cut on its way lacks it, and no link ends in punctuation
// Characters are letters, digits and - . _ % = &, which chat programs leave alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "link/view.h"
#include "scenario/method.h"
#include "scenario/scenario.h"

namespace megamem {

inline constexpr int kLinkVersion = 1;

struct ReadLink {
    Scenario scenario;
    std::string preset;  // id, empty without one
    Method method = Method::detailed;
    LinkView view;
    std::optional<LinkStamp> stamp;
    Problems problems;  // never an error: a bad value is dropped and said, the rest is kept
    bool empty = true;  // there was nothing in it: the reader starts from its own default
};

// Takes the hash with or without '#', and whole addresses. Undoes what chat programs do to links.
ReadLink read_link(std::string_view text);

// Only the pairs of a link, "v=1&m=...", as read_link() sees them: without address and without what programs
// did to it on the way.
std::string clean_link(std::string_view text);

// Equal scenarios with equal presets give equal links. Starts with '#'.
std::string write_link(const Scenario& scenario, std::string_view preset, Method method = Method::detailed,
                       const LinkView& view = {}, const std::optional<LinkStamp>& stamp = {});

}  // namespace megamem
