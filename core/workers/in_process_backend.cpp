// SPDX-License-Identifier: Apache-2.0
// The backend in this process, for a debugger: a plugin that crashes ends the run.
#include "backends.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "plugin_probe.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/workers/backend.hpp"
#include "thread_pool.hpp"
#include "timed_attempt.hpp"

namespace poslab::workers {
namespace {

constexpr std::chrono::milliseconds max_wait{100};  // between two looks of the caller at what was asked of it

class InProcessBackend : public Backend {
 public:
  explicit InProcessBackend(const BackendOptions& options)
      : probe_([options] { return std::make_unique<Worker>(options, 0); }, options.cell_seconds),
        threads_(options.threads),
        checkpoint_seconds_(options.checkpoint_seconds),
        cell_runner_(plugins_),
        thread_pool_(options.threads,
                     {[](std::size_t) {},
                      [this](std::size_t index, Performed performed) { done(index, std::move(performed)); }}) {}

  // In a worker all the same: there a library meets no other, and what is found is what it is here, or it is refused.
  data::SchemeInfo open(const std::filesystem::path& file) override { return probe_.open(file); }
  void register_schemes(const std::vector<data::SchemeInfo>& schemes) override {
    for (const data::SchemeInfo& scheme : schemes) plugins_.register_scheme(scheme);
  }
  void provide(const std::vector<GivenContents>& contents) override {
    for (const GivenContents& one : contents) cell_runner_.provide(one.hash, one.contents);
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
      const auto once = [&] {
        TimedAttempt attempt(checkpoint ? checkpoint->bytes : "", {checkpoint_seconds_, &interrupt_}, events_of(index));
        return cell_runner_.perform(cell, attempt);
      };
      Performed performed = once();
      if (!performed.lost_process) return performed;
      performed = once();
      if (performed.lost_process) performed.outcome = tried_twice(std::move(performed.outcome));
      return performed;
    });
  }
  std::vector<Finished> wait() override {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, max_wait, [this] { return !finished_.empty() || !reports_.empty(); });
    return std::exchange(finished_, {});
  }
  std::vector<ProgressReport> progress_reports() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(reports_, {});
  }

  void interrupt() override { interrupt_ = true; }

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

  void tell(ProgressReport report) {
    const std::lock_guard lock(mutex_);
    reports_.push_back(std::move(report));
    changed_.notify_all();
  }

  void done(std::size_t index, Performed performed) {
    const auto how = performed.was_interrupted ? Finished::How::interrupted : Finished::How::performed;
    data::PackedOutcome outcome(std::move(performed.outcome));
    const std::lock_guard lock(mutex_);
    finished_.push_back({index, std::move(outcome), how});
    changed_.notify_all();
  }

  PluginProbe probe_;
  int threads_;
  double checkpoint_seconds_;
  host::Plugins plugins_;
  CellRunner cell_runner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Finished> finished_;
  std::vector<ProgressReport> reports_;
  std::atomic<bool> interrupt_{false};
  ThreadPool thread_pool_;  // last: its threads use all of the above
};

}  // namespace

std::unique_ptr<Backend> in_process_backend(const BackendOptions& options) {
  return std::make_unique<InProcessBackend>(options);
}

std::unique_ptr<Backend> make_backend(const BackendOptions& options) {
  return options.workers > 0 ? worker_backend(options) : in_process_backend(options);
}

}  // namespace poslab::workers
