// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/interrupt.hpp"

#include <array>
#include <csignal>

namespace poslab::process {
namespace {

// A signal handler can only use a global.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int) { interrupted.store(true); }

constexpr std::array stopping_signals{SIGINT, SIGTERM, SIGHUP};  // Ctrl-C, a batch system, a closed terminal

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted.store(false);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // the second one ends the process
  for (const int signal : stopping_signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup stays nohup
  }
}

InterruptGuard::~InterruptGuard() {
  for (const int signal : stopping_signals) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == on_interrupt) std::signal(signal, SIG_DFL);
  }
}

const std::atomic<bool>& InterruptGuard::stop() const { return interrupted; }

}  // namespace poslab::process
