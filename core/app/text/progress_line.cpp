// SPDX-License-Identifier: Apache-2.0
#include "text/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/data/length_axes.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

// "uniqueness of rope length=8": what tells most of how long it takes.
std::string cell_name(const data::Cell& cell) {
  std::string name = cell.experiment + " of " + cell.variant.label;
  for (const char* axis : data::length_axes)
    if (const data::Value* value = cell.axes.find(axis)) name += fmt::format(" {}={}", axis, data::to_text(*value));
  return name;
}

std::string going_on_text(const run::RunStart& start) {
  return fmt::format("{}{} of {} {} on from {}", start.kept == 0 ? "no cell was finished, but " : "", start.going_on,
                     base::counted(start.planned, "cell"), start.going_on == 1 ? "goes" : "go",
                     start.going_on == 1 ? "its checkpoint" : "their checkpoints");
}

std::string unknown_needs_text(const run::RunStart& start) {
  return fmt::format("what {} of {} need is not known and not held against the memory budget: {}",
                     start.of_unknown_needs, base::counted(start.planned, "cell"), base::printable(start.why_unknown));
}

}  // namespace

ProgressLine::~ProgressLine() { ProgressLine::performed(); }

void ProgressLine::started(const run::RunStart& start) {
  for (const std::string& notice : start.journal_notices) print("poslab: " + base::printable(notice));
  if (start.unasked > 0) print("poslab:" + unasked_text(start.unasked));
  if (start.of_unknown_needs > 0) print("poslab: " + unknown_needs_text(start));
  if (start.kept > 0)
    print(fmt::format("{} of {} {} kept from an earlier run", start.kept, base::counted(start.planned, "cell"),
                      start.kept == 1 ? "is" : "are"));
  if (start.going_on > 0) print(going_on_text(start));
  const std::lock_guard lock(mutex_);
  progress_.cells = start.planned;
  progress_.done = progress_.kept = start.kept;
  work_ = run::WorkDone(start.operations);
  start_ = Clock::now();
  next_line_ = next_line_after(0);
  ticker_ = std::thread([this] {
    std::unique_lock waiting(mutex_);
    while (!tick_.wait_for(waiting, std::chrono::milliseconds(250), [this] { return over_; })) tick();
  });
}

double ProgressLine::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

RunProgress ProgressLine::now() const {
  RunProgress progress = progress_;
  progress.running = running_.size();
  const auto longest = std::ranges::min_element(running_, {}, [](const auto& entry) { return entry.second.since; });
  if (longest == running_.end()) return progress;
  progress.longest = longest->second.name;
  progress.longest_seconds = std::chrono::duration<double>(Clock::now() - longest->second.since).count();
  progress.says = longest->second.says;
  progress.tokens_a_second = longest->second.tokens.value();
  return progress;
}

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\033[K", out_);
  shown_ = false;
}

void ProgressLine::tick() {
  if (is_terminal_)
    renew();
  else if (seconds() >= next_line_)
    add_line();
}

void ProgressLine::renew() {
  const double passed = seconds();
  const auto left = left_.at(passed, work_.share());
  const std::string bar = progress_bar(passed, left);
  const std::size_t room = width_ > bar.size() + 6 ? width_ - bar.size() - 2 : 1;  // for a space and the cursor
  StyledText text;
  for (const auto words : {&progress_text, &brief_progress_text, &briefest_progress_text}) {
    text = words(now(), passed, left);
    if (text.width() <= room) break;
  }
  const StyledText line = StyledText(Style::good, bar) + " " + text.shortened(room);
  std::fputs(("\r\033[K" + line.written(colours_)).c_str(), out_);
  std::fflush(out_);
  shown_ = true;
}

// Lines that stay, where there is no progress line.
void ProgressLine::put(const StyledText& text) { app::print(out_, is_terminal_ ? text.fitted(width_) : text); }

void ProgressLine::add_line() {
  const double passed = seconds();
  next_line_ = next_line_after(passed);
  const auto left = left_.at(passed, work_.share());
  put(progress_text(now(), passed, left) + "\n");
}

void ProgressLine::starting(const data::Cell& cell) {
  const std::lock_guard lock(mutex_);
  running_[cell.id] = {cell_name(cell), Clock::now()};
}

void ProgressLine::progressed(const data::Cell& cell, const data::Progress& progress, double operations) {
  const std::lock_guard lock(mutex_);
  const auto found = running_.find(cell.id);
  if (found == running_.end()) return;
  Running& running = found->second;
  running.says = progress.sentence;
  if (progress.tokens > 0)
    running.tokens.at(seconds(), progress.tokens);
  else
    running.tokens = {};  // it no longer counts any
  if (progress.total > 0)
    work_.progressed(cell.id, static_cast<double>(progress.done) / static_cast<double>(progress.total), operations);
}

void ProgressLine::executed(const data::Cell& cell) {
  const std::lock_guard lock(mutex_);
  running_.erase(cell.id);
}

void ProgressLine::finished(const data::Cell& cell, const run::OutcomeSummary& outcome, double operations) {
  const std::lock_guard lock(mutex_);
  running_.erase(cell.id);
  ++progress_.done;
  work_.finished(cell.id, operations);
  if (outcome.status == data::Status::skipped) ++progress_.skipped;
  if (data::is_failure(outcome.status)) {
    ++progress_.failed;
    if (++failures_[outcome.message] == 1) show_failure(cell, outcome);
  }
  if (!is_terminal_ && (progress_.done == progress_.cells || seconds() >= next_line_)) add_line();
}

void ProgressLine::show_failure(const data::Cell& cell, const run::OutcomeSummary& outcome) {
  clear();
  put(base::printable(
          fmt::format("{}: {}: {}", data::to_text(outcome.status), data::full_text(cell), outcome.message)) +
      "\n");
}

void ProgressLine::print(const std::string& text) {
  const std::lock_guard lock(mutex_);
  clear();
  put(text + "\n");
}

void ProgressLine::stopping(int running) {
  print(fmt::format(
      "stopping: of the {} running {}, one that trains keeps a checkpoint and ends, another is finished; Ctrl-C again "
      "ends at once: what is done is kept, but no results file is written",
      running, running == 1 ? "cell" : "cells"));
  const std::lock_guard lock(mutex_);
  progress_.stopping = true;
}

void ProgressLine::performed() {
  {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    over_ = true;
    clear();
    for (const auto& [message, count] : failures_)
      if (count > 1)
        put(fmt::format("{} said the same: {}\n", base::counted(count - 1, "other cell"), base::printable(message)));
    std::fflush(out_);
  }
  tick_.notify_all();
  if (ticker_.joinable()) ticker_.join();
}

}  // namespace poslab::app
