# Run after the link (cmake -P): makes SITE of what is LINKED and of WEB's index.html and static files, with the
# licences.

file(COPY ${LINKED}/megamem.wasm DESTINATION ${SITE})
if(EXISTS "${TERSER}")
    # Emscripten keeps every name whole. Within one function, the names that nothing else uses can be short.
    execute_process(
        COMMAND node ${TERSER} ${LINKED}/megamem.js --ecma 2020 --enclose Module:Module
            --compress passes=3 --mangle --output ${SITE}/megamem.js
        COMMAND_ERROR_IS_FATAL ANY)
else()
    file(COPY ${LINKED}/megamem.js DESTINATION ${SITE})
endif()
file(COPY ${LINKED}/megamem-desk.js ${LINKED}/megamem-desk.wasm DESTINATION ${SITE})
file(SIZE ${SITE}/megamem.wasm WASM_BYTES)
if(EXISTS ${WEB}/shell.html)
    configure_file(${WEB}/shell.html ${SITE}/index.html @ONLY)
endif()

file(GLOB files RELATIVE ${WEB}/static ${WEB}/static/*)
foreach(file IN LISTS files)
    file(COPY ${WEB}/static/${file} DESTINATION ${SITE})
endforeach()

# Characters that somebody types, fetched when they are needed.
file(COPY ${FONTS}/glyphs DESTINATION ${SITE})

# The page in Chinese.
file(COPY ${FONTS}/zh.txt ${FONTS}/zh.ttf DESTINATION ${SITE})

# What is inside the page and asks for its licence to go along.
set(text "")
foreach(entry IN ITEMS
        "Dear ImGui=${THIRD_PARTY}/imgui/LICENSE.txt"
        "Inter=${NPM_FONTS}/inter/LICENSE_FONT"
        "JetBrains Mono=${NPM_FONTS}/jetbrains-mono/LICENSE_FONT"
        "Droid Sans Fallback=/usr/share/doc/fonts-droid-fallback/copyright"
        "fmt=${THIRD_PARTY}/include/LICENSE.fmt"
        "JSON for Modern C++=${THIRD_PARTY}/include/LICENSE.nlohmann")
    string(REGEX MATCH "^([^=]+)=(.*)$" _ "${entry}")
    if(EXISTS ${CMAKE_MATCH_2})
        set(name ${CMAKE_MATCH_1})
        file(READ ${CMAKE_MATCH_2} licence)
        string(APPEND text "==== ${name} ====\n\n${licence}\n\n")
    endif()
endforeach()
file(WRITE ${SITE}/licences.txt "${text}")
