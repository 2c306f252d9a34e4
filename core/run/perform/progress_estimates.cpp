// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/progress_estimates.hpp"

#include <algorithm>

namespace poslab::run {

void WorkDone::progressed(const std::string& cell, double share, double operations) {
  share = std::min(share, 1.0);
  const auto part = parts_.try_emplace(cell, Part{operations, share, share}).first;
  part->second.done = std::max(share, part->second.begun);  // it may have to begin again
}

void WorkDone::finished(const std::string& cell, double operations) {
  if (const auto part = parts_.find(cell); part != parts_.end()) {
    const double earlier = part->second.operations * part->second.begun;
    all_ -= earlier;
    operations -= earlier;
    parts_.erase(part);
  }
  finished_ += operations;
}

double WorkDone::share() const {
  double all = all_, done = finished_;
  for (const auto& [cell, part] : parts_) {
    all -= part.operations * part.begun;
    done += part.operations * (part.done - part.begun);
  }
  return all > 0 ? done / all : 0;
}

void TokenRate::at(double seconds, std::uint64_t tokens) {
  constexpr double least = 1, window = 5;  // seconds
  if (since_ < 0 || tokens < tokens_) {    // the first, or a cell that was begun again
    *this = {};
    since_ = seconds, tokens_ = tokens;
    return;
  }
  const double passed = seconds - since_;
  if (passed < (is_settled_ ? window : least)) return;
  value_ = static_cast<double>(tokens - tokens_) / passed;
  if (passed < window) return;
  is_settled_ = true;
  since_ = seconds, tokens_ = tokens;
}

double TimeLeft::run_down(double seconds) const {
  const double rest = left_ - (seconds - since_);
  if (rest >= 0) return rest;
  return std::min(-rest, seconds * (1 - share_) / share_);  // as long again as it is overdue
}

std::optional<double> TimeLeft::at(double seconds, double share) {
  constexpr double min_share = 1e-3, min_seconds = 1;  // before, a guess is worth nothing
  constexpr double memory = 0.2;                       // of the time that has passed
  if (share > share_ && share >= min_share && seconds >= min_seconds) {
    const double guess = seconds * (1 - share) / share;
    const double passed = seconds - since_, now = run_down(seconds);
    const double weight = share_ == 0 ? 1 : std::min(1.0, passed / (memory * seconds));
    const double moved = guess > 2 * now ? guess : now + weight * (guess - now);
    left_ = share_ == 0 ? guess : std::min(moved, 1.5 * now + 1 + 2 * passed);
    share_ = share, since_ = seconds;
  }
  if (share_ == 0) return std::nullopt;
  return run_down(seconds);
}

}  // namespace poslab::run
