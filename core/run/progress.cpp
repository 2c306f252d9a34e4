// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/progress.hpp"

#include <fmt/format.h>

#include "poslab/base/text.hpp"

namespace poslab::run {

using Clock = std::chrono::steady_clock;

Progress::Progress(std::FILE* out, bool terminal, std::size_t cells, double work)
    : out_(out), terminal_(terminal), cells_(cells), work_(work), start_(Clock::now()), last_(start_) {
  if (!terminal_) return;
  ticker_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!tick_.wait_for(lock, std::chrono::milliseconds(250), [this] { return over_; })) renew();
  });
}

Progress::~Progress() { end(); }

std::string Progress::line() const {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const std::size_t ran = done_ - skipped_;
  std::string text = fmt::format("{}/{} cells", done_, cells_);
  if (skipped_ > 0) text += fmt::format(", {} skipped", skipped_);
  if (failed_ > 0) text += fmt::format(", {} FAILED", failed_);
  if (ran > 0 && seconds > 0) text += fmt::format(", {:.3g} cells/s", static_cast<double>(ran) / seconds);
  if (stopping_)
    text += ", stopping";
  else if (work_done_ > 0 && done_ < cells_)
    text += fmt::format(", about {} left", base::human_seconds(seconds * (work_ - work_done_) / work_done_));
  return text;
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", out_);
  shown_ = false;
}

void Progress::renew() {
  std::fputs(("\r\033[K" + line()).c_str(), out_);
  std::fflush(out_);
  shown_ = true;
}

void Progress::finished(const base::Cell& cell, const base::Outcome& outcome, double work) {
  const std::lock_guard lock(mutex_);
  ++done_;
  work_done_ += work;
  if (outcome.status == base::Status::skipped) ++skipped_;
  const bool failed = outcome.status != base::Status::ok && outcome.status != base::Status::skipped;
  if (failed) {
    ++failed_;
    if (++times_[outcome.message] == 1) tell(cell, outcome);
  }
  if (terminal_) return;
  const auto now = Clock::now();
  if (now - last_ < std::chrono::seconds(5) && done_ < cells_) return;
  last_ = now;
  std::fputs((line() + "\n").c_str(), out_);
  std::fflush(out_);
}

void Progress::tell(const base::Cell& cell, const base::Outcome& outcome) {
  clear();
  std::string where;
  for (const auto& [name, value] : cell.axes) where += fmt::format(" {}={}", name, base::to_text(value));
  std::fputs(fmt::format("{}: {} of {}{}: {}\n", base::to_text(outcome.status), cell.experiment, cell.variant.label,
                         where, outcome.message)
                 .c_str(),
             out_);
  std::fflush(out_);
}

void Progress::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  clear();
  std::fputs((text + "\n").c_str(), out_);
  std::fflush(out_);
}

void Progress::stopping(int in_hand) {
  say(fmt::format(
      "stopping once the {} in hand {} done; Ctrl-C again ends at once: what is done is kept, but no results "
      "file is written",
      in_hand == 1 ? "cell" : fmt::format("{} cells", in_hand), in_hand == 1 ? "is" : "are"));
  const std::lock_guard lock(mutex_);
  stopping_ = true;
}

void Progress::end() {
  {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    over_ = true;
    clear();
    for (const auto& [message, times] : times_)
      if (times > 1) std::fputs(fmt::format("{} other cells said the same: {}\n", times - 1, message).c_str(), out_);
    std::fflush(out_);
  }
  tick_.notify_all();
  if (ticker_.joinable()) ticker_.join();
}

}  // namespace poslab::run
