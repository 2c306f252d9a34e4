// SPDX-License-Identifier: Apache-2.0
#include "questions.hpp"

#include <fmt/format.h>

#include "blame.hpp"
#include "messages.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/pack.hpp"

namespace poslab::run {
namespace {

constexpr std::size_t most_ahead = 256;   // questions that are sent before they are answered
constexpr int most_dead_by_forecast = 3;  // of one plugin; its other cells are not asked about

bool is_over(Clock::time_point since, double patience) {
  return std::chrono::duration<double>(Clock::now() - since).count() > patience;
}

}  // namespace

base::SchemeInfo Questions::open(const std::filesystem::path& file) {
  const std::string path = std::filesystem::absolute(file).lexically_normal().string();
  const auto hash = [&] { return base::sha256_of_file(path); };
  if (!dangerous_.empty())
    if (const auto known = dangerous_.find(hash()); known != dangerous_.end())
      throw host::PluginRefused(path, known->second + " (not loaded again: the same bytes did it before)");
  std::string manner;
  bool innocent = true;
  for (int kills = 0; innocent && kills <= most_kills;) {
    Worker& worker = worker_();
    const bool fresh = worker.is_fresh();
    worker.ask(message::open_library, path);
    const auto since = Clock::now();
    while (!worker.partner().is_gone() && !is_over(since, patience_))
      for (const process::Message& message : worker.listen(100)) {
        if (message.kind == message::refuses) throw host::PluginRefused(path, message.body);
        if (message.kind == message::offers) try {
            return base::unpack_scheme(message.body);
          } catch (const base::NotPacked&) {
            worker.partner().distrust();
            break;
          }
      }
    const bool hangs = !worker.partner().is_gone();
    const process::Ended& ended = worker.partner().end(hangs);
    const bool killed = !hangs && was_killed_by_others(worker.partner(), ended);
    kills += killed ? 1 : 0;
    innocent = killed || !fresh;  // one that was loaded before may have ended it only now
    manner = hangs ? fmt::format("did not come back within {:g} s", patience_) : manner_of(worker.partner(), ended);
    if (!killed) worker.require_begun(manner);
    bury_();
  }
  const std::string reason = "loading it ended the worker process: it " + manner;
  dangerous_[hash()] = reason;
  throw host::PluginRefused(path, reason);
}

std::vector<spec::Forecast> Questions::forecast(const std::vector<const base::Cell*>& cells, const HashOf& hash_of) {
  std::vector<spec::Forecast> answers(cells.size());
  std::map<std::string, int> deaths;
  std::size_t answered = 0, asked = 0;
  bool first = !cells.empty() && worker_().is_fresh();  // whether the next answer is the first of its worker
  int kills = 0;                                        // from outside, since the last answer
  auto since = Clock::now();
  const auto is_hopeless = [&](std::size_t i) {
    return !deaths.empty() && deaths[hash_of(*cells[i])] >= most_dead_by_forecast;
  };
  while (answered < cells.size()) {
    if (is_hopeless(answered) && asked <= answered) {
      asked = ++answered;
      continue;
    }
    Worker& worker = worker_();
    for (; asked < cells.size() && asked < answered + most_ahead && !is_hopeless(asked); ++asked)
      worker.ask(message::ask_forecast, message::numbered(asked, base::pack(*cells[asked])));
    for (const process::Message& message : worker.listen(100)) try {
        std::string_view body = message.body;
        if (message.kind != message::forecasts || message::take_number(body) != answered) continue;
        answers[answered++] = message::unpack_forecast(body);
        first = false;
        kills = 0;
        since = Clock::now();
      } catch (const base::NotPacked&) {
        worker.partner().distrust();
        break;
      }
    if (!worker.partner().is_gone() && !is_over(since, patience_)) continue;
    // They are answered in order: the first without an answer has ended the worker, or, if it was not the worker's first,
    // one before it may have. One that was killed from outside says nothing about them.
    const bool hangs = !worker.partner().is_gone();
    const process::Ended& ended = worker.partner().end(hangs);
    const bool killed = !hangs && was_killed_by_others(worker.partner(), ended);
    if (!killed) worker.require_begun(hangs ? "did nothing for a while" : manner_of(worker.partner(), ended));
    bury_();
    if (killed ? ++kills > most_kills : first) ++deaths[hash_of(*cells[answered])], ++answered, kills = 0;
    asked = answered;
    first = true;
    since = Clock::now();
  }
  return answers;
}

}  // namespace poslab::run
