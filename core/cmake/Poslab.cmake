# What a room, a scheme, an experiment and a test are to CMake. A scheme, an experiment, a task or a test is found by its
# folder or file. A room is declared by poslab_room(), and its tests by its name in tests/CMakeLists.txt.

# What sanitizers ask of every target, plugins included. They stop at the first finding.
if(POSLAB_SANITIZE STREQUAL "thread")
  set(POSLAB_SANITIZE_FLAGS -fsanitize=thread)
elseif(POSLAB_SANITIZE STREQUAL "address" OR POSLAB_SANITIZE STREQUAL "ON")
  set(POSLAB_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  if(NOT POSLAB_FUZZ)
    # A third of the time to compile, for little: AddressSanitizer stops at a null pointer and at what lies outside an
    # object itself, x86-64 reads unaligned, and no object is cast to what it is not. Fuzz targets look at these too.
    list(APPEND POSLAB_SANITIZE_FLAGS -fno-sanitize=null,alignment,object-size,vptr)
  endif()
elseif(POSLAB_SANITIZE)
  message(FATAL_ERROR "POSLAB_SANITIZE is \"${POSLAB_SANITIZE}\", but must be address, thread or empty")
else()
  set(POSLAB_SANITIZE_FLAGS "")
endif()
if(POSLAB_FUZZ)
  list(APPEND POSLAB_SANITIZE_FLAGS -fsanitize=fuzzer-no-link)
endif()

# The flags of every target of ours: one meaning of floating point everywhere.
add_library(poslab_flags INTERFACE)
target_compile_features(poslab_flags INTERFACE cxx_std_20)
target_compile_options(poslab_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow ${POSLAB_ARCH_FLAGS}
  # GCC 12 sees overlaps, sizes and bounds in std::string additions that are none (its bug 105329), and something
  # uninitialised in its own header of AVX-512 (its bug 105593).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<STREQUAL:${POSLAB_ARCH_FLAGS},-march=x86-64-v4>>:-Wno-maybe-uninitialized>)
if(POSLAB_SANITIZE_FLAGS)
  target_compile_options(poslab_flags INTERFACE ${POSLAB_SANITIZE_FLAGS} -fno-omit-frame-pointer
    # With instrumentation GCC 12 believes that members of std::variant may be read before they are written.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(poslab_flags INTERFACE ${POSLAB_SANITIZE_FLAGS})
endif()

# Flags of tests, and of rooms in which little time is spent: what they wait for was compiled with care.
set(POSLAB_QUICK_COMPILE "")
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(POSLAB_QUICK_COMPILE -O1)
endif()

# What nearly every source includes, parsed once. Sources still include what they use: lint and the headers' own test
# build without it.
set(POSLAB_COMMON_HEADERS <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <cstdio> <cstdlib>
  <cstring> <exception> <filesystem> <fstream> <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <set>
  <span> <sstream> <string> <string_view> <thread> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

# poslab_headers_alone(NAME DIR): with tests, every public header of DIR/include compiles alone and twice, in an object
# library that the tests need and the program does not.
function(poslab_headers_alone name dir)
  if(NOT POSLAB_TESTS OR POSLAB_SANITIZE_FLAGS)
    return()  # sanitizers have nothing to run there
  endif()
  get_filename_component(folder ${dir}/include ABSOLUTE)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.hpp ${folder}/*.h)
  if(CMAKE_CXX_CLANG_TIDY AND NOT name STREQUAL "sdk")
    set(headers "")  # clang-tidy sees them in the sources that include them
  endif()
  set(sources "")
  foreach(header ${headers})
    string(MAKE_C_IDENTIFIER ${header} stem)
    set(alone ${CMAKE_BINARY_DIR}/headers/${name}/${stem}.cpp)
    file(CONFIGURE OUTPUT ${alone} CONTENT
      "#include <${header}>\n#include <${header}>  // NOLINT(readability-duplicate-include): the guard works\n")
    list(APPEND sources ${alone})
  endforeach()
  if(sources)
    add_library(poslab_${name}_headers OBJECT ${sources})
    target_link_libraries(poslab_${name}_headers PRIVATE poslab_flags poslab_${name})
    target_compile_options(poslab_${name}_headers PRIVATE -O0)
  endif()
endfunction()

# poslab_room(NAME DIR PUBLIC ... PRIVATE ...): a static library from the sources of DIR and its folders, public headers in
# DIR/include, the others by their path from DIR. What a room may include is what it links. NO_LOOPS: nothing in it runs
# often enough to be worth the optimiser's time, a third of what compiling it takes.
function(poslab_room name dir)
  cmake_parse_arguments(ARG "NO_LOOPS" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp ${dir}/*/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/templates/|/main\\.cpp$|/experiment/list/")
  add_library(poslab_${name} STATIC ${sources})
  target_include_directories(poslab_${name} PUBLIC ${dir}/include PRIVATE ${dir})
  target_link_libraries(poslab_${name} PUBLIC poslab_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  if(ARG_NO_LOOPS)
    target_compile_options(poslab_${name} PRIVATE ${POSLAB_QUICK_COMPILE})
  endif()
  if(name STREQUAL "base")
    target_precompile_headers(poslab_${name} PRIVATE ${POSLAB_COMMON_HEADERS})
  else()
    target_precompile_headers(poslab_${name} REUSE_FROM poslab_base)
  endif()
  poslab_headers_alone(${name} ${dir})
endfunction()

# poslab_search_path(TARGET): where the loader looks for what TARGET, which is installed, needs. It is linked with the path that it keeps:
# one that CMake replaces when it installs ends with a colon until then, and the empty entry after it is the working directory. With
# POSLAB_BUNDLED it looks in ../lib, and so do the libraries that it finds there: the older of the two tags, DT_RPATH, holds for them, too.
function(poslab_search_path target)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  if(POSLAB_BUNDLED)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
    target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  else()  # libraries of the machine that lie where the loader does not look by itself
    set_target_properties(${target} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
endfunction()

# poslab_tests(NAME FILES ... LINK ...): one Catch2 program; each TEST_CASE is a ctest of its own.
function(poslab_tests name)
  cmake_parse_arguments(ARG "" "LABEL" "FILES;LINK" ${ARGN})
  if(NOT ARG_FILES)
    return()
  endif()
  add_executable(test_${name} ${ARG_FILES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/include)
  target_link_libraries(test_${name} PRIVATE poslab_flags poslab_catch fmt::fmt ${ARG_LINK})
  target_compile_options(test_${name} PRIVATE ${POSLAB_QUICK_COMPILE})
  target_precompile_headers(test_${name} REUSE_FROM poslab_catch)
  target_compile_definitions(test_${name} PRIVATE
    POSLAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}" POSLAB_PLUGIN_DIR="${CMAKE_BINARY_DIR}/plugins"
    POSLAB_BINARY="${CMAKE_BINARY_DIR}/bin/poslab" POSLAB_PYTHON="${POSLAB_PYTHON}")
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  # A name that CMake or Catch2 cuts, as at a semicolon, selects no test: that fails.
  catch_discover_tests(test_${name} TEST_PREFIX "${name}: " EXTRA_ARGS --warn NoTests PROPERTIES LABELS ${ARG_LABEL})
endfunction()
