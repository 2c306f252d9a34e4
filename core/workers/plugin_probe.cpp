// SPDX-License-Identifier: Apache-2.0
#include "plugin_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "poslab/base/hash.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/data/mixed.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/host/elf_file.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/python.hpp"
#include "protocol.hpp"
#include "worker_exit.hpp"

namespace poslab::workers {
namespace {

constexpr int receive_ms = 100;
// Seconds for loading a library or forecasting a cell: as many as for a cell, within these limits.
constexpr double min_question = 3, max_question = 10;
constexpr double max_python_question = 120;  // PyTorch alone may take half a minute to come from a slow disk

bool is_over(Clock::time_point since, double time_limit) {
  return std::chrono::duration<double>(Clock::now() - since).count() > time_limit;
}

// Empty for what cannot be read, is no regular file or too large: the worker says why it refuses that.
std::string hash_if_readable(const std::string& path) try {
  return base::RegularFile(path).size() > host::max_library_bytes ? "" : base::sha256_of_file(path);
} catch (const base::FileError&) {
  return "";
}

// The Python file among the plugins of a scheme, if there is one.
std::filesystem::path slowest(const data::SchemeInfo& scheme) {
  for (const data::SchemeInfo& plugin : data::plugins_of(scheme))
    if (host::is_python(plugin.file)) return plugin.file;
  return scheme.file;
}

}  // namespace

PluginProbe::PluginProbe(std::function<std::unique_ptr<Worker>()> start, double cell_seconds)
    : start_(std::move(start)), cell_seconds_(cell_seconds) {}

double PluginProbe::time_limit(const std::filesystem::path& file) const {
  return std::clamp(cell_seconds_, min_question, host::is_python(file) ? max_python_question : max_question);
}

void PluginProbe::provide(const std::vector<GivenContents>& contents) {
  given_ = &contents;
  worker_.reset();  // a new one may take memory for them
}

Worker& PluginProbe::worker() {
  if (!worker_) worker_ = start_();
  return *worker_;
}

data::SchemeInfo PluginProbe::open(const std::filesystem::path& file) {
  const std::string path = std::filesystem::absolute(file).lexically_normal().string();
  if (!dangerous_.empty())
    if (const auto found = dangerous_.find(hash_if_readable(path)); found != dangerous_.end())
      throw host::PluginRefused(path, found->second + " (not loaded again: the same bytes did it before)");
  NoAnswer no_answer;
  Disturbances disturbances;
  do {
    if (const auto scheme = ask_to_open(worker(), path)) return *scheme;
    no_answer = end_worker(path);
  } while (disturbances.explain(no_answer));
  const std::string reason = "loading it ended the worker process: it " + no_answer.how;
  if (const std::string hash = hash_if_readable(path); !hash.empty()) dangerous_[hash] = reason;
  throw host::PluginRefused(path, reason);
}

// Nothing: the worker ended or took too long. Throws host::PluginRefused, process::NoProcess.
std::optional<data::SchemeInfo> PluginProbe::ask_to_open(Worker& worker, const std::string& path) {
  worker.await_ready();
  worker.ask(message::open_library, path);
  const auto since = Clock::now();
  while (!worker.process().is_gone() && !is_over(since, time_limit(path)))
    for (const process::Message& message : worker.receive(receive_ms)) {
      if (message.kind == message::lacks_process) throw process::NoProcess(message.body);
      if (message.kind == message::refuses) throw host::PluginRefused(path, message.body);
      if (message.kind != message::offers) continue;
      try {
        return data::unpack<data::SchemeInfo>(message.body);
      } catch (const data::NotPacked&) {
        worker.process().reject();
        return std::nullopt;
      }
    }
  return std::nullopt;
}

PluginProbe::NoAnswer PluginProbe::end_worker(const std::filesystem::path& file) {
  const std::unique_ptr<Worker> ended = std::move(worker_);
  const bool hangs = !ended->process().is_gone(), was_stopped = hangs && ended->process().is_stopped();
  const WorkerExit worker_exit = reap(ended->process(), hangs);
  const NoAnswer no_answer{
      hangs ? fmt::format("did not come back within {:g} s{}", time_limit(file), process::left_text(worker_exit.ended))
            : describe(worker_exit),
      !hangs && was_killed_externally(worker_exit), was_stopped};
  if (!no_answer.was_killed_externally) ended->require_was_ready(no_answer.how);
  return no_answer;
}

bool PluginProbe::Disturbances::explain(const NoAnswer& no_answer) {
  if (no_answer.was_killed_externally) return ++kills <= max_kills;
  return no_answer.was_stopped && ++stops <= max_stops;
}

std::vector<data::Forecast> PluginProbe::forecast(const std::vector<const data::Cell*>& cells,
                                                  const SchemeOf& scheme_of) {
  std::map<std::string, std::vector<std::size_t>> of_plugin;  // by file
  for (std::size_t i = 0; i < cells.size(); ++i) of_plugin[scheme_of(*cells[i]).file].push_back(i);
  std::vector<data::Forecast> all(cells.size());
  for (const auto& [file, indices] : of_plugin) {
    std::vector<const data::Cell*> its_cells;
    for (const std::size_t index : indices) its_cells.push_back(cells[index]);
    worker_.reset();
    std::vector<data::Forecast> forecasts = forecast_of(scheme_of(*its_cells.front()), its_cells);
    for (std::size_t i = 0; i < indices.size(); ++i) all[indices[i]] = std::move(forecasts[i]);
  }
  worker_.reset();
  return all;
}

std::vector<data::Forecast> PluginProbe::forecast_of(const data::SchemeInfo& scheme,
                                                     const std::vector<const data::Cell*>& cells) {
  ForecastQueue queue(cells);
  bool is_first = true;       // whether the next answer is the first of its worker
  Disturbances disturbances;  // since the last answer
  auto since = Clock::now();
  while (queue.skip_hopeless()) {
    Worker& worker = this->worker();
    if (!worker.serves(scheme)) worker.serve(scheme);
    if (!worker.is_ready()) worker.await_ready(), since = Clock::now();
    if (given_ && !given_->empty())
      for (const data::Cell* cell : cells) worker.provide(*given_, *cell);
    while (const auto question = queue.next_question()) worker.ask(message::ask_forecast, *question);
    for (const process::Message& message : worker.receive(receive_ms)) try {
        if (message.kind != message::forecasts || !queue.take_answer(message.body)) continue;
        is_first = false;
        disturbances = {};
        since = Clock::now();
      } catch (const data::NotPacked&) {
        worker.process().reject();
        break;
      }
    if (!worker.process().is_gone() && !is_over(since, time_limit(slowest(scheme)))) continue;
    // The first cell without an answer has ended the worker, or, if the worker had answered before, an earlier one may
    // have. What was done to it from outside says nothing about any of them.
    const NoAnswer no_answer = end_worker(slowest(scheme));
    const bool was_disturbed = no_answer.was_killed_externally || no_answer.was_stopped;
    const bool is_cause = was_disturbed ? !disturbances.explain(no_answer) : is_first;
    if (is_cause) queue.give_up_first(), disturbances = {};
    queue.ask_again();
    is_first = true;
    since = Clock::now();
  }
  return queue.take_forecasts();
}

}  // namespace poslab::workers
