# Compiler flags: `megamem_own_flags` for our own code, and what holds for every target of a preset.

option(MEGAMEM_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

if(EMSCRIPTEN)
    # Shorter and quicker code that every browser with WebGL2 runs: Emscripten's own memcpy at -Oz goes byte by byte.
    add_compile_options(-mnontrapping-fptoint -msign-ext -mbulk-memory)
endif()

# Warnings are errors in our code; third-party code comes in as SYSTEM headers and in targets of its own.
add_library(megamem_warnings INTERFACE)
target_compile_options(megamem_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
    # Clang counts the sign conversions as part of -Wconversion and GCC does not: the same rule for both.
    -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms of GCC 12: `"text" + std::string`, and inlined standard containers.
    target_compile_options(megamem_warnings INTERFACE -Wno-restrict -Wno-dangling-pointer)
    if(MEGAMEM_SANITIZE)
        target_compile_options(megamem_warnings INTERFACE -Wno-maybe-uninitialized)
    endif()
endif()

# Errors are values in this project: neither exceptions nor run-time types, except in the tests, whose
# libraries need both.
add_library(megamem_own_flags INTERFACE)
target_compile_options(megamem_own_flags INTERFACE -fno-exceptions -fno-rtti)
target_link_libraries(megamem_own_flags INTERFACE megamem_warnings)

if(MEGAMEM_SANITIZE)
    # `vptr` is the one check that needs run-time types.
    set(sanitizers -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all)
    add_compile_options(${sanitizers})
    add_link_options(${sanitizers})
endif()
