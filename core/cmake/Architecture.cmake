# The instruction set of every target. x86-64-v3 (AVX2, FMA) where the building machine has it, else the compiler's
# default; `poslab` says at its start if the running machine lacks what it was built for.
set(POSLAB_ARCH_FLAGS "")
if(POSLAB_ARCH)
  include(CheckCXXSourceRuns)
  set(CMAKE_REQUIRED_FLAGS "-march=${POSLAB_ARCH}")
  check_cxx_source_runs("
    #include <cstdlib>
    int main() {
    #ifdef __AVX2__
      return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1;
    #else
      return 0;
    #endif
    }" POSLAB_ARCH_RUNS)
  unset(CMAKE_REQUIRED_FLAGS)
  if(POSLAB_ARCH_RUNS)
    set(POSLAB_ARCH_FLAGS "-march=${POSLAB_ARCH}")
  else()
    message(STATUS "This machine does not run -march=${POSLAB_ARCH}: building for the compiler's default")
  endif()
endif()
