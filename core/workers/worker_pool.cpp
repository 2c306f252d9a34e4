// SPDX-License-Identifier: Apache-2.0
#include "worker_pool.hpp"

#include <algorithm>

#include "poslab/data/mixed.hpp"

namespace poslab::workers {

WorkerPool::WorkerPool(const BackendOptions& options)
    : options_(options),
      workers_each_(std::max(1, options.workers)),
      threads_each_(std::max(1, options.threads / workers_each_)) {}

void WorkerPool::provide(const std::vector<GivenContents>& contents) {
  constexpr double copies = 4;  // as it arrives: a buffer that doubles, the message, the contents
  for (const GivenContents& one : contents) {
    given_.push_back(one);
    if (options_.memory > 0) options_.memory += copies * static_cast<double>(one.contents->size());
  }
}

const data::SchemeInfo& WorkerPool::scheme_of(const data::Cell& cell) {
  if (const std::vector<data::LayerVariant>& layers = cell.variant.layers; !layers.empty()) {
    const auto known = mixed_.find(cell.variant.scheme);
    if (known != mixed_.end()) return known->second;
    return mixed_.emplace(cell.variant.scheme, data::mixed_scheme(layers, schemes_)).first->second;
  }
  return *std::find_if(schemes_.begin(), schemes_.end(),
                       [&](const data::SchemeInfo& scheme) { return scheme.id == cell.variant.scheme; });
}

void WorkerPool::assign(CellQueue& queue) {
  std::erase(workers_, nullptr);
  while (queue.has_suspects() && has_place_for_suspect()) {
    const data::SchemeInfo& scheme = scheme_of(queue.first_suspect().cell);
    discard_idle(scheme);
    Worker& worker = add_worker(scheme);
    worker.isolated = true;
    start(worker, queue.take_suspect());
  }
  while (queue.has_waiting() && has_place_for_cell(queue)) {
    Worker& worker = worker_for(scheme_of(queue.first_waiting().cell));
    start(worker, queue.take_waiting());
  }
}

// A suspect takes the place of a whole worker with all its threads.
bool WorkerPool::has_place_for_suspect() const {
  if (one_by_one_) return busy() == 0;
  return cells_beside_suspects() <= threads_each_ * (workers_each_ - isolated() - 1);
}

bool WorkerPool::has_place_for_cell(const CellQueue& queue) const {
  if (one_by_one_ && (queue.has_suspects() || isolated() > 0)) return false;
  return cells_beside_suspects() < threads_each_ * (workers_each_ - isolated());
}

int WorkerPool::busy() const {
  return static_cast<int>(std::count_if(workers_.begin(), workers_.end(),
                                        [](const auto& worker) { return worker && worker->cells().size() > 0; }));
}

void WorkerPool::start(Worker& worker, Task task) {
  worker.provide(given_, task.cell);
  worker.start(std::move(task));
}

int WorkerPool::cells_beside_suspects() const {
  std::size_t count = 0;
  for (const auto& worker : workers_)
    if (!worker->isolated) count += worker->cells().size();
  return static_cast<int>(count);
}

int WorkerPool::isolated() const {
  return static_cast<int>(std::count_if(workers_.begin(), workers_.end(), [](const auto& worker) {
    return worker->isolated && worker->cells().size() > 0;
  }));
}

// Cells come plugin by plugin: a worker without one, of another plugin than the next cell's, will hardly get another.
void WorkerPool::discard_idle(const data::SchemeInfo& next) {
  std::erase_if(workers_, [&](const auto& worker) {
    return worker->cells().size() == 0 && (worker->isolated || !worker->serves(next));
  });
}

Worker& WorkerPool::add_worker(const data::SchemeInfo& scheme) {
  workers_.push_back(std::make_unique<Worker>(options_, threads_each_));
  workers_.back()->serve(scheme);
  return *workers_.back();
}

Worker& WorkerPool::worker_for(const data::SchemeInfo& scheme) {
  discard_idle(scheme);
  Worker* least = nullptr;  // of those with a free thread
  int of_this_plugin = 0;
  for (const auto& worker : workers_) {
    if (worker->isolated || !worker->serves(scheme)) continue;
    ++of_this_plugin;
    if (worker->cells().size() >= static_cast<std::size_t>(threads_each_)) continue;
    if (!least || worker->cells().size() < least->cells().size()) least = worker.get();
  }
  const bool may_start = of_this_plugin < workers_each_ && (!least || least->cells().size() > 0);
  return least && !may_start ? *least : add_worker(scheme);
}

Clock::duration WorkerPool::wait(int wait_ms) const {
  std::vector<process::WorkerProcess*> processes;
  for (const auto& worker : workers_)
    if (worker) processes.push_back(&worker->process());
  const auto start = Clock::now();
  process::WorkerProcess::wait_for_any(processes, wait_ms);
  return Clock::now() - start;
}

}  // namespace poslab::workers
