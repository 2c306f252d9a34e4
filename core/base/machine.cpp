// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <thread>

namespace poslab::base {
namespace {

// The text after "key:" (or "key\t:") in the first line of `path` that begins with `key`.
std::string entry(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t colon = line.find(':');
    const std::size_t first = colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
    if (first != std::string::npos) return line.substr(first);
  }
  return "";
}

}  // namespace

int processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());
}

double available_memory() {
  std::istringstream text(entry("/proc/meminfo", "MemAvailable"));
  double kilobytes = 0;
  if (text >> kilobytes) return kilobytes * 1024;
  return 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

std::string processor_name() {
  const std::string name = entry("/proc/cpuinfo", "model name");
  return name.empty() ? "unknown" : name;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::optional<Refusal> why_not_this_machine() {
#ifdef __AVX512F__
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return "this poslab was built for processors with AVX-512, and this one lacks it; build again with "
           "-DPOSLAB_ARCH=x86-64-v3";
#endif
#ifdef __AVX2__
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return "this poslab was built for processors with AVX2 and FMA, and this one lacks them; build again with "
           "-DPOSLAB_ARCH=";
#endif
  return std::nullopt;
}

}  // namespace poslab::base
