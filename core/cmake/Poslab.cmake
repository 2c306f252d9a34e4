# What a room, a scheme, an experiment and a test are to CMake. Adding one is adding a folder or a file: nothing here lists them.

# What sanitizers ask of every target, plugins included. They stop at the first finding.
if(POSLAB_SANITIZE STREQUAL "thread")
  set(POSLAB_SANITIZE_FLAGS -fsanitize=thread)
elseif(POSLAB_SANITIZE STREQUAL "address" OR POSLAB_SANITIZE STREQUAL "ON")
  set(POSLAB_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=undefined)
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
  # GCC 12 sees overlaps in std::string additions that are none (its bug 105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(POSLAB_SANITIZE_FLAGS)
  target_compile_options(poslab_flags INTERFACE ${POSLAB_SANITIZE_FLAGS} -fno-omit-frame-pointer
    # With instrumentation GCC 12 believes that members of std::variant may be read before they are written.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(poslab_flags INTERFACE ${POSLAB_SANITIZE_FLAGS})
endif()

# poslab_headers_alone(NAME DIR VARIABLE): one generated source for each public header of DIR/include, which proves that it
# stands alone.
function(poslab_headers_alone name dir variable)
  get_filename_component(folder ${dir}/include ABSOLUTE)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.hpp ${folder}/*.h)
  if((CMAKE_CXX_CLANG_TIDY AND NOT name STREQUAL "sdk") OR POSLAB_SANITIZE_FLAGS)
    set(headers "")  # clang-tidy sees them in the sources that include them, and sanitizers have nothing to run
  endif()
  set(sources "")
  foreach(header ${headers})
    string(MAKE_C_IDENTIFIER ${header} stem)
    set(alone ${CMAKE_BINARY_DIR}/headers/${name}/${stem}.cpp)
    file(CONFIGURE OUTPUT ${alone} CONTENT 
      "#include <${header}>\n#include <${header}>  // NOLINT(readability-duplicate-include): the guard works\n")
    list(APPEND sources ${alone})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# poslab_room(NAME DIR LINK ...): a static library from DIR/*.cpp, public headers in DIR/include; a file that proves each
# public header stands alone.
function(poslab_room name dir)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  poslab_headers_alone(${name} ${dir} alone)
  list(APPEND sources ${alone})
  add_library(poslab_${name} STATIC ${sources})
  target_include_directories(poslab_${name} PUBLIC ${dir}/include)
  target_link_libraries(poslab_${name} PUBLIC poslab_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()

# poslab_tests(NAME FILES ... LINK ...): one Catch2 program; each TEST_CASE is a ctest of its own.
function(poslab_tests name)
  cmake_parse_arguments(ARG "" "LABEL" "FILES;LINK" ${ARGN})
  if(NOT ARG_FILES)
    return()
  endif()
  add_executable(test_${name} ${ARG_FILES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/include)
  target_link_libraries(test_${name} PRIVATE poslab_flags poslab_catch ${ARG_LINK})
  target_compile_definitions(test_${name} PRIVATE
    POSLAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}" POSLAB_PLUGIN_DIR="${CMAKE_BINARY_DIR}/plugins"
    POSLAB_BINARY="${CMAKE_BINARY_DIR}/bin/poslab" POSLAB_PYTHON="${POSLAB_PYTHON}")
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  catch_discover_tests(test_${name} TEST_PREFIX "${name}: " PROPERTIES LABELS ${ARG_LABEL})
endfunction()
