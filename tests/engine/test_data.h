// Files of tests/data.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace megamem::test {

// Empty where there is no such file: what reads it then fails.
inline std::string data_file(const std::string& name) {
    std::ifstream file(std::string(MEGAMEM_TEST_DATA) + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace megamem::test
