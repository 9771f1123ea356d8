// cli/files.h on Node: the compiled program has no files of its own, so node.js beside this reads and writes
// them.
#include "cli/files.h"

#include <emscripten/emscripten.h>
#include <fmt/format.h>

extern "C" {

// What node.js has to say goes into a string of ours: it asks for the room and fills it.
EMSCRIPTEN_KEEPALIVE char* megamem_room(std::string* text, std::size_t size) {
    text->resize(size);
    return text->data();
}

// False: the reason is in the last argument. At most limit + 1 bytes are read.
bool megamem_read_file(const char* path, std::size_t limit, std::string* text);
bool megamem_write_file(const char* path, const char* text, std::size_t size, std::string* reason);
}

namespace megamem::cli {

std::optional<std::string> read_file(const std::string& path, std::size_t limit, std::string& error) {
    std::string text;
    if (megamem_read_file(path.c_str(), limit, &text)) return text;
    error = fmt::format("{}: {}", path, text);
    return std::nullopt;
}

bool write_file(const std::string& path, const std::string& text, std::string& error) {
    std::string reason;
    if (megamem_write_file(path.c_str(), text.data(), text.size(), &reason)) return true;
    error = fmt::format("{}: {}", path, reason);
    return false;
}

}  // namespace megamem::cli
