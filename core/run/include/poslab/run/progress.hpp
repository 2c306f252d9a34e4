// SPDX-License-Identifier: Apache-2.0
// What a person sees while a run goes on: one line that renews itself on a terminal, plain lines otherwise; every failure
// at once, but those that say the same only once, and at the end how many they were.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "poslab/base/cell.hpp"

namespace poslab::run {

class Progress {
 public:
  /// `work` is the sum of all estimates: the time left is guessed from the share of it that is done.
  Progress(std::FILE* out, bool terminal, std::size_t cells, double work);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void finished(const base::Cell& cell, const base::Outcome& outcome, double work);
  void say(const std::string& line);  ///< a line of its own, above the progress line
  void stopping(int in_hand);         ///< no more cells are begun; so many are finished first
  void end();                         ///< takes the progress line away

 private:
  std::string line() const;
  void tell(const base::Cell& cell, const base::Outcome& outcome);
  void renew();
  void clear();

  std::FILE* out_;
  bool terminal_;
  std::size_t cells_, done_ = 0, failed_ = 0, skipped_ = 0;
  double work_, work_done_ = 0;
  std::chrono::steady_clock::time_point start_, last_;
  std::map<std::string, std::size_t> times_;  // that a failure gave this message
  bool shown_ = false, stopping_ = false, over_ = false;
  mutable std::mutex mutex_;
  std::condition_variable tick_;
  std::thread ticker_;
};

}  // namespace poslab::run
