// Files: the command line's, since the engine knows none.
#pragma once

#include <optional>
#include <string>

namespace megamem::cli {

inline constexpr std::size_t kMostRunBytes = 64 << 20;

// "-" is standard input. nullopt with a sentence where the file can't be read; at most limit + a buffer is
// read.
std::optional<std::string> read_file(const std::string& path, std::size_t limit, std::string& error);
bool write_file(const std::string& path, const std::string& text, std::string& error);

}  // namespace megamem::cli
