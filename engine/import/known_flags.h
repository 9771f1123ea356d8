// The flags that no field has: known by name, so that a mistyped one can be told from one without influence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "import/argument_names.h"

namespace megamem {

// A sorted list in one text: each name ends in '/' (a switch), '=' (one value) or '+' (several), with '!'
// before it where the flag changes memory and isn't modelled. An index of beginnings makes it searchable.
class FlagList {
  public:
    constexpr FlagList(std::string_view text, std::span<const std::uint16_t> starts)
        : text_(text), starts_(starts) {}

    std::size_t size() const { return starts_.size() - 1; }
    std::string_view name(std::size_t index) const;
    std::optional<KnownFlag> find(std::string_view name) const;

  private:
    std::string_view entry(std::size_t index) const {
        return text_.substr(starts_[index], std::size_t{starts_[index + 1]} - starts_[index]);
    }

    std::string_view text_;
    std::span<const std::uint16_t> starts_;
};

FlagList megatron_flags();
FlagList patch_flags();  // of projects that patch Megatron-LM: MindSpeed, Pai-Megatron-Patch
FlagList swift_flags();

}  // namespace megamem
