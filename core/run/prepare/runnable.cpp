// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/runnable.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>

#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/shard.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/resume_check.hpp"
#include "poslab/journal/resume_plan.hpp"
#include "poslab/run/output.hpp"
#include "poslab/run/weights_source.hpp"
#include "poslab/study/plan.hpp"

namespace poslab::run {
namespace {

namespace fs = std::filesystem;
using Indices = std::vector<std::size_t>;

Indices all_of(const study::Plan& plan) {
  Indices indices(plan.cells.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

// Cells that are done need no memory any more.
void require_memory_of_what_is_left(const PreparedRun& run) {
  const study::Plan& plan = run.part.plan;
  if (run.request.force || !largest_above(plan, all_of(plan), run.request.memory)) return;
  const auto content = run.request.fresh ? journal::JournalContent{} : journal::readable_content(run.journal);
  const auto states = journal::ResumePlan(content.known, run.catalogue).of(plan.cells);
  require_memory(plan, journal::remaining(states), run.request.memory);
}

OwnCells own_cells_of(const PreparedRun& run) {
  const journal::StudyName name{run.study.title, run.study.path, run.study.hash()};
  if (!journal::resumes(run.journal, name, run.part.plan.cells, run.catalogue)) return std::nullopt;
  return journal::cells_of(run.journal, run.part.plan.cells);
}

// A shard is its journal, which may be that of another study.
void require_own_journal(const fs::path& journal, const journal::StudyName& study, const std::vector<data::Cell>& cells,
                         const data::Catalogue& catalogue) {
  if (base::is_there(journal) && !journal::resumes_shard(journal, study, cells, catalogue))
    throw OutputTaken(journal.string(), OutputTaken::By::changed_study);
}

fs::path journal_of_shard(const ShardedStudy& asked, int index) {
  return journal::Journal::beside(data::shard_output(asked.output, {index, asked.shards}));
}

// What shards have performed, if they have performed cells of this plan before: then it is the same study, changed.
OwnCells own_cells_of(const ShardedStudy& asked, const study::Study& study, const study::Plan& plan,
                      const data::Catalogue& catalogue) {
  const journal::StudyName name{study.title, study.path, study.hash()};
  OwnCells own;
  for (int i = 1; i <= asked.shards; ++i) {
    const fs::path journal = journal_of_shard(asked, i);
    if (!journal::resumes(journal, name, plan.cells, catalogue)) continue;
    if (!own) own.emplace();
    own->merge(journal::cells_of(journal, plan.cells));
  }
  return own;
}

// What a run reads beside its study: what it is handed, and its schemes.
std::vector<std::string> files_read(const SupplyRequest& supply, const data::Catalogue& catalogue) {
  std::vector<std::string> files;
  for (const auto& [name, file] : supply.files) files.push_back(file);
  for (const std::string& text : supply.weights)
    for (const WeightsSource& source : weights_sources(text)) files.push_back(source.file);
  for (const std::string& text : supply.networks) files.push_back(network_source(text).file);
  for (const data::SchemeInfo& scheme : catalogue.schemes) files.push_back(scheme.file);
  return files;
}

void require_no_input(const std::string& output, const std::string& study, const std::vector<std::string>& files) {
  std::error_code none;
  if (fs::equivalent(study, output, none)) throw OutputTaken(output, OutputTaken::By::the_study);
  for (const std::string& file : files)
    if (fs::equivalent(file, output, none)) throw OutputTaken(output, OutputTaken::By::an_input);
}

void require_short_name(const fs::path& output) {
  const fs::path journal = journal::Journal::beside(output);
  const std::string longest = journal.filename().string() + "-checkpoints-journal";  // SQLite's, beside the checkpoints
  const fs::path folder = journal.has_parent_path() ? journal.parent_path() : fs::path(".");
  const long most = pathconf(folder.c_str(), _PC_NAME_MAX);
  if (most <= 0 || longest.size() <= static_cast<std::size_t>(most)) return;
  const std::size_t too_many = longest.size() - static_cast<std::size_t>(most);
  throw base::FileError(output.string(),
                        fmt::format("its name is too long by {} {}: files that a run keeps beside it have longer ones",
                                    too_many, too_many == 1 ? "byte" : "bytes"),
                        "choose a shorter name with -o");
}

}  // namespace

std::optional<std::size_t> largest_above(const study::Plan& plan, std::span<const std::size_t> indices, double bytes) {
  std::optional<std::size_t> largest;
  for (const std::size_t index : indices) {
    const double needed = plan.estimates[index].bytes;
    if (needed > bytes && (!largest || needed > plan.estimates[*largest].bytes)) largest = index;
  }
  return largest;
}

void require_memory(const study::Plan& plan, std::span<const std::size_t> indices, double bytes) {
  const auto index = largest_above(plan, indices, bytes);
  if (!index) return;
  const data::Cell& cell = plan.cells[*index];
  throw base::Error(base::Error::Kind::request,
                    fmt::format("the largest cell is estimated to need {}, but the memory budget is {}",
                                base::human_bytes(plan.estimates[*index].bytes), base::human_bytes(bytes)),
                    fmt::format("raise --memory, make the cell smaller, or perform it all the same with poslab run "
                                "--force; it is {} of {} at {}",
                                cell.experiment, cell.variant.label, data::outer_axes_text(cell)));
}

void require_own_outputs(const std::vector<PreparedRun>& runs) {
  std::map<fs::path, std::string> written_by;
  for (const PreparedRun& run : runs) {
    const auto [other, is_first] =
        written_by.emplace(fs::weakly_canonical(fs::absolute(run.output)), run.request.study);
    if (!is_first)
      throw base::Error(base::Error::Kind::request,
                        fmt::format("{} and {} would both write {}", other->second, run.request.study, run.output),
                        "run them one after another, each with its own -o");
  }
}

void require_runnable(const PreparedRun& run) {
  require_short_name(run.output);
  require_memory_of_what_is_left(run);
  if (run.request.shard) {
    require_room(run.output);
    if (!run.request.fresh)
      require_own_journal(run.journal, {run.study.title, run.study.path, run.study.hash()}, run.part.plan.cells,
                          run.catalogue);
    return;
  }
  require_no_input(run.output, run.request.study, files_read(run.request.supply, run.catalogue));
  require_writable(run.output, run.study.hash(), run.request.fresh, [&] { return own_cells_of(run); });
}

std::optional<base::Refusal> why_not_runnable(const PreparedRun& run) try {
  require_runnable(run);
  return std::nullopt;
} catch (const base::Error& reason) {
  return reason.what();
}

std::size_t require_runnable(const ShardedStudy& asked, const data::Catalogue& catalogue, workers::Backend& backend) {
  require_short_name(data::shard_output(asked.output, {asked.shards, asked.shards}));
  const auto supply = supply_of(asked.supply, backend);
  const auto [study, plan, known] = plan_study(asked.study, asked.overrides, catalogue, backend, *supply);
  supply->require_used();
  if (asked.memory > 0) require_memory(plan, all_of(plan), asked.memory);
  const auto own = [&, &study = study, &plan = plan, &known = known] {
    return own_cells_of(asked, study, plan, known);
  };
  require_no_input(asked.output, asked.study, files_read(asked.supply, known));
  require_writable(asked.output, study.hash(), false, own);
  for (int i = 1; i <= asked.shards; ++i)
    require_own_journal(journal_of_shard(asked, i), {study.title, asked.copy, study.hash()}, plan.cells, known);
  return static_cast<std::size_t>(
      std::count_if(plan.cells.begin(), plan.cells.end(), [](const data::Cell& cell) { return !cell.skip; }));
}

}  // namespace poslab::run
