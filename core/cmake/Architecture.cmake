# The instruction set of every target, POSLAB_ARCH_FLAGS. "best" is the first of x86-64-v4 (AVX-512) and x86-64-v3 (AVX2,
# FMA) that the building machine runs, else the compiler's default; `poslab` says at its start if the running machine
# lacks what it was built for.
include(CheckCXXSourceRuns)

function(poslab_check_arch arch result)
  set(CMAKE_REQUIRED_FLAGS "-march=${arch}")
  check_cxx_source_runs("
    int main() {
      bool runs = true;
    #ifdef __AVX2__
      runs = runs && __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\");
    #endif
    #ifdef __AVX512F__
      runs = runs && __builtin_cpu_supports(\"avx512f\") && __builtin_cpu_supports(\"avx512bw\") &&
             __builtin_cpu_supports(\"avx512cd\") && __builtin_cpu_supports(\"avx512dq\") &&
             __builtin_cpu_supports(\"avx512vl\");
    #endif
      return runs ? 0 : 1;
    }" ${result})
endfunction()

set(POSLAB_ARCH_FLAGS "")
set(candidates ${POSLAB_ARCH})
if(POSLAB_ARCH STREQUAL "best")
  set(candidates x86-64-v4 x86-64-v3)
endif()
foreach(arch ${candidates})
  string(MAKE_C_IDENTIFIER "POSLAB_RUNS_${arch}" runs)
  poslab_check_arch(${arch} ${runs})
  if(${runs})
    set(POSLAB_ARCH_FLAGS "-march=${arch}")
    break()
  endif()
endforeach()
if(candidates AND NOT POSLAB_ARCH_FLAGS)
  list(JOIN candidates " or " candidates)
  message(STATUS "This machine does not run -march=${candidates}: building for the compiler's default")
endif()
