// SPDX-License-Identifier: Apache-2.0
#include "timed_attempt.hpp"

#include <utility>

namespace poslab::workers {

TimedAttempt::TimedAttempt(std::string checkpoint, const CheckpointRule& rule, AttemptEvents events,
                           std::function<Clock::time_point()> now)
    : checkpoint_(std::move(checkpoint)),
      rule_(rule),
      events_(std::move(events)),
      now_(std::move(now)),
      kept_(now_()) {}

bool TimedAttempt::progress(const data::Progress& progress) {
  const Clock::time_point now = now_();
  last_ = progress;
  if (!any_told_ || now - told_ >= min_interval) {
    events_.progress(progress);
    any_told_ = true;
    told_ = now;
  }
  if (is_interrupted()) return true;
  return !too_large_ && now - kept_ >= std::chrono::duration<double>(rule_.seconds);
}

void TimedAttempt::keep(std::string checkpoint) {
  too_large_ = checkpoint.size() > rule_.max_bytes;
  if (!too_large_) events_.kept({last_, std::move(checkpoint)});
  if (is_interrupted()) throw Interrupted();
  kept_ = now_();  // after it was sent: a slow disk must not leave a cell nothing but checkpoints
}

}  // namespace poslab::workers
