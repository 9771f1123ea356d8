# Run after the link (cmake -P): makes SITE of what is LINKED and of WEB's index.html and static files, with the
# licences.

# FROM at TO, shorter where there is a minifier.
function(put_script FROM TO)
    if(EXISTS "${TERSER}")
        execute_process(
            COMMAND node ${TERSER} ${FROM} --ecma 2020 --compress passes=3 --mangle ${ARGN} --output ${TO}
            COMMAND_ERROR_IS_FATAL ANY)
    else()
        configure_file(${FROM} ${TO} COPYONLY)
    endif()
endfunction()

file(COPY ${LINKED}/megamem.wasm DESTINATION ${SITE})
# Emscripten keeps every name whole. Within one function, the names that nothing else uses can be short.
put_script(${LINKED}/megamem.js ${SITE}/megamem.js --enclose Module:Module)
file(COPY ${LINKED}/megamem-desk.js ${LINKED}/megamem-desk.wasm DESTINATION ${SITE})
file(SIZE ${SITE}/megamem.wasm WASM_BYTES)
if(EXISTS ${WEB}/shell.html)
    configure_file(${WEB}/shell.html ${SITE}/index.html @ONLY)
endif()

file(GLOB files RELATIVE ${WEB}/static ${WEB}/static/*)
foreach(file IN LISTS files)
    if(file MATCHES "\\.js$")
        put_script(${WEB}/static/${file} ${SITE}/${file})
    else()
        file(COPY ${WEB}/static/${file} DESTINATION ${SITE})
    endif()
endforeach()

# Characters that somebody types, fetched when they are needed.
file(COPY ${FONTS}/glyphs DESTINATION ${SITE})

# The face of code, the fields' help, the page in Chinese: likewise.
file(COPY ${FONTS}/mono.ttf ${FONTS}/help.txt ${FONTS}/zh.txt ${FONTS}/zh.ttf DESTINATION ${SITE})

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
