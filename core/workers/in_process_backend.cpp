// SPDX-License-Identifier: Apache-2.0
// The backend in this process, for a debugger: a plugin that crashes ends the run.
#include "in_process_backend.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "poslab/data/cell.hpp"
#include "poslab/data/packed_outcome.hpp"
#include "thread_pool.hpp"
#include "timed_attempt.hpp"

namespace poslab::workers {
namespace {

class InProcessBackend : public Backend {
 public:
  explicit InProcessBackend(const BackendOptions& options)
      : threads_(options.threads),
        checkpoint_seconds_(options.checkpoint_seconds),
        cell_runner_(plugins_),
        thread_pool_(options.threads,
                     {[](std::size_t) {},
                      [this](std::size_t index, Performed performed) { done(index, std::move(performed)); }}) {}

  data::SchemeInfo open(const std::filesystem::path& file) override { return plugins_.open(file)->info(); }
  void know(const std::vector<data::SchemeInfo>& schemes) override {
    for (const data::SchemeInfo& scheme : schemes) plugins_.know(scheme);
  }
  void give(const std::vector<GivenContents>& contents) override {
    for (const GivenContents& one : contents) cell_runner_.give(one.hash, one.contents);
  }
  std::vector<data::Forecast> forecast(const std::vector<const data::Cell*>& cells) override {
    std::vector<data::Forecast> all;
    all.reserve(cells.size());
    for (const data::Cell* cell : cells) all.push_back(cell_runner_.forecast(*cell));
    return all;
  }
  int slots() const override { return threads_; }
  void start(std::size_t index, const data::Cell& cell, data::CheckpointPointer checkpoint) override {
    thread_pool_.start(index, [this, index, cell, checkpoint = std::move(checkpoint)] {
      TimedAttempt attempt(checkpoint ? checkpoint->bytes : "", {checkpoint_seconds_}, events_of(index));
      return cell_runner_.perform(cell, attempt);
    });
  }
  std::vector<Finished> wait() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !finished_.empty() || !news_.empty(); });
    return std::exchange(finished_, {});
  }
  std::vector<CellNews> news() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, {});
  }

 private:
  AttemptEvents events_of(std::size_t index) {
    return {[this, index](const data::Progress& progress) {
              tell({index, progress});
            },
            [this, index](data::Checkpoint kept) {
              const auto checkpoint = std::make_shared<const data::Checkpoint>(std::move(kept));
              tell({index, checkpoint->progress, checkpoint});
            }};
  }

  void tell(CellNews news) {
    const std::lock_guard lock(mutex_);
    news_.push_back(std::move(news));
    changed_.notify_all();
  }

  void done(std::size_t index, Performed performed) {
    data::PackedOutcome outcome(std::move(performed.outcome));
    const std::lock_guard lock(mutex_);
    finished_.push_back({index, std::move(outcome), true});
    changed_.notify_all();
  }

  int threads_;
  double checkpoint_seconds_;
  host::Plugins plugins_;
  CellRunner cell_runner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Finished> finished_;
  std::vector<CellNews> news_;
  ThreadPool thread_pool_;  // last: its threads use all of the above
};

}  // namespace

std::unique_ptr<Backend> in_process_backend(const BackendOptions& options) {
  return std::make_unique<InProcessBackend>(options);
}

}  // namespace poslab::workers
