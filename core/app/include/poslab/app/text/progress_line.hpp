// SPDX-License-Identifier: Apache-2.0
// What a person sees while a run goes on: one line that renews itself on a terminal, plain lines otherwise. Every failure is
// shown at once, but those with the same message only once, and at the end how many they were.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "poslab/run/run_listener.hpp"

namespace poslab::app {

class ProgressLine : public run::RunListener {
 public:
  ProgressLine(std::FILE* out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void started(const run::RunStart& start) override;
  void finished(const data::Cell& cell, const run::OutcomeSummary& outcome, double operations) override;
  void stopping(int running) override;
  void performed() override;  ///< takes the line away

 private:
  using Clock = std::chrono::steady_clock;
  std::string line() const;
  void show_failure(const data::Cell& cell, const run::OutcomeSummary& outcome);
  void print(const std::string& line);  // above the progress line
  void renew();
  void clear();

  std::FILE* out_;
  bool is_terminal_;
  std::size_t cells_ = 0, done_ = 0, failed_ = 0, skipped_ = 0;
  double operations_ = 0, operations_done_ = 0;  // the time left is guessed from the share that is done
  Clock::time_point start_, last_;
  std::map<std::string, std::size_t> failures_;  // by message
  bool shown_ = false, stopping_ = false, over_ = false;
  mutable std::mutex mutex_;
  std::condition_variable tick_;
  std::thread ticker_;
};

}  // namespace poslab::app
