// SPDX-License-Identifier: Apache-2.0
#include "calls/memory.hpp"

#include <ucontext.h>

namespace poslab::check {
namespace {

const Memory* watched = nullptr;
const FaultReport* told = nullptr;

const char* deed_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  constexpr greg_t is_write = 2;  // of the error code of a page fault
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & is_write) != 0 ? "wrote" : "read";
#else
  return "touched";
#endif
}

// Reporting allocates memory, which a handler otherwise must not; but code that touches guard pages is the plugin's own
// loop or copy, not the allocator in the middle of its work. On return the access is repeated and ends the process.
void on_fault(int signal, siginfo_t* info, void* context) {
  struct sigaction fatal {};
  fatal.sa_handler = SIG_DFL;
  sigaction(signal, &fatal, nullptr);
  if (!watched) return;
  const auto beyond = watched->guarded_by(info->si_addr);
  if (!beyond) return;
  // A loop that runs out of its array has written the margin of alignment first.
  const auto margin = watched->written_outside();
  const bool same_loop = margin && margin->array == beyond->array;
  (*told)(std::string(same_loop ? "wrote" : deed_of(context)) + " " + to_text(same_loop ? *margin : *beyond));
}

}  // namespace

FaultWatch::FaultWatch(const Memory& memory, const FaultReport& report) {
  watched = &memory;
  told = &report;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before_);
}

FaultWatch::~FaultWatch() {
  sigaction(SIGSEGV, &before_, nullptr);
  watched = nullptr;
}

}  // namespace poslab::check
