// SPDX-License-Identifier: Apache-2.0
// What every task can be asked; the list itself is made by CMake.
#include <fmt/format.h>

#include "poslab/base/find_by.hpp"
#include "poslab/base/text.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

Sequence Task::probe(std::size_t which, const base::Stream& /*draws*/, std::uint64_t /*i*/, Index /*size*/) const {
  throw no_such_instance("probes of a task", which, 0);
}

void Task::require(Index size) const {
  if (const auto refusal = why_not(size)) throw base::Error(base::Error::Kind::argument, refusal->reason);
}

const TaskInfo& find_task(const std::string& id) {
  const std::vector<TaskInfo>& all = all_tasks();
  if (const TaskInfo* found = base::find_by(all, &TaskInfo::id, id)) return *found;
  std::vector<std::string> ids;
  for (const TaskInfo& info : all) ids.push_back(info.id);
  throw base::Error(base::Error::Kind::argument, fmt::format("there is no task \"{}\"{}; the tasks are {}", id,
                                                             base::did_you_mean(id, ids), base::enumerate(ids)));
}

base::Error no_such_instance(const std::string& of_what, std::uint64_t i, std::uint64_t count) {
  return base::Error(fmt::format("{}: number {} is asked for, but there are {}, counted from 0", of_what, i, count));
}

BadFile::BadFile(const std::string& file, const std::string& problem_, const std::string& wanted)
    : Error(Kind::file, fmt::format("the {} file {}; give {} with --data {}=FILE", file, problem_, wanted, file)),
      problem(problem_) {}

}  // namespace poslab::tasks
