// SPDX-License-Identifier: Apache-2.0
// What a person sees while a run goes on: one line that renews itself on a terminal, plain lines now and then
// otherwise. Every failure is shown at once, but those with the same message only once, and at the end how many they
// were.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "poslab/run/progress_estimates.hpp"
#include "poslab/run/run_listener.hpp"
#include "terminal/styled_text.hpp"
#include "text/progress.hpp"

namespace poslab::app {

class ProgressLine : public run::RunListener {
 public:
  /// `width` in characters, on a terminal; colours only where they are wanted.
  ProgressLine(std::FILE* out, bool is_terminal, Colours colours = Colours::none, std::size_t width = 80)
      : out_(out), is_terminal_(is_terminal), colours_(colours), width_(width) {}
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void started(const run::RunStart& start) override;
  void starting(const data::Cell& cell) override;
  void progressed(const data::Cell& cell, const data::Progress& progress, double operations) override;
  void executed(const data::Cell& cell) override;
  void finished(const data::Cell& cell, const run::OutcomeSummary& outcome, double operations) override;
  void stopping(int running) override;
  void performed() override;  ///< takes the line away

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::string name;
    Clock::time_point since;
    std::string says = {};
    run::TokenRate tokens = {};
  };

  double seconds() const;  // since the start
  RunProgress now() const;
  void show_failure(const data::Cell& cell, const run::OutcomeSummary& outcome);
  void print(const std::string& line);  // above the progress line
  void tick();
  void renew();
  void add_line();
  void clear();
  void put(const StyledText& text);

  std::FILE* out_;
  bool is_terminal_;
  Colours colours_;
  std::size_t width_;
  RunProgress progress_;
  run::WorkDone work_{0};
  run::TimeLeft left_;
  Clock::time_point start_;
  double next_line_ = 0;                         // where lines stay, in seconds since the start
  std::map<std::string, Running> running_;       // by the cell's identity
  std::map<std::string, std::size_t> failures_;  // by message
  bool shown_ = false, over_ = false;
  mutable std::mutex mutex_;
  std::condition_variable tick_;
  std::thread ticker_;
};

}  // namespace poslab::app
