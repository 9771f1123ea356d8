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

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "link/frozen.h"
#include "link/view.h"
#include "scenario/method.h"
#include "scenario/scenario.h"

namespace megamem {

struct ReadLink {
    Scenario scenario;
    std::string preset;  // id, empty without one
    Method method = Method::detailed;
    LinkView view;
    std::optional<LinkStamp> stamp;
    Problems problems;  // never an error: a bad value is dropped and said, the rest is kept
    bool empty = true;  // there was nothing in it: the reader starts from its own default
};

// Takes the hash with or without '#', and whole addresses. Undoes what programs do to links (clean.h).
ReadLink read_link(std::string_view text);

// The same of the pairs of a link, as clean_link() gives them.
ReadLink read_pairs(const std::vector<std::string>& pairs);

// Keys of the link's own; the others are fields.
inline constexpr std::array<std::string_view, 10> kFrameKeys = {"v",  "m",    "mt",  "tab", "rank",
                                                                "at", "lang", "ver", "was", "z"};
bool is_frame_key(std::string_view key);

// Equal scenarios with equal presets give equal links. Starts with '#'.
std::string write_link(const Scenario& scenario, std::string_view preset, Method method = Method::detailed,
                       const LinkView& view = {}, const std::optional<LinkStamp>& stamp = {});

}  // namespace megamem
