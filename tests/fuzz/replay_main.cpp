// Runs a fuzz target over files that were kept: every file of the folders, or the files, that are named.
// A crash or an abort is the failure.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

bool replay(const std::filesystem::path& path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return false;
    std::vector<std::uint8_t> bytes;
    std::uint8_t buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file))
        bytes.insert(bytes.end(), buffer, buffer + count);
    std::fclose(file);
    // Said first, so that the last line names the input that crashed.
    std::printf("%s (%zu bytes)\n", path.filename().c_str(), bytes.size());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    int count = 0;
    for (int i = 1; i < argc; ++i) {
        const std::filesystem::path named(argv[i]);
        if (!std::filesystem::is_directory(named)) {
            if (!replay(named)) return 1;
            ++count;
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator(named)) {
            if (!replay(entry.path())) return 1;
            ++count;
        }
    }
    std::printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;  // a replay of nothing is a mistake
}
