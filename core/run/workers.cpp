// SPDX-License-Identifier: Apache-2.0
// The workshop in worker processes. A worker that dies takes nobody with it: the cells that were in its hands become
// suspects, and each is performed once more in a new worker with nothing beside it. One that ends that worker, too, is
// guilty; the others are innocent and succeed. So it goes with one that does not come back: what stops a whole process
// need not be the cell that is late.
#include "workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "blame.hpp"
#include "messages.hpp"
#include "poslab/base/pack.hpp"
#include "questions.hpp"
#include "worker.hpp"

namespace poslab::run {
namespace {

// Seconds for loading a library or forecasting a cell: as many as for a cell, within these.
constexpr double shortest_question = 3, longest_question = 10;
constexpr int longest_wait_ms = 100;  // between two looks at clocks and processes
// Longer between two looks: this process stood still, and its workers, perhaps, with it (Slurm suspends jobs so).
constexpr std::chrono::seconds longest_look_away{10};

class Workers : public Workshop {
 public:
  explicit Workers(const WorkshopOptions& options)
      : options_(options),
        threads_each_(std::max(1, options.threads / std::max(1, options.workers))),
        workers_(static_cast<std::size_t>(options.workers)),
        questions_([this]() -> Worker& { return standing(workers_.front()); }, [this] { workers_.front().reset(); },
                   std::clamp(options.cell_seconds, shortest_question, longest_question)) {}

  base::SchemeInfo open(const std::filesystem::path& file) override { return questions_.open(file); }
  std::vector<spec::Forecast> forecast(const std::vector<const base::Cell*>& cells) override {
    return questions_.forecast(cells, [this](const base::Cell& cell) { return scheme_of(cell).file_hash; });
  }
  void know(const std::vector<base::SchemeInfo>& schemes) override {
    known_ = schemes;
    for (const auto& worker : workers_)
      for (const base::SchemeInfo& scheme : known_)
        if (worker) worker->know(scheme);
  }

  int places() const override { return threads_each_ * static_cast<int>(workers_.size()); }
  void start(std::size_t index, const base::Cell& cell) override {
    const std::string reason = blame_.why_not(scheme_of(cell));
    if (reason.empty())
      waiting_.push_back({index, cell, 0});
    else
      pass_over(index, reason);
    give_out();
  }
  std::vector<Finished> wait() override {
    give_out();
    if (finished_.empty()) hear();
    return std::exchange(finished_, {});
  }
  std::vector<SetAside> set_aside() const override { return blame_.set_aside(); }

 private:
  Worker& standing(std::unique_ptr<Worker>& worker) {
    if (!worker) worker = std::make_unique<Worker>(options_, threads_each_, known_);
    return *worker;
  }

  const base::SchemeInfo& scheme_of(const base::Cell& cell) const {
    return *std::find_if(known_.begin(), known_.end(), [&](const auto& s) { return s.id == cell.variant.scheme; });
  }

  // Suspects first, each alone in a worker that has done nothing else; the others to the worker with the least to do.
  void give_out() {
    for (auto& worker : workers_) {
      if (suspects_.empty() || (worker && worker->load() > 0)) continue;
      worker.reset();
      standing(worker).on_trial = true;
      worker->give(std::move(suspects_.front()));
      suspects_.pop_front();
    }
    while (!waiting_.empty()) {
      std::unique_ptr<Worker>* least = nullptr;
      for (auto& worker : workers_) {
        if (worker && (worker->on_trial || worker->load() >= static_cast<std::size_t>(threads_each_))) continue;
        if (!least || load(worker) < load(*least)) least = &worker;
      }
      if (!least) return;
      standing(*least).give(std::move(waiting_.front()));
      waiting_.pop_front();
    }
  }

  static std::size_t load(const std::unique_ptr<Worker>& worker) { return worker ? worker->load() : 0; }

  void hear() {
    std::vector<process::Partner*> partners;
    for (const auto& worker : workers_)
      if (worker) partners.push_back(&worker->partner());
    const auto looked = Clock::now();
    process::Partner::wait_for_any(partners, longest_wait_ms);
    const auto away = Clock::now() - looked;
    for (auto& worker : workers_) {
      if (!worker) continue;
      for (const process::Message& message : worker->listen(0))
        if (!take_up(*worker, message)) break;
      if (away > longest_look_away) worker->excuse(away);
      if (worker->partner().is_gone())
        bury(worker);
      else if (const auto late = worker->overdue(options_.cell_seconds); !late.empty())
        give_up(worker, late);
    }
  }

  // Whether it made sense; if not, nothing that comes after it is believed.
  bool take_up(Worker& worker, const process::Message& message) {
    std::string_view body = message.body;
    try {
      const std::uint64_t index = message::take_number(body);
      if (message.kind == message::started) return worker.note_begun(index), true;
      if (message.kind != message::done && message.kind != message::wants_memory) return true;
      base::Outcome outcome = base::unpack_outcome(body);
      const bool was_alone = worker.is_fresh() && worker.load() == 1;
      std::optional<Task> task = worker.take(index);
      if (!task) return true;
      worker.on_trial = false;
      if (message.kind == message::wants_memory && !was_alone)
        suspects_.push_back(std::move(*task));
      else
        finished_.push_back({index, std::move(outcome), true});
      return true;
    } catch (const base::NotPacked&) {
      worker.partner().distrust();
      return false;
    }
  }

  void bury(std::unique_ptr<Worker>& worker) {
    const process::Ended& ended = worker->partner().end();
    const std::string manner = manner_of(worker->partner(), ended);
    const bool killed = was_killed_by_others(worker->partner(), ended);
    if (!killed) worker->require_begun(manner);
    const bool fresh = worker->is_fresh();
    std::vector<Task> tasks = worker->take_all();
    worker.reset();
    const bool alone = tasks.size() == 1 && fresh;
    for (Task& task : tasks) {
      if (killed ? ++task.kills > most_kills : alone)
        convict(task, base::Status::crashed,
                killed ? manner + "; was it too much memory, or did somebody kill it?" : manner);
      else
        suspects_.push_back(std::move(task));
    }
  }

  // A cell that has begun may have stopped the process, and one that could not begin may wait for what another took away.
  void give_up(std::unique_ptr<Worker>& worker, std::vector<std::size_t> suspected) {
    for (const std::size_t index : worker->begun()) suspected.push_back(index);
    const bool fresh = worker->is_fresh();
    worker->partner().end(true);
    worker->require_begun(fmt::format("did nothing for {:g} s", options_.cell_seconds));
    std::vector<Task> tasks = worker->take_all();
    worker.reset();
    const bool alone = tasks.size() == 1 && fresh;
    for (Task& task : tasks)
      if (alone)
        convict(task, base::Status::timeout,
                fmt::format("did not come back within {:g} s (--cell-time)", options_.cell_seconds));
      else if (std::find(suspected.begin(), suspected.end(), task.index) != suspected.end())
        suspects_.push_back(std::move(task));
      else
        waiting_.push_front(std::move(task));
  }

  void convict(const Task& task, base::Status status, const std::string& manner) {
    const base::SchemeInfo& scheme = scheme_of(task.cell);
    base::Outcome outcome;
    outcome.status = status;
    outcome.message = fmt::format("plugin {} ({}) {}", scheme.id, scheme.file, manner);
    finished_.push_back({task.index, std::move(outcome), true});
    blame_.note(scheme);
    const std::string reason = blame_.why_not(scheme);
    if (reason.empty()) return;
    for (std::deque<Task>* tasks : {&waiting_, &suspects_}) {
      const auto its = std::stable_partition(tasks->begin(), tasks->end(), [&](const Task& other) {
        return scheme_of(other.cell).file_hash != scheme.file_hash;
      });
      for (auto other = its; other != tasks->end(); ++other) pass_over(other->index, reason);
      tasks->erase(its, tasks->end());
    }
  }

  void pass_over(std::size_t index, const std::string& reason) {
    base::Outcome outcome;
    outcome.status = base::Status::failed;
    outcome.message = reason;
    finished_.push_back({index, std::move(outcome), false});
  }

  const WorkshopOptions options_;
  const int threads_each_;
  std::vector<base::SchemeInfo> known_;
  std::vector<std::unique_ptr<Worker>> workers_;  // null: not started, or dead and not yet needed again
  std::deque<Task> waiting_, suspects_;
  std::vector<Finished> finished_;
  Blame blame_;
  Questions questions_;
};

}  // namespace

std::unique_ptr<Workshop> workshop_of_workers(const WorkshopOptions& options) {
  return std::make_unique<Workers>(options);
}

}  // namespace poslab::run
