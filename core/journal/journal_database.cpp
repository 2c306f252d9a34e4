// SPDX-License-Identifier: Apache-2.0
#include "journal_database.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "builds_table.hpp"
#include "journal_format.hpp"
#include "poslab/base/find_by.hpp"

namespace poslab::journal {

JournalDatabase::JournalDatabase(std::unique_ptr<sqlite::Connection> connection,
                                 const std::unordered_map<std::string, KnownCell>& known)
    : connection_(std::move(connection)),
      next_(pragma(*connection_, "SELECT coalesce(max(number), 0) + 1 FROM cells")),
      insert_(*connection_, insert_row()),
      remove_(*connection_, "DELETE FROM cells WHERE number = :number"),
      count_(*connection_, count_cells),
      select_outcome_(*connection_, "SELECT outcome FROM cells WHERE number = :number AND id = :id"),
      select_machine_(*connection_, "SELECT host, processor, finished FROM cells WHERE number = :number"),
      select_variant_(*connection_, "SELECT variant FROM cells WHERE number = :number") {
  for (const auto& [id, cell] : known) numbers_.emplace(id, cell.number);
}

void JournalDatabase::roll_back() noexcept {
  if (sqlite3_get_autocommit(connection_->get()) == 0)
    sqlite3_exec(connection_->get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void JournalDatabase::set_run(const JournalRun& run, const std::string& writer) {
  write_run(*connection_, run, writer);
  write_build(*connection_, run.build, next_);
}

void JournalDatabase::put(const JournalRow& row) {
  if (const auto earlier = numbers_.find(row.id); earlier != numbers_.end()) {
    remove_.bind(":number", earlier->second).step();
    remove_.reset();
  }
  bind_row(insert_, row, next_);
  insert_.step();
  insert_.reset();
  numbers_[row.id] = next_++;
}

void JournalDatabase::count(const StatusCounts& counts) {
  bind_counts(count_, counts);
  count_.step();
  count_.reset();
}

std::string JournalDatabase::packed_outcome(const std::string& cell_id) {
  const bool found = select_outcome_.bind(":number", numbers_.at(cell_id)).bind(":id", cell_id).step();
  std::string bytes(found ? select_outcome_.bytes(0) : std::string_view());
  select_outcome_.reset();
  return bytes;
}

std::vector<JournalMachine> JournalDatabase::machines(const std::vector<std::string>& cell_ids) {
  std::map<std::pair<std::string, std::string>, JournalMachine> by_name;
  for (const std::string& id : cell_ids) {
    const auto number = numbers_.find(id);
    if (number == numbers_.end()) continue;
    if (select_machine_.bind(":number", number->second).step()) {
      const std::string host = select_machine_.text(0), processor = select_machine_.text(1);
      const std::int64_t finished = select_machine_.integer(2);
      JournalMachine& machine = by_name[{host, processor}];
      if (machine.cells++ == 0) machine = {host, processor, 1, finished, finished};
      machine.first = std::min(machine.first, finished);
      machine.last = std::max(machine.last, finished);
    }
    select_machine_.reset();
  }
  std::vector<JournalMachine> machines;
  for (auto& [name, machine] : by_name) machines.push_back(std::move(machine));
  std::sort(machines.begin(), machines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return machines;
}

std::vector<JournalBuild> JournalDatabase::builds(const std::vector<std::string>& cell_ids) {
  const std::vector<BuildOfRows> rows = read_builds(*connection_);
  std::map<std::int64_t, const std::string*> by_number;
  for (const std::string& id : cell_ids)
    if (const auto number = numbers_.find(id); number != numbers_.end()) by_number.emplace(number->second, &id);
  std::vector<JournalBuild> builds;
  for (const auto& [number, id] : by_number) {
    if (select_variant_.bind(":number", number).step()) {
      const Build build = build_of_row(rows, number);
      JournalBuild* found = base::find_by(builds, &JournalBuild::build, build);
      if (!found) found = &builds.emplace_back(JournalBuild{build, 0, {}});
      ++found->cells;
      found->variants.insert(select_variant_.text(0));
    }
    select_variant_.reset();
  }
  return builds;
}

}  // namespace poslab::journal
