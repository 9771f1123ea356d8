#include "cli/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace megamem::cli {

namespace {

struct Close {
    void operator()(std::FILE* file) const {
        if (file != stdin) std::fclose(file);
    }
};

using File = std::unique_ptr<std::FILE, Close>;

}  // namespace

std::optional<std::string> read_file(const std::string& path, std::size_t limit, std::string& error) {
    const File file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
    if (!file) {
        error = fmt::format("{}: {}", path, std::strerror(errno));
        return std::nullopt;
    }
    std::string text;
    char buffer[1 << 16];
    // A huge file is refused by its reader and not swallowed here.
    while (text.size() <= limit) {
        const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get());
        text.append(buffer, count);
        if (count == 0) break;
    }
    if (std::ferror(file.get()) != 0) {
        error = fmt::format("{}: can't be read (is it a folder?)", path);
        return std::nullopt;
    }
    return text;
}

bool write_file(const std::string& path, const std::string& text, std::string& error) {
    const File file(std::fopen(path.c_str(), "wb"));
    if (file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size()) return true;
    error = fmt::format("{}: {}", path, std::strerror(errno));
    return false;
}

}  // namespace megamem::cli
