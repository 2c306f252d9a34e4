// SPDX-License-Identifier: Apache-2.0
// The backend in this process, for a debugger: a plugin that crashes ends the run.
#include "in_process_backend.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "poslab/data/cell.hpp"
#include "poslab/data/packed_outcome.hpp"
#include "thread_pool.hpp"

namespace poslab::workers {
namespace {

class InProcessBackend : public Backend {
 public:
  explicit InProcessBackend(int threads)
      : threads_(threads),
        cell_runner_(plugins_),
        thread_pool_([this](const data::Cell& cell) { return cell_runner_.perform(cell); }, threads,
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
  void start(std::size_t index, const data::Cell& cell) override { thread_pool_.start(index, cell); }
  std::vector<Finished> wait() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !finished_.empty(); });
    return std::exchange(finished_, {});
  }

 private:
  void done(std::size_t index, Performed performed) {
    data::PackedOutcome outcome(std::move(performed.outcome));
    const std::lock_guard lock(mutex_);
    finished_.push_back({index, std::move(outcome), true});
    changed_.notify_all();
  }

  int threads_;
  host::Plugins plugins_;
  CellRunner cell_runner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Finished> finished_;
  ThreadPool thread_pool_;  // last: its threads use all of the above
};

}  // namespace

std::unique_ptr<Backend> in_process_backend(int threads) { return std::make_unique<InProcessBackend>(threads); }

}  // namespace poslab::workers
