# Toolchain file of the web presets: Emscripten's own one, found next to the `emcc` on the PATH.
# Debian's emcc is a link into /usr/share/emscripten, an emsdk's lies in upstream/emscripten; both have the
# toolchain file at the same place below.

find_program(MEGAMEM_EMCC emcc REQUIRED)
file(REAL_PATH ${MEGAMEM_EMCC} emcc)
cmake_path(GET emcc PARENT_PATH emscripten_root)

foreach(root IN ITEMS ${emscripten_root} $ENV{EMSCRIPTEN_ROOT} $ENV{EMSDK}/upstream/emscripten
        /usr/share/emscripten /usr/lib/emscripten)
    if(EXISTS ${root}/cmake/Modules/Platform/Emscripten.cmake)
        include(${root}/cmake/Modules/Platform/Emscripten.cmake)
        return()
    endif()
endforeach()
message(FATAL_ERROR "no Emscripten.cmake belonging to ${emcc}: run scripts/setup")
