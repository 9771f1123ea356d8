# WebAssembly: the engine as a module for Node (and the browser), and the page.

# Names of Emscripten's own that our JavaScript calls, and C functions besides those marked EMSCRIPTEN_KEEPALIVE.
set(MEGAMEM_RUNTIME_METHODS ccall UTF8ToString stringToUTF8 lengthBytesUTF8 setCanvasSize)
set(MEGAMEM_EXPORTED_FUNCTIONS _main _malloc _free)

# Debian's Node modules, one of which Emscripten's optimiser loads, are not where every `node` looks.
if(EXISTS /usr/share/nodejs)
    set(link_launcher "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
    set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK ${link_launcher})
endif()

# One stack for all versions: parsers recurse, and Emscripten's default went from 5 MB to 64 KB at 3.1.27, when
# the setting's name changed too.
if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.27)
    set(stack -sTOTAL_STACK=1MB)
else()
    set(stack -sSTACK_SIZE=1MB)
endif()

add_library(megamem_web_flags INTERFACE)
target_link_options(megamem_web_flags INTERFACE
    -fno-exceptions -fno-rtti ${stack}
    -sALLOW_MEMORY_GROWTH=1
    -sFILESYSTEM=0
    # Shorter, and shorter still when it is compressed.
    $<$<NOT:$<CONFIG:Debug>>:-sBINARYEN_EXTRA_PASSES=flatten,rereloop,-Oz,-Oz>
    # No eval, so that the page can have a strict content security policy.
    -sDYNAMIC_EXECUTION=0
    $<$<CONFIG:Debug>:-sASSERTIONS=2 -sSAFE_HEAP=1>)

# The engine formats integers of up to 64 bits and text only; fmt's tables for floating point would be a tenth of
# the page.
target_compile_definitions(megamem_headers INTERFACE FMT_USE_FLOAT=0 FMT_USE_DOUBLE=0 FMT_USE_LONG_DOUBLE=0
    FMT_USE_INT128=0
    "FMT_STATIC_THOUSANDS_SEPARATOR=' '")

# What a keystroke evaluates is worth a few kilobytes. The preset's -Oz, which stands before, switches inlining off
# for good: -O3 alone would leave every call in place.
file(GLOB hot_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/engine/memory/detailed*.cpp ${PROJECT_SOURCE_DIR}/engine/memory/calculator*.cpp
    ${PROJECT_SOURCE_DIR}/engine/model/*.cpp ${PROJECT_SOURCE_DIR}/engine/pipeline/*.cpp)
list(FILTER hot_sources EXCLUDE REGEX "_vision|layout\\.cpp")
set_source_files_properties(
    ${hot_sources} engine/memory/estimate.cpp engine/memory/report.cpp engine/scenario/defaults.cpp
    PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:-O3;-finline-functions>")

# Readers of foreign text get megabytes at times, and the page doesn't carry them: quick rather than small, with
# an allocator that stays quick with many small blocks. Where the standard library's strings are instantiated in
# the library, each character that is appended is a call.
file(GLOB reader_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/import/*.cpp)
set_source_files_properties(
    ${reader_sources} engine/base/json_reader.cpp engine/base/json_lenient.cpp engine/base/text.cpp
    PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:-O3;-finline-functions;-D_LIBCPP_DISABLE_EXTERN_TEMPLATE>")

# --- The engine for programs: build/web/megamem-engine.js, build/web/package/megamem.mjs ------------------------

# Twice: with the binary inside the script for the tests and scripts of this project, and apart from an ES module
# for the package in dist/npm, whose own scripts load the binary wherever they run.
add_library(megamem_bindings OBJECT web/bindings.cpp)
# Embind names unknown types through run-time types unless told otherwise.
target_compile_definitions(megamem_bindings PRIVATE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
target_link_libraries(megamem_bindings PRIVATE megamem::engine megamem_own_flags megamem_web_flags)

function(add_megamem_module target)
    add_executable(${target} $<TARGET_OBJECTS:megamem_bindings>)
    target_link_libraries(${target} PRIVATE megamem::engine megamem_own_flags megamem_web_flags)
    target_link_options(${target} PRIVATE -sMALLOC=dlmalloc
        "SHELL:--post-js ${PROJECT_SOURCE_DIR}/web/bindings.js"
        -lembind -sMODULARIZE=1 -sEXPORT_NAME=createMegamem ${ARGN})
    set_target_properties(${target} PROPERTIES
        LINKER_LANGUAGE CXX LINK_DEPENDS ${PROJECT_SOURCE_DIR}/web/bindings.js)
endfunction()

add_megamem_module(megamem_module -sENVIRONMENT=node,web
    # Node 18 and later cannot load the binary from beside the script.
    -sSINGLE_FILE=1
    # A module must not catch what its user's program throws.
    -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0)
set_target_properties(megamem_module PROPERTIES
    OUTPUT_NAME megamem-engine RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

add_megamem_module(megamem_package -sENVIRONMENT=web,worker -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=0)
set_target_properties(megamem_package PROPERTIES
    OUTPUT_NAME megamem SUFFIX .mjs RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/package)

# --- The command line for Node: build/web/megamem-cli.js and megamem-cli.wasm --------------------------------------

file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/cli/*.cpp)
list(FILTER cli_sources EXCLUDE REGEX "/files\\.cpp$")
set(node_cli ${PROJECT_SOURCE_DIR}/web/cli)
add_executable(megamem_cli_wasm ${cli_sources} ${node_cli}/files.cpp)
target_link_libraries(megamem_cli_wasm PRIVATE megamem::engine megamem_own_flags megamem_web_flags)
target_link_options(megamem_cli_wasm PRIVATE -sMALLOC=dlmalloc
    "SHELL:--js-library ${node_cli}/node.js" "SHELL:--extern-post-js ${node_cli}/launcher.js"
    -sMODULARIZE=1 -sEXPORT_NAME=createMegamemCli -sENVIRONMENT=node
    -sINVOKE_RUN=0 -sEXPORTED_RUNTIME_METHODS=callMain
    -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0)
set_target_properties(megamem_cli_wasm PROPERTIES
    OUTPUT_NAME megamem-cli RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
    LINK_DEPENDS "${node_cli}/node.js;${node_cli}/launcher.js")

# --- What the page needs now and then, and loads then: build/web/site/megamem-desk.* ------------------------------

add_executable(megamem_desk web/desk/program.cpp web/desk/notes.cpp web/desk/note_records.cpp)
target_include_directories(megamem_desk PRIVATE web)
target_link_libraries(megamem_desk PRIVATE megamem::engine megamem_own_flags megamem_web_flags)
target_link_options(megamem_desk PRIVATE -sMALLOC=dlmalloc
    --no-entry -sMODULARIZE=1 -sEXPORT_NAME=createMegamemDesk -sENVIRONMENT=web
    -sEXPORTED_RUNTIME_METHODS=HEAPU8 -sEXPORTED_FUNCTIONS=_malloc,_free)
set_target_properties(megamem_desk PROPERTIES
    OUTPUT_NAME megamem-desk RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/linked)

# --- The page: build/web/site --------------------------------------------------------------------------------

file(GLOB_RECURSE app_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.cpp)
list(FILTER app_sources EXCLUDE REGEX "/web/(bindings|cli/files|desk/program|desk/notes)\\.cpp$")
if(NOT app_sources)
    message(NOTICE "no sources of the page in web/ yet: the page is left out")
    return()
endif()

add_library(imgui STATIC
    ${THIRD_PARTY}/imgui/imgui.cpp
    ${THIRD_PARTY}/imgui/imgui_draw.cpp
    ${THIRD_PARTY}/imgui/imgui_tables.cpp
    ${THIRD_PARTY}/imgui/imgui_widgets.cpp
    ${THIRD_PARTY}/imgui/backends/imgui_impl_glfw.cpp
    ${THIRD_PARTY}/imgui/backends/imgui_impl_opengl3.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${THIRD_PARTY}/imgui ${THIRD_PARTY}/imgui/backends)
target_compile_options(imgui PRIVATE -fno-exceptions -fno-rtti)
target_compile_definitions(imgui PRIVATE
    "IMGUI_USER_CONFIG=\"${PROJECT_SOURCE_DIR}/web/platform/imgui_config.h\"")
target_compile_definitions(imgui PUBLIC
    # WebGL cannot offset vertices, so 16-bit indices would end at 64 K vertices in one draw list.
    "ImDrawIdx=unsigned int"
    IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_FILE_FUNCTIONS IMGUI_DISABLE_DEFAULT_FONT
    IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_DEBUG_TOOLS
    # Calls our hooks for every widget; web/platform defines them.
    IMGUI_ENABLE_TEST_ENGINE)

# What Inter lacks, Chinese first of all, comes from this font, in pieces that are fetched when they are needed.
set(MEGAMEM_FALLBACK_FONT /usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf CACHE FILEPATH
    "A TTF font with Chinese characters")
if(NOT EXISTS ${MEGAMEM_FALLBACK_FONT})
    message(FATAL_ERROR "no ${MEGAMEM_FALLBACK_FONT}: run scripts/setup, or set MEGAMEM_FALLBACK_FONT")
endif()

# The fonts, cut down to the characters that the page uses.
set(fonts_dir ${PROJECT_BINARY_DIR}/generated)
set(npm_fonts ${PROJECT_SOURCE_DIR}/node_modules/@expo-google-fonts)
set(font_files
    inter_regular=${npm_fonts}/inter/400Regular/Inter_400Regular.ttf
    inter_semibold=${npm_fonts}/inter/600SemiBold/Inter_600SemiBold.ttf
    mono.ttf=${npm_fonts}/jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf)
list(TRANSFORM font_files REPLACE "^[a-z_.]+=" "" OUTPUT_VARIABLE font_paths)
# A Python that has fontTools: not always the first one on the PATH.
if(NOT MEGAMEM_FONT_PYTHON)
    foreach(python IN ITEMS python3 /usr/bin/python3)
        execute_process(COMMAND ${python} -c "import fontTools" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
        if(result STREQUAL "0")
            set(MEGAMEM_FONT_PYTHON ${python} CACHE STRING "Python with fontTools")
            break()
        endif()
    endforeach()
endif()
if(NOT MEGAMEM_FONT_PYTHON)
    message(FATAL_ERROR "no Python with fontTools: run scripts/setup")
endif()
add_custom_command(
    OUTPUT ${fonts_dir}/fonts_data.cpp ${fonts_dir}/fonts_data.h ${fonts_dir}/mono.ttf
    COMMAND ${MEGAMEM_FONT_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/make-fonts ${fonts_dir} ${font_files}
    DEPENDS ${PROJECT_SOURCE_DIR}/scripts/make-fonts ${PROJECT_SOURCE_DIR}/scripts/lib/fonts.py ${font_paths}
    COMMENT "Cutting the fonts down" VERBATIM)
add_custom_command(
    OUTPUT ${fonts_dir}/glyph_blocks.h
    COMMAND ${MEGAMEM_FONT_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/make-glyphs ${fonts_dir}
        ${npm_fonts}/inter/400Regular/Inter_400Regular.ttf ${MEGAMEM_FALLBACK_FONT}
    DEPENDS ${PROJECT_SOURCE_DIR}/scripts/make-glyphs ${PROJECT_SOURCE_DIR}/scripts/lib/fonts.py
        ${MEGAMEM_FALLBACK_FONT}
    COMMENT "Cutting fonts for what is fetched later" VERBATIM)

# The page in Chinese: what it fetches then.
file(GLOB chinese_texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/text/zh/*.json)
add_custom_command(
    OUTPUT ${fonts_dir}/zh.txt ${fonts_dir}/zh.ttf
    COMMAND ${MEGAMEM_FONT_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/make-dictionary ${fonts_dir}
        ${MEGAMEM_FALLBACK_FONT} ${chinese_texts}
    DEPENDS ${PROJECT_SOURCE_DIR}/scripts/make-dictionary ${PROJECT_SOURCE_DIR}/scripts/lib/fonts.py
        ${MEGAMEM_FALLBACK_FONT} ${chinese_texts}
    COMMENT "Making the Chinese dictionary" VERBATIM)

# What the fields are for.
add_custom_command(
    OUTPUT ${fonts_dir}/help.txt
    COMMAND node ${PROJECT_SOURCE_DIR}/scripts/make-help ${PROJECT_BINARY_DIR}/megamem-engine.js ${fonts_dir}/help.txt
    DEPENDS ${PROJECT_SOURCE_DIR}/scripts/make-help megamem_module
    COMMENT "Writing the fields' help" VERBATIM)

set(site ${PROJECT_BINARY_DIR}/site)
set(linked ${PROJECT_BINARY_DIR}/linked)
add_executable(megamem_app ${app_sources} ${fonts_dir}/fonts_data.cpp ${fonts_dir}/fonts_data.h
    ${fonts_dir}/glyph_blocks.h)
target_include_directories(megamem_app PRIVATE web ${fonts_dir})
target_link_libraries(megamem_app PRIVATE megamem::engine imgui megamem_own_flags megamem_web_flags)
list(JOIN MEGAMEM_RUNTIME_METHODS "," runtime_methods)
list(JOIN MEGAMEM_EXPORTED_FUNCTIONS "," exported_functions)
target_link_options(megamem_app PRIVATE -sMALLOC=emmalloc
    -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sENVIRONMENT=web
    -sEXPORTED_RUNTIME_METHODS=${runtime_methods} -sEXPORTED_FUNCTIONS=${exported_functions})
# The JavaScript halves of web/platform/*.cpp.
file(GLOB js_libraries CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/platform/*.js)
foreach(library IN LISTS js_libraries)
    target_link_options(megamem_app PRIVATE "SHELL:--js-library ${library}")
    set_property(TARGET megamem_app APPEND PROPERTY LINK_DEPENDS ${library})
endforeach()
set_target_properties(megamem_app PROPERTIES OUTPUT_NAME megamem RUNTIME_OUTPUT_DIRECTORY ${linked})

# index.html knows the version and the size of the binary (for a progress bar), so it comes after the link.
# Emscripten's own HTML output is not used: its minifier is broken in Debian.
set(terser "")
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(terser ${PROJECT_SOURCE_DIR}/node_modules/terser/bin/terser)
endif()
file(GLOB_RECURSE static_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/static/*)
file(GLOB shell CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/shell.html)
add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/site.stamp
    COMMAND ${CMAKE_COMMAND} -D SITE=${site} -D LINKED=${linked} -D TERSER=${terser}
        -D WEB=${PROJECT_SOURCE_DIR}/web -D THIRD_PARTY=${THIRD_PARTY}
        -D NPM_FONTS=${npm_fonts} -D FONTS=${fonts_dir} -D MEGAMEM_VERSION=${PROJECT_VERSION}
        -P ${PROJECT_SOURCE_DIR}/cmake/site.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/site.stamp
    DEPENDS megamem_app megamem_desk ${shell} ${static_files} ${fonts_dir}/zh.txt ${fonts_dir}/zh.ttf
        ${fonts_dir}/mono.ttf ${fonts_dir}/help.txt ${PROJECT_SOURCE_DIR}/cmake/site.cmake
    COMMENT "Putting the site together" VERBATIM)
add_custom_target(site ALL DEPENDS ${PROJECT_BINARY_DIR}/site.stamp)
