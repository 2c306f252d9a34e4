// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/progress_line.hpp"

#include <fmt/format.h>

#include "poslab/app/text/plan_text.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {

ProgressLine::~ProgressLine() { performed(); }

void ProgressLine::started(const run::RunStart& start) {
  for (const std::string& notice : start.journal_notices) print("poslab: " + base::printable(notice));
  if (start.unasked > 0) print("poslab:" + unasked_text(start.unasked));
  if (start.kept > 0) print(fmt::format("{} of {} cells are kept from an earlier run", start.kept, start.planned));
  const std::lock_guard lock(mutex_);
  progress_.cells = start.planned - start.kept;
  progress_.operations = start.operations;
  start_ = last_ = Clock::now();
  if (!is_terminal_) return;
  ticker_ = std::thread([this] {
    std::unique_lock waiting(mutex_);
    while (!tick_.wait_for(waiting, std::chrono::milliseconds(250), [this] { return over_; })) renew();
  });
}

std::string progress_text(const Progress& progress, double seconds) {
  const std::size_t ran = progress.done - progress.skipped;
  std::string text = fmt::format("{}/{} cells", progress.done, progress.cells);
  if (progress.skipped > 0) text += fmt::format(", {} skipped", progress.skipped);
  if (progress.failed > 0) text += fmt::format(", {} FAILED", progress.failed);
  if (ran > 0 && seconds > 0) text += fmt::format(", {:.3g} cells/s", static_cast<double>(ran) / seconds);
  if (progress.stopping)
    text += ", stopping";
  else if (progress.operations_done > 0 && progress.done < progress.cells)
    text += fmt::format(
        ", about {} left",
        base::human_seconds(seconds * (progress.operations - progress.operations_done) / progress.operations_done));
  return text;
}

std::string ProgressLine::line() const {
  return progress_text(progress_, std::chrono::duration<double>(Clock::now() - start_).count());
}

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\033[K", out_);
  shown_ = false;
}

void ProgressLine::renew() {
  std::fputs(("\r\033[K" + line()).c_str(), out_);  // our own words and numbers
  std::fflush(out_);
  shown_ = true;
}

void ProgressLine::finished(const data::Cell& cell, const run::OutcomeSummary& outcome, double operations) {
  const std::lock_guard lock(mutex_);
  ++progress_.done;
  progress_.operations_done += operations;
  if (outcome.status == data::Status::skipped) ++progress_.skipped;
  if (outcome.is_failure()) {
    ++progress_.failed;
    if (++failures_[outcome.message] == 1) show_failure(cell, outcome);
  }
  if (is_terminal_) return;
  const auto now = Clock::now();
  if (now - last_ < std::chrono::seconds(5) && progress_.done < progress_.cells) return;
  last_ = now;
  app::print(out_, line() + "\n");
}

void ProgressLine::show_failure(const data::Cell& cell, const run::OutcomeSummary& outcome) {
  clear();
  std::string axes;
  for (const auto& [name, value] : cell.axes) axes += fmt::format(" {}={}", name, data::to_text(value));
  app::print(out_, base::printable(fmt::format("{}: {} of {}{}: {}", data::to_text(outcome.status), cell.experiment,
                                               cell.variant.label, axes, outcome.message)) +
                       "\n");
}

void ProgressLine::print(const std::string& text) {
  const std::lock_guard lock(mutex_);
  clear();
  app::print(out_, text + "\n");
}

void ProgressLine::stopping(int running) {
  print(fmt::format(
      "stopping once the {} in hand {} done; Ctrl-C again ends at once: what is done is kept, but no results "
      "file is written",
      running == 1 ? "cell" : fmt::format("{} cells", running), running == 1 ? "is" : "are"));
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
        app::print(out_, fmt::format("{} other cells said the same: {}\n", count - 1, base::printable(message)));
    std::fflush(out_);
  }
  tick_.notify_all();
  if (ticker_.joinable()) ticker_.join();
}

}  // namespace poslab::app
