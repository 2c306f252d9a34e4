// SPDX-License-Identifier: Apache-2.0
// The same call gives the same bits: again, after others, from many threads.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "calls/make_call.hpp"
#include "list.hpp"
#include "poslab/base/count.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/python.hpp"

namespace poslab::check {
namespace {

std::vector<Call> answered(const Instance& instance, std::vector<Call> calls) {
  for (Call& call : calls) instance.invoke(call);
  return calls;
}

// The plugin opened once more: a library is the same one, a Python file runs again in a process of its own.
struct Twin {
  explicit Twin(const Trial& trial)
      : plugin(host::Plugin::open(trial.file())),
        text(host::is_python(trial.file()) ? "a second process" : "a second instance") {}
  std::shared_ptr<const host::Plugin> plugin;
  const char* text;
};

}  // namespace

std::string check_repeatable(Trial& trial) {
  int calls = 0;
  const Twin other(trial);
  trial.for_each_instance([&](const Instance& instance) {
    const Instance twin(other.plugin, instance.variant(), instance.axes());
    for (const Call& call : varied_calls(instance)) {
      Call first = call, second = call, third = call;
      instance.invoke(first);
      instance.invoke(second);
      twin.invoke(third);
      require_same(first, second, "gave other bits when called again");
      require_same(first, third, fmt::format("gave other bits in {}", other.text));
      ++calls;
    }
  });
  return fmt::format("{} in {} gave the same bits again, and in {}", base::counted(calls, "call"), trial.scope(),
                     other.text);
}

std::string check_order(Trial& trial) {
  int calls = 0;
  trial.for_each_instance([&](const Instance& instance) {
    std::vector<Call> forward = varied_calls(instance), backward = forward;
    std::reverse(backward.begin(), backward.end());
    forward = answered(instance, std::move(forward));
    const Instance twin(trial.plugin(), instance.variant(), instance.axes());
    backward = answered(twin, std::move(backward));
    std::reverse(backward.begin(), backward.end());
    for (std::size_t i = 0; i < forward.size(); ++i)
      require_same(forward[i], backward[i], "gave other bits when the calls came in reverse order");
    calls += static_cast<int>(forward.size());
  });
  return fmt::format("{} in {} gave the same bits in reverse order", base::counted(calls, "call"), trial.scope());
}

std::string check_threads(Trial& trial) {
  constexpr int threads = 4, rounds = 3;
  int count = 0;
  trial.for_each_instance([&](const Instance& instance) {
    const std::vector<Call> calls = varied_calls(instance);
    std::vector<Call> expected = answered(instance, calls);
    std::string first_difference;
    std::mutex guard;
    std::atomic<bool> stop{false};
    const auto work = [&](int thread) {
      for (int round = 0; round < rounds && !stop; ++round)
        for (std::size_t n = 0; n < calls.size(); ++n) {
          // Every thread starts with another call, so that different calls run at once.
          const std::size_t i = (n + static_cast<std::size_t>(thread) * calls.size() / threads) % calls.size();
          if (calls[i].gradient && round > 0) continue;
          Call call = calls[i];
          instance.invoke(call);
          Call known = expected[i];
          const std::string found = difference(known, call);
          if (found.empty()) continue;
          const std::lock_guard lock(guard);
          first_difference = fmt::format("{} gave other bits while other threads called too: {}", name_of(call), found);
          stop = true;
        }
    };
    std::vector<std::thread> pool;
    for (int thread = 0; thread < threads; ++thread) pool.emplace_back(work, thread);
    for (std::thread& thread : pool) thread.join();
    if (!first_difference.empty()) throw Failed(first_difference);
    for (const Call& call : calls) count += threads * (call.gradient ? 1 : rounds);
  });
  return fmt::format("{} from {} threads in {} gave the bits of one", base::counted(count, "call"), threads,
                     trial.scope());
}

}  // namespace poslab::check
