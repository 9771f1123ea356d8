// `megamem`, the command line: reads files, prints results, and leaves the thinking to the engine.
#include <cstdio>
#include <string>
#include <vector>

#include "cli/commands.h"

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const int status = megamem::cli::run(arguments);
    std::fflush(stdout);  // as WebAssembly nothing else does
    return status;
}
