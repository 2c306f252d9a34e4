// SPDX-License-Identifier: Apache-2.0
#include "worker_pool.hpp"

#include <algorithm>

namespace poslab::workers {
namespace {

std::size_t load_of(const std::unique_ptr<Worker>& worker) { return worker ? worker->cells().size() : 0; }

}  // namespace

WorkerPool::WorkerPool(const BackendOptions& options)
    : options_(options),
      threads_each_(std::max(1, options.threads / std::max(1, options.workers))),
      workers_(static_cast<std::size_t>(options.workers)) {}

void WorkerPool::know(const std::vector<data::SchemeInfo>& schemes) {
  schemes_ = schemes;
  for (const auto& worker : workers_)
    for (const data::SchemeInfo& scheme : schemes_)
      if (worker) worker->know(scheme);
}

const data::SchemeInfo& WorkerPool::scheme_of(const data::Cell& cell) const {
  return *std::find_if(schemes_.begin(), schemes_.end(),
                       [&](const data::SchemeInfo& scheme) { return scheme.id == cell.variant.scheme; });
}

Worker& WorkerPool::running(std::unique_ptr<Worker>& worker) {
  if (!worker) worker = std::make_unique<Worker>(options_, threads_each_, schemes_);
  return *worker;
}

void WorkerPool::assign(CellQueue& queue) {
  assign_suspects(queue);
  while (queue.has_waiting()) {
    std::unique_ptr<Worker>* worker = least_busy();
    if (!worker) return;
    running(*worker).start(queue.take_waiting());
  }
}

void WorkerPool::assign_suspects(CellQueue& queue) {
  for (auto& worker : workers_) {
    if (!queue.has_suspects()) return;
    if (load_of(worker) > 0) continue;
    worker.reset();
    running(worker).isolated = true;
    worker->start(queue.take_suspect());
  }
}

std::unique_ptr<Worker>* WorkerPool::least_busy() {
  std::unique_ptr<Worker>* least = nullptr;
  for (auto& worker : workers_) {
    const bool is_full = load_of(worker) >= static_cast<std::size_t>(threads_each_);
    if (is_full || (worker && worker->isolated)) continue;
    if (!least || load_of(worker) < load_of(*least)) least = &worker;
  }
  return least;
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
