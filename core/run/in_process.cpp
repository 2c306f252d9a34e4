// SPDX-License-Identifier: Apache-2.0
// The workshop in this process: nothing stands between a debugger and a plugin, nor between a plugin and us.
#include <condition_variable>
#include <mutex>

#include "crew.hpp"
#include "in_process.hpp"

namespace poslab::run {
namespace {

class InProcess : public Workshop {
 public:
  explicit InProcess(int threads)
      : threads_(threads),
        laboratory_(plugins_),
        crew_([this](const base::Cell& cell) { return laboratory_.perform(cell); }, threads,
              {[](std::size_t) {},
               [this](std::size_t index, Performed performed) { done(index, std::move(performed)); }}) {}

  base::SchemeInfo open(const std::filesystem::path& file) override { return plugins_.open(file)->info(); }
  void know(const std::vector<base::SchemeInfo>& schemes) override {
    for (const base::SchemeInfo& scheme : schemes) plugins_.know(scheme);
  }
  std::vector<spec::Forecast> forecast(const std::vector<const base::Cell*>& cells) override {
    std::vector<spec::Forecast> all;
    all.reserve(cells.size());
    for (const base::Cell* cell : cells) all.push_back(laboratory_.forecast(*cell));
    return all;
  }
  int places() const override { return threads_; }
  void start(std::size_t index, const base::Cell& cell) override { crew_.start(index, cell); }
  std::vector<Finished> wait() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !finished_.empty(); });
    return std::exchange(finished_, {});
  }

 private:
  void done(std::size_t index, Performed performed) {
    const std::lock_guard lock(mutex_);
    finished_.push_back({index, std::move(performed.outcome)});
    changed_.notify_all();
  }

  int threads_;
  host::Plugins plugins_;
  Laboratory laboratory_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Finished> finished_;
  Crew crew_;  // last: its threads use all of the above
};

}  // namespace

std::unique_ptr<Workshop> workshop_in_process(int threads) { return std::make_unique<InProcess>(threads); }

}  // namespace poslab::run
