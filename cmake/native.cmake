# For this machine: the command line `megamem` and the benchmark.

file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/cli/*.cpp)
if(cli_sources)
    add_executable(megamem ${cli_sources})
    target_link_libraries(megamem PRIVATE megamem::engine megamem_own_flags)
    set_target_properties(megamem PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.cpp)
if(bench_sources)
    add_executable(megamem_bench ${bench_sources})
    target_link_libraries(megamem_bench PRIVATE megamem::engine megamem_own_flags)
    set_target_properties(megamem_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()
