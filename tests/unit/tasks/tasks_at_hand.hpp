// SPDX-License-Identifier: Apache-2.0
// What the tests of tasks share.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "poslab/tasks/task.hpp"

namespace at_hand {

using poslab::base::Index;
using poslab::base::Stream;
using poslab::tasks::Part;
using poslab::tasks::Sequence;
using poslab::tasks::Task;

using Tokens = std::vector<std::int32_t>;

/// 3000 characters of 7 kinds.
inline std::string some_text() {
  std::string text;
  const Stream draws("a text of a test");
  for (std::uint64_t i = 0; i < 3000; ++i) text += "abc de\n"[draws.below(i, 7)];
  return text;
}

/// Lines of 1 to 59 letters, some hundreds of each length; each letter is asked for where it stands.
inline std::string some_lines() {
  std::string text;
  const Stream draws("lines of a test");
  std::uint64_t next = 0;
  for (int length = 1; length < 60; ++length)
    for (int n = 0; n < 300; ++n) {
      std::string line;
      for (int t = 0; t < length; ++t) line += {"abcdefgh"[draws.below(next++, 8)], ' '};
      text += line + "\t" + line + "\n";
    }
  return text;
}

/// `contents`: of its file, if it needs one.
inline std::unique_ptr<Task> task(const std::string& id, const std::string& contents) {
  return poslab::tasks::find_task(id).make(contents);
}
inline std::unique_ptr<Task> task(const std::string& id) {
  const std::string& file = poslab::tasks::find_task(id).file;
  return task(id, file == "text" ? some_text() : file == "instances" ? some_lines() : "");
}

inline Sequence drawn(const Task& task, Index size, std::uint64_t i, Part part = Part::training) {
  return task.sample(Stream("draws of a test"), part, i, size);
}

/// Tokens first .. first + count - 1.
inline Tokens part_of(const Tokens& tokens, std::size_t first, std::size_t count) {
  return {tokens.begin() + static_cast<std::ptrdiff_t>(first),
          tokens.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

inline Tokens reversed(const Tokens& tokens) { return {tokens.rbegin(), tokens.rend()}; }
inline Tokens joined(Tokens first, const Tokens& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// What is asked, in order.
inline Tokens answer(const Sequence& sequence) {
  Tokens asked;
  for (std::size_t t = 0; t < sequence.mask.size(); ++t)
    if (sequence.mask[t]) asked.push_back(sequence.targets[t]);
  return asked;
}

/// Five standard errors of a share p among n.
inline double five_errors(double p, double n) { return 5 * std::sqrt(p * (1 - p) / n) + 1e-12; }

}  // namespace at_hand
