# poslab_add_scheme(ID SOURCE ...): one scheme as a plugin, ID.so. The same line works in poslab's tree and, after
# find_package(poslab), outside it. -O3 because GCC 12 hardly vectorises at -O2; one exported symbol; no undefined ones.
# -mno-fma and -mno-avx512f because GCC 12 fuses a*c - b*s, b*c + a*s to vfmaddsub even with -ffp-contract=off: a rotation
# of two channels would then differ from the next pair's, and from another machine's.
include(CheckCXXCompilerFlag)
set(scheme_arch ${POSLAB_ARCH_FLAGS})
foreach(flag -mno-fma -mno-avx512f)
  string(MAKE_C_IDENTIFIER "POSLAB_HAS${flag}" has_flag)
  check_cxx_compiler_flag(${flag} ${has_flag})
  if(${has_flag})
    list(APPEND scheme_arch ${flag})
  endif()
endforeach()
if(POSLAB_ARCH_FLAGS STREQUAL "-march=x86-64-v4")
  list(APPEND scheme_arch -DPOSLAB_HAS_AVX512)  # for sines and cosines, in which is no rotation: trigonometry.hpp
endif()
set(POSLAB_SCHEME_ARCH ${scheme_arch} CACHE INTERNAL "the instruction set of schemes")

# UNCHECKED among the sources: built for speed, without a look at the indices of arrays (poslab/sdk/bounds.hpp).
function(poslab_add_scheme id)
  cmake_parse_arguments(PARSE_ARGV 1 scheme UNCHECKED "" "")
  set(target poslab_scheme_${id})
  add_library(${target} MODULE ${scheme_UNPARSED_ARGUMENTS})
  target_link_libraries(${target} PRIVATE poslab::sdk)
  target_compile_features(${target} PRIVATE cxx_std_20)
  # -fno-ipa-modref because GCC 12 at -O3 can lose a write through a pointer to member, which is how parameters are bound.
  set(gcc_only $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> $<$<CXX_COMPILER_ID:GNU>:-fno-ipa-modref>)
  if(CMAKE_CXX_CLANG_TIDY)
    set(gcc_only "")  # clang-tidy does not know them
  endif()
  target_compile_options(${target} PRIVATE -O3 -ffp-contract=off -fvisibility=hidden -fvisibility-inlines-hidden
    -Wall -Wextra -Wpedantic ${gcc_only} ${POSLAB_SCHEME_ARCH})
  if(scheme_UNCHECKED AND NOT POSLAB_SANITIZE_FLAGS)
    target_compile_definitions(${target} PRIVATE POSLAB_UNCHECKED)
  endif()
  set(symbols ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/one_symbol.map)
  target_link_options(${target} PRIVATE -Wl,--version-script=${symbols})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${symbols})
  if(POSLAB_SANITIZE_FLAGS)
    target_compile_options(${target} PRIVATE ${POSLAB_SANITIZE_FLAGS})
    target_link_options(${target} PRIVATE ${POSLAB_SANITIZE_FLAGS})
  else()
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${id})
  if(POSLAB_PLUGIN_OUTPUT)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${POSLAB_PLUGIN_OUTPUT})
    install(TARGETS ${target} LIBRARY DESTINATION lib/poslab/plugins)
  endif()
endfunction()
