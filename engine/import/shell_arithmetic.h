// bash's integer arithmetic: what stands in $((...)).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace megamem {

// nullopt where it isn't arithmetic, or a name has no value. Division as in C; by zero it has no value.
std::optional<std::int64_t> shell_arithmetic(
    std::string_view text, const std::function<std::optional<std::int64_t>(std::string_view)>& value_of);

}  // namespace megamem
