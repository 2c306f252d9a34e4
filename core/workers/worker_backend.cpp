// SPDX-License-Identifier: Apache-2.0
// The backend in worker processes. When a worker dies, the cells that it had become suspects, and each is performed
// again, alone in a new worker. A cell that ends that worker, too, is recorded as crashed; the others succeed. The same
// happens when a worker is ended because a cell is late: what stopped the whole process need not be the late cell.
#include "backends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "plugin_probe.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/process/family.hpp"
#include "poslab/workers/cell_runner.hpp"
#include "protocol.hpp"
#include "worker_exit.hpp"
#include "worker_pool.hpp"

namespace poslab::workers {
namespace {

constexpr int max_false_starts = 3;
constexpr int max_wait_ms = 100;  // between two looks at clocks and processes
// A longer wait means that this process was stopped, and perhaps its workers with it, as when Slurm suspends a job.
constexpr std::chrono::seconds max_pause{10};
constexpr std::chrono::milliseconds between_weighings{250};  // of what workers have in memory
// For cells that were interrupted to come to the end of a step and keep a checkpoint.
constexpr std::chrono::milliseconds max_interruption{1200};

class WorkerBackend : public Backend {
 public:
  explicit WorkerBackend(const BackendOptions& options)
      : cell_seconds_(options.cell_seconds),
        pool_(options),
        probe_([this] { return pool_.new_probe(); }, options.cell_seconds) {}

  data::SchemeInfo open(const std::filesystem::path& file) override { return probe_.open(file); }
  std::vector<data::Forecast> forecast(const std::vector<const data::Cell*>& cells) override {
    return probe_.forecast(cells,
                           [this](const data::Cell& cell) -> const data::SchemeInfo& { return pool_.scheme_of(cell); });
  }
  void register_schemes(const std::vector<data::SchemeInfo>& schemes) override { pool_.register_schemes(schemes); }
  void provide(const std::vector<GivenContents>& contents) override {
    pool_.provide(contents);
    probe_.provide(pool_.given());
  }

  int slots() const override { return pool_.slots(); }
  void start(std::size_t index, const data::Cell& cell, data::CheckpointPointer checkpoint) override {
    const std::string reason = quarantine_.reason(pool_.scheme_of(cell));
    if (reason.empty())
      queue_.add({index, cell, std::move(checkpoint)});
    else
      cancel(index, reason);
    pool_.assign(queue_);
  }
  std::vector<Finished> wait() override {
    pool_.assign(queue_);
    if (finished_.empty()) look_after_workers();
    return std::exchange(finished_, {});
  }
  std::vector<ProgressReport> progress_reports() override { return std::exchange(reports_, {}); }
  void interrupt() override {
    interrupted_at_ = Clock::now();
    for (auto& worker : pool_.workers())
      if (worker) worker->interrupt();
    // Those that wait, among them suspects, would each need a worker and their whole time.
    for (const std::size_t index : queue_.remove_if([](const data::Cell&) { return true; })) end_interrupted(index);
  }
  std::vector<QuarantinedPlugin> quarantined() const override { return quarantine_.quarantined(); }

 private:
  void look_after_workers() {
    const Clock::duration waited = pool_.wait(max_wait_ms);
    for (auto& worker : pool_.workers()) {
      if (!worker) continue;
      receive_from(*worker);
      if (waited > max_pause) worker->cells().postpone(waited);
      worker->look_for_stop(Clock::now());
      worker->require_ready_in_time();
      if (worker->process().is_gone())
        handle_exit(worker);
      else if (!worker->is_ready())
        continue;
      else if (is_interrupted_too_long() && worker->cells().are_long())
        end_cells(worker);
      else if (const auto late = worker->cells().overdue(cell_seconds_, Clock::now()); !late.empty())
        handle_overdue(worker, late);
    }
    if (Clock::now() - weighed_at_ < between_weighings) return;
    weigh_all();
    weighed_at_ = Clock::now();
  }

  // A limit of the system stops a process that asks for too much, but leaves out what it shares and what it starts.
  void weigh_all() {
    const double most = pool_.max_memory();
    if (most == 0 || end_heavy(process::Orphans::left_out, most)) return;
    end_heavy(process::Orphans::counted, most);
  }

  // An orphan may be any worker's: those that are heavy with it are all weighed before it is ended with one of them,
  // and while several have cells none is convicted. Their cells are performed again one after the other.
  bool end_heavy(process::Orphans below, double most) {
    std::vector<std::pair<std::unique_ptr<Worker>*, double>> heavy;
    for (auto& worker : pool_.workers())
      if (const double taken = worker ? process::memory_of_family(worker->process().id(), below, most) : 0;
          taken > most)
        heavy.emplace_back(&worker, taken);
    const bool is_sure = below == process::Orphans::left_out || pool_.busy() <= 1;
    if (!is_sure && !heavy.empty()) pool_.perform_suspects_one_by_one();
    for (const auto& [worker, taken] : heavy) end_heavy(*worker, is_sure, taken, most);
    return !heavy.empty();
  }

  void end_heavy(std::unique_ptr<Worker>& worker, bool is_sure, double taken, double most) {
    reap(worker->process(), true);
    const bool was_alone = is_sure && worker->is_fresh() && worker->cells().size() == 1;
    std::vector<Task> tasks = worker->cells().remove_all();
    worker.reset();
    for (Task& task : tasks)
      if (was_alone)
        fail(task, data::Status::failed,
             fmt::format("and what it started took {}, and {} may be taken (--memory): not enough memory",
                         base::human_bytes(taken), base::human_bytes(most)));
      else
        suspect(std::move(task));
  }

  void receive_from(Worker& worker) try {
    for (const process::Message& message : worker.receive(0)) handle(worker, message);
  } catch (const data::NotPacked&) {
    worker.process().reject();
  }

  // Throws data::NotPacked for a message that makes no sense.
  void handle(Worker& worker, const process::Message& message) {
    std::string_view body = message.body;
    const std::uint64_t index = message::take_number(body);
    if (message.kind == message::started) return worker.cells().mark_started(index, Clock::now());
    if (message.kind == message::progressed) return progressed(worker, {index, message::unpack_progress(body)});
    if (message.kind == message::interrupted) {
      if (worker.finish(index)) end_interrupted(index);
      return;
    }
    if (message.kind == message::kept) return kept(worker, index, message::unpack_checkpoint(body));
    const bool has_outcome =
        message.kind == message::done || message.kind == message::lacks_memory || message.kind == message::lost_process;
    if (!has_outcome) return;
    data::PackedOutcome outcome{std::string(body)};
    const bool was_alone = worker.is_fresh() && worker.cells().size() == 1;
    std::optional<Task> task = worker.finish(index);
    if (!task) return;
    worker.isolated = false;
    if (message.kind == message::lacks_memory && !was_alone)
      suspect(std::move(*task));
    else if (message.kind == message::lost_process && ++task->losses <= max_losses)
      suspect(std::move(*task));
    else if (message.kind == message::lost_process)
      finished_.push_back({index, data::PackedOutcome(tried_twice(data::unpack<data::Outcome>(body)))});
    else
      finished_.push_back({index, std::move(outcome)});
  }

  void end_interrupted(std::size_t index) { finished_.push_back({index, {}, Finished::How::interrupted}); }

  bool is_interrupted_too_long() const { return interrupted_at_ && Clock::now() - *interrupted_at_ > max_interruption; }

  // They go on from what they have kept last.
  void end_cells(std::unique_ptr<Worker>& worker) {
    reap(worker->process(), true);
    for (const Task& task : worker->cells().remove_all()) end_interrupted(task.index);
    worker.reset();
  }

  // To be tried again, alone; nobody waits for that after an interruption.
  void suspect(Task task) {
    if (interrupted_at_)
      end_interrupted(task.index);
    else
      queue_.add_suspect(std::move(task));
  }

  void progressed(Worker& worker, ProgressReport report) {
    if (worker.cells().mark_progress(report.index, report.progress, Clock::now()))
      reports_.push_back(std::move(report));
  }

  void kept(Worker& worker, std::size_t index, data::Checkpoint unpacked) {
    const auto checkpoint = std::make_shared<const data::Checkpoint>(std::move(unpacked));
    worker.cells().keep(index, checkpoint);
    progressed(worker, {index, checkpoint->progress, checkpoint});
  }

  void handle_exit(std::unique_ptr<Worker>& worker) {
    const WorkerExit worker_exit = reap(worker->process());
    const std::string how = describe(worker_exit), kernel = worker->memory_kills();
    const bool killed = was_killed_externally(worker_exit);
    if (!killed) worker->require_was_ready(how);
    const bool was_fresh = worker->is_fresh();
    std::vector<Task> tasks = worker->cells().remove_all();
    worker.reset();
    const bool is_cause = tasks.size() == 1 && was_fresh;
    for (Task& task : tasks)
      if (killed ? ++task.kills > max_kills : is_cause)
        fail(task, data::Status::crashed,
             killed ? fmt::format("{}; poslab did not send that signal, and {}", how, kernel) : how,
             killed ? Blame::nobody : Blame::plugin);
      else
        suspect(std::move(task));
  }

  // Any cell that has started may have stopped the process, and a late one that has not started may wait for what
  // another has taken. One that was alone and was never begun is not the cause: the machine is. A process that is
  // stopped when its time is over may have been stopped by somebody: its cell has another attempt, once.
  void handle_overdue(std::unique_ptr<Worker>& worker, std::vector<std::size_t> suspects) {
    for (const std::size_t index : worker->cells().started()) suspects.push_back(index);
    const bool was_stopped = worker->is_stopped();
    const std::string left = process::left_text(reap(worker->process(), true).ended);
    const bool was_fresh = worker->is_fresh(), was_begun = !worker->cells().started().empty();
    const std::string said = worker->cells().said(suspects.front());
    std::vector<Task> tasks = worker->cells().remove_all();
    worker.reset();
    const bool is_cause = tasks.size() == 1 && was_fresh;
    for (Task& task : tasks)
      if (is_cause && !was_begun)
        begin_again(std::move(task));
      else if (is_cause && was_stopped && ++task.stops <= max_stops)
        suspect(std::move(task));
      else if (is_cause)
        fail(task, data::Status::timeout, late_text(said) + left);
      else if (std::find(suspects.begin(), suspects.end(), task.index) != suspects.end())
        suspect(std::move(task));
      else
        queue_.add_first(std::move(task));
  }

  std::string late_text(const std::string& said) const {
    if (said.empty()) return fmt::format("did not come back within {:g} s (--cell-time)", cell_seconds_);
    return fmt::format("made no progress for {:g} s (--cell-time); it had said: {}", cell_seconds_, said);
  }

  void begin_again(Task task) {
    if (++task.false_starts > max_false_starts)
      throw process::NoProcess(
          fmt::format("{} workers that had one cell each did not begin with it within {:g} s (twice --cell-time)",
                      task.false_starts, 2 * cell_seconds_));
    suspect(std::move(task));
  }

  enum class Blame { plugin, nobody };  // nobody: somebody outside has ended the worker, again and again

  // Also cancels what is left of the plugin, if these were too many: rows of several schemes that have it, too.
  void fail(const Task& task, data::Status status, const std::string& how, Blame blame = Blame::plugin) {
    const data::SchemeInfo& scheme = pool_.scheme_of(task.cell);
    finished_.push_back(
        {task.index, data::PackedOutcome({status, fmt::format("plugin{} {} ({}) {}", scheme.parts.size() > 1 ? "s" : "",
                                                              scheme.id, scheme.file, how)})});
    if (blame == Blame::nobody) return;
    quarantine_.count_crash(scheme);
    const std::string reason = quarantine_.reason(scheme);
    if (reason.empty()) return;
    const auto is_quarantined = [&](const data::Cell& cell) {
      return !quarantine_.reason(pool_.scheme_of(cell)).empty();
    };
    for (const std::size_t index : queue_.remove_if(is_quarantined)) cancel(index, reason);
  }

  void cancel(std::size_t index, const std::string& reason) {
    finished_.push_back({index, data::PackedOutcome({data::Status::failed, reason}), Finished::How::cancelled});
  }

  const double cell_seconds_;
  std::optional<Clock::time_point> interrupted_at_;
  Clock::time_point weighed_at_ = Clock::now();
  WorkerPool pool_;
  CellQueue queue_;
  std::vector<Finished> finished_;
  std::vector<ProgressReport> reports_;
  PluginQuarantine quarantine_;
  PluginProbe probe_;
};

}  // namespace

std::unique_ptr<Backend> worker_backend(const BackendOptions& options) {
  return std::make_unique<WorkerBackend>(options);
}

}  // namespace poslab::workers
