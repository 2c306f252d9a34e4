// SPDX-License-Identifier: Apache-2.0
#include "worker.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace poslab::workers {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool can_limit_memory = false;  // the sanitizer's shadow memory would count
#else
constexpr bool can_limit_memory = true;
#endif

void limit(decltype(RLIMIT_CORE) resource, rlim_t most) {
  rlimit now{};
  getrlimit(resource, &now);
  now.rlim_cur = now.rlim_max = std::min(most, now.rlim_max);  // a soft limit could be raised again
  setrlimit(resource, &now);
}

// Stacks count as data, though few of their pages are ever touched.
rlim_t stack_bytes(int threads) {
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  const rlim_t each = stack.rlim_cur == RLIM_INFINITY ? rlim_t{8} << 20 : stack.rlim_cur;
  return each * static_cast<rlim_t>(threads + 2);  // and the main thread, and one to spare
}

}  // namespace

double max_memory(double memory, int threads) {
  return memory > 0 && can_limit_memory ? memory + static_cast<double>(stack_bytes(threads)) : 0;
}

void limit_this_process(double memory, int threads) {
  limit(RLIMIT_CORE, 0);           // the host reports a crash
#if !defined(__SANITIZE_THREAD__)  // which writes its reports to files
  limit(RLIMIT_FSIZE, 0);          // a scheme is a pure function
#endif
  std::signal(SIGXFSZ, SIG_IGN);
  if (const double most = max_memory(memory, threads); most > 0) limit(RLIMIT_DATA, static_cast<rlim_t>(most));
  if (std::FILE* score = std::fopen("/proc/self/oom_score_adj", "w")) {
    std::fputs("1000", score);  // losing a worker is better than losing the host
    std::fclose(score);
  }
}

}  // namespace poslab::workers
