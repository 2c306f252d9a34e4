// SPDX-License-Identifier: Apache-2.0
// `poslab status`: how far runs are, as their journals say. A results file stands for its journal, and for its shards'.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "poslab/app/commands.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/status_text.hpp"
#include "poslab/base/error.hpp"

namespace poslab::app {
namespace {

std::vector<LookedWay> look_at(const std::vector<Way>& ways) {
  std::vector<LookedWay> all;
  for (const Way& way : ways) {
    all.push_back({way, {}, {}});
    for (const auto& journal : way.journals) {
      try {
        all.back().looked.push_back({journal.string(), run::status_of_journal(journal)});
      } catch (const base::Error& problem) {
        std::fputs(fmt::format("poslab: {}\n", problem.what()).c_str(), stderr);
        all.back().unreadable.push_back(journal.string());
      }
    }
  }
  return all;
}

}  // namespace

int status_command(const std::vector<std::string>& arguments) {
  Options options("status");
  options.add()("json", "as JSON");
  options.positional("FILE", 1, std::numeric_limits<std::size_t>::max());
  const auto values = options.parse(arguments);
  const std::vector<LookedWay> all = look_at(ways_of(values["FILE"].as<std::vector<std::string>>()));
  if (std::any_of(all.begin(), all.end(), [](const LookedWay& one) { return !one.looked.empty(); }))
    std::fputs((values.count("json") > 0 ? status_json(all) : status_text(all)).c_str(), stdout);
  if (std::any_of(all.begin(), all.end(), [](const LookedWay& one) { return !one.unreadable.empty(); }))
    return wrong_input;
  const CellCounts sum = counts_of(all);
  if (!sum.complete) return unfinished;
  return sum.failed + sum.crashed + sum.timeout > 0 ? cells_failed : all_well;
}

}  // namespace poslab::app
