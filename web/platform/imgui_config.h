// Configuration of Dear ImGui's own sources. They read texts with sscanf for the .ini file, which the page
// doesn't have, and for the version of the shaders' language: not worth the 11 KB that C's sscanf adds to the
// download.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace megamem::web {

// sscanf for "#version %d" alone; reads nothing of another format.
inline int scan_version(const char* text, std::string_view format, void* value, ...) {
    constexpr std::string_view kVersion = "#version ";
    if (format != "#version %d" || !std::string_view(text).starts_with(kVersion)) return 0;
    *static_cast<int*>(value) = std::atoi(text + kVersion.size());
    return 1;
}

}  // namespace megamem::web

#define sscanf(...) ::megamem::web::scan_version(__VA_ARGS__)
