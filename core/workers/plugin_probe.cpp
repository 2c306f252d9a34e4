// SPDX-License-Identifier: Apache-2.0
#include "plugin_probe.hpp"

#include <fmt/format.h>

#include "forecast_queue.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/host/library.hpp"
#include "protocol.hpp"
#include "worker_exit.hpp"

namespace poslab::workers {
namespace {

constexpr int receive_ms = 100;

bool is_over(Clock::time_point since, double time_limit) {
  return std::chrono::duration<double>(Clock::now() - since).count() > time_limit;
}

// Empty for what cannot be read or is no regular file: the worker says why it refuses that.
std::string hash_if_readable(const std::string& path) try {
  return base::sha256_of_file(path);
} catch (const base::FileError&) {
  return "";
}

}  // namespace

data::SchemeInfo PluginProbe::open(const std::filesystem::path& file) {
  const std::string path = std::filesystem::absolute(file).lexically_normal().string();
  if (!dangerous_.empty())
    if (const auto found = dangerous_.find(hash_if_readable(path)); found != dangerous_.end())
      throw host::PluginRefused(path, found->second + " (not loaded again: the same bytes did it before)");
  std::string how;
  bool is_cause = false;
  for (int kills = 0; !is_cause && kills <= most_kills;) {
    Worker& worker = worker_();
    const bool was_fresh = worker.is_fresh();
    if (const auto scheme = ask_to_open(worker, path)) return *scheme;
    const NoAnswer no_answer = end_worker(worker);
    kills += no_answer.killed_externally ? 1 : 0;
    is_cause = !no_answer.killed_externally && was_fresh;  // otherwise a library loaded earlier may be the cause
    how = no_answer.how;
  }
  const std::string reason = "loading it ended the worker process: it " + how;
  if (const std::string hash = hash_if_readable(path); !hash.empty()) dangerous_[hash] = reason;
  throw host::PluginRefused(path, reason);
}

// Nothing: the worker ended or took too long. Throws host::PluginRefused.
std::optional<data::SchemeInfo> PluginProbe::ask_to_open(Worker& worker, const std::string& path) {
  worker.await_ready();
  worker.ask(message::open_library, path);
  const auto since = Clock::now();
  while (!worker.process().is_gone() && !is_over(since, time_limit_))
    for (const process::Message& message : worker.receive(receive_ms)) {
      if (message.kind == message::refuses) {
        discard_();  // its constructors may have run, and changed the process for those that come after it
        throw host::PluginRefused(path, message.body);
      }
      if (message.kind != message::offers) continue;
      try {
        return data::unpack_scheme(message.body);
      } catch (const data::NotPacked&) {
        worker.process().reject();
        return std::nullopt;
      }
    }
  return std::nullopt;
}

PluginProbe::NoAnswer PluginProbe::end_worker(Worker& worker) {
  const bool hangs = !worker.process().is_gone();
  const WorkerExit worker_exit = reap(worker.process(), hangs);
  const NoAnswer no_answer{
      hangs ? fmt::format("did not come back within {:g} s{}", time_limit_, process::left_text(worker_exit.ended))
            : describe(worker_exit),
      !hangs && was_killed_externally(worker_exit)};
  if (!no_answer.killed_externally) worker.require_was_ready(no_answer.how);
  discard_();
  return no_answer;
}

std::vector<data::Forecast> PluginProbe::forecast(const std::vector<const data::Cell*>& cells,
                                                  const SchemeOf& scheme_of) {
  std::map<std::string, std::vector<std::size_t>> of_plugin;  // by file
  for (std::size_t i = 0; i < cells.size(); ++i) of_plugin[scheme_of(*cells[i]).file].push_back(i);
  std::vector<data::Forecast> all(cells.size());
  for (const auto& [file, indices] : of_plugin) {
    std::vector<const data::Cell*> its_cells;
    for (const std::size_t index : indices) its_cells.push_back(cells[index]);
    discard_();
    std::vector<data::Forecast> forecasts = forecast_of(scheme_of(*its_cells.front()), its_cells);
    for (std::size_t i = 0; i < indices.size(); ++i) all[indices[i]] = std::move(forecasts[i]);
  }
  discard_();
  return all;
}

Worker& PluginProbe::worker_of(const data::SchemeInfo& scheme) {
  Worker& worker = worker_();
  if (!worker.serves(scheme)) worker.serve(scheme);
  return worker;
}

std::vector<data::Forecast> PluginProbe::forecast_of(const data::SchemeInfo& scheme,
                                                     const std::vector<const data::Cell*>& cells) {
  ForecastQueue queue(cells);
  bool is_first = true;  // whether the next answer is the first of its worker
  int kills = 0;         // from outside, since the last answer
  auto since = Clock::now();
  while (queue.skip_hopeless()) {
    Worker& worker = worker_of(scheme);
    if (!worker.is_ready()) worker.await_ready(), since = Clock::now();
    if (given_ && !given_->empty())
      for (const data::Cell* cell : cells) worker.give(*given_, *cell);
    while (const auto question = queue.next_question()) worker.ask(message::ask_forecast, *question);
    for (const process::Message& message : worker.receive(receive_ms)) try {
        if (message.kind != message::forecasts || !queue.take_answer(message.body)) continue;
        is_first = false;
        kills = 0;
        since = Clock::now();
      } catch (const data::NotPacked&) {
        worker.process().reject();
        break;
      }
    if (!worker.process().is_gone() && !is_over(since, time_limit_)) continue;
    // The first cell without an answer has ended the worker, or, if the worker had answered before, an earlier one may
    // have. A kill from outside says nothing about any of them.
    const bool is_cause = end_worker(worker).killed_externally ? ++kills > most_kills : is_first;
    if (is_cause) queue.give_up_first(), kills = 0;
    queue.ask_again();
    is_first = true;
    since = Clock::now();
  }
  return queue.take_forecasts();
}

}  // namespace poslab::workers
