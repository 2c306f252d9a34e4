// SPDX-License-Identifier: Apache-2.0
// The same question gets the same answer: again, after others, in pieces, from many threads.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "list.hpp"
#include "sameness.hpp"
#include "scene.hpp"

namespace poslab::check {
namespace {

// Every call of a subject, for several settings that differ in positions, contents and number of positions.
std::vector<Call> varied_calls(const Subject& subject) {
  std::vector<Call> calls;
  for (const Index count : {9, 5, 12}) {
    const std::string key = fmt::format("sameness {}", count);
    Block positions = count == 9 ? consecutive(subject, count) : scattered(subject, count, 1000, key);
    const Which which = count == 5 ? Which::all : Which::forward;
    for (Call& call : all_calls(subject, scene_of(subject, std::move(positions), key), which))
      calls.push_back(std::move(call));
  }
  return calls;
}

std::vector<Call> answered(const Subject& subject, std::vector<Call> calls) {
  for (Call& call : calls) subject.perform(call);
  return calls;
}

void require_same(Call& a, Call& b, const std::string& what, double ulps = 0) {
  if (const std::string apart = difference(a, b, ulps); !apart.empty())
    throw Failed(fmt::format("{} {}: {}", name_of(a), what, apart));
}

// Rows of every array of the call that has one per position (encode, transform) or per query (the others).
Call part_of(const Call& whole, Index first, Index count) {
  Call part = whole;
  const auto cut = [&](Block& block, int axis) {
    if (block.there()) block = block.rows(axis, first, count);
  };
  const bool by_position = whole.operation == Operation::encode || whole.operation == Operation::transform;
  if (by_position) {
    cut(part.positions, 0);
    cut(part.output, whole.operation == Operation::encode ? 0 : 1);
    return part;
  }
  cut(part.query_positions, 0);
  cut(part.query, 1);
  cut(part.attention, 1);
  cut(part.output, 1);
  part.first_query += first;
  return part;
}

}  // namespace

std::string check_repeatable(Trial& trial) {
  int calls = 0;
  trial.for_each_subject([&](const Subject& subject) {
    const Subject twin(trial.plugin(), subject.variant(), subject.axes());
    for (const Call& call : varied_calls(subject)) {
      Call first = call, second = call, third = call;
      subject.perform(first);
      subject.perform(second);
      twin.perform(third);
      require_same(first, second, "gave other bits when called again");
      require_same(first, third, "gave other bits in a second instance");
      ++calls;
    }
  });
  return fmt::format("{} calls in {} gave the same bits again, and in a second instance", calls, trial.scope());
}

std::string check_order(Trial& trial) {
  int calls = 0;
  trial.for_each_subject([&](const Subject& subject) {
    std::vector<Call> forward = varied_calls(subject), backward = forward;
    std::reverse(backward.begin(), backward.end());
    forward = answered(subject, std::move(forward));
    const Subject twin(trial.plugin(), subject.variant(), subject.axes());
    backward = answered(twin, std::move(backward));
    std::reverse(backward.begin(), backward.end());
    for (std::size_t i = 0; i < forward.size(); ++i)
      require_same(forward[i], backward[i], "gave other bits when the calls came in reverse order");
    calls += static_cast<int>(forward.size());
  });
  return fmt::format("{} calls in {} gave the same bits in reverse order", calls, trial.scope());
}

std::string check_split(Trial& trial) {
  constexpr double most_ulps = 4;
  int calls = 0;
  trial.for_each_subject([&](const Subject& subject) {
    for (const Call& call : varied_calls(subject)) {
      if (call.gradient) continue;
      Call whole = call;
      subject.perform(whole);
      const Index count = call.positions.there() ? call.positions.shape[0] : call.query_positions.shape[0];
      for (Index first = 0; first < count;) {
        const Index size = std::min<Index>(first % 2 == 0 ? 1 : 4, count - first);
        Call piece = part_of(call, first, size), expected = part_of(whole, first, size);
        const Answer answer = subject.perform(piece);
        if (!answer.ok())
          throw Failed(fmt::format("{} of rows {} to {} {}", name_of(call), first, first + size - 1, answer.words()));
        require_same(expected, piece,
                     fmt::format("gave other numbers for rows {} to {} alone", first, first + size - 1), most_ulps);
        first += size;
      }
      ++calls;
    }
  });
  return fmt::format("{} calls in {} gave the same in pieces, within {} ulp", calls, trial.scope(), most_ulps);
}

std::string check_threads(Trial& trial) {
  constexpr int threads = 4, rounds = 3;
  int calls = 0;
  trial.for_each_subject([&](const Subject& subject) {
    const std::vector<Call> asked = varied_calls(subject);
    std::vector<Call> expected = answered(subject, asked);
    std::string apart;
    std::mutex guard;
    std::atomic<bool> stop{false};
    const auto work = [&](int thread) {
      for (int round = 0; round < rounds && !stop; ++round)
        for (std::size_t n = 0; n < asked.size(); ++n) {
          // Every thread begins elsewhere, so that different calls meet.
          const std::size_t i = (n + static_cast<std::size_t>(thread) * asked.size() / threads) % asked.size();
          if (asked[i].gradient && round > 0) continue;
          Call call = asked[i];
          subject.perform(call);
          Call known = expected[i];
          const std::string found = difference(known, call);
          if (found.empty()) continue;
          const std::lock_guard lock(guard);
          apart = fmt::format("{} gave other bits while other threads called too: {}", name_of(call), found);
          stop = true;
        }
    };
    std::vector<std::thread> crew;
    for (int thread = 0; thread < threads; ++thread) crew.emplace_back(work, thread);
    for (std::thread& thread : crew) thread.join();
    if (!apart.empty()) throw Failed(apart);
    for (const Call& call : asked) calls += threads * (call.gradient ? 1 : rounds);
  });
  return fmt::format("{} calls from {} threads in {} gave the bits of one", calls, threads, trial.scope());
}

}  // namespace poslab::check
