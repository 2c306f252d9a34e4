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

/// How far a run is.
struct Progress {
  std::size_t cells = 0, done = 0, failed = 0, skipped = 0;
  double operations = 0, operations_done = 0;  ///< the time left is guessed from the share that is done
  bool stopping = false;
};
/// "3/8 cells, 1 FAILED, 2 cells/s, about 3 s left", after so many seconds.
std::string progress_text(const Progress& progress, double seconds);

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
  Progress progress_;
  Clock::time_point start_, last_;
  std::map<std::string, std::size_t> failures_;  // by message
  bool shown_ = false, over_ = false;
  mutable std::mutex mutex_;
  std::condition_variable tick_;
  std::thread ticker_;
};

}  // namespace poslab::app
