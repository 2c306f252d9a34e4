// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/prepare.hpp"

#include <fmt/format.h>

#include <map>

#include "poslab/base/text.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/resume_check.hpp"
#include "poslab/journal/resume_plan.hpp"
#include "poslab/run/outcome_store.hpp"
#include "poslab/run/output.hpp"
#include "poslab/run/output_errors.hpp"
#include "poslab/study/plan.hpp"

namespace poslab::run {
namespace {

namespace fs = std::filesystem;

// Cells that are done need no memory any more.
void require_memory_of_what_is_left(const PreparedRun& run) {
  const study::Plan& plan = run.part.plan;
  if (run.request.force || !largest_above(plan, run.request.memory)) return;
  const auto content = run.request.fresh ? journal::JournalContent{} : journal::readable_content(run.journal);
  const auto states = journal::ResumePlan(content.known, run.catalogue).of(plan.cells);
  require_memory(RemainingCells(plan, states).plan, run.request.memory);
}

OwnCells own_cells_of(const PreparedRun& run) {
  const journal::StudyName name{run.study.title, run.study.path, run.study.hash()};
  const auto& resumes = run.request.shard ? journal::resumes_shard : journal::resumes;
  if (!resumes(run.journal, name, run.part.plan.cells, run.catalogue)) return std::nullopt;
  return journal::cells_of(run.journal, run.part.plan.cells);
}

}  // namespace

std::shared_ptr<const Supply> supply_of(const SupplyRequest& request, workers::Backend& backend) {
  const auto supply = std::make_shared<const Supply>(request);
  backend.give(supply->contents());
  return supply;
}

PlannedStudy plan_study(const std::string& study, const study::Overrides& overrides, const data::Catalogue& catalogue,
                        workers::Backend& backend, const Supply& supply) {
  PlannedStudy planned{study::read_study(study, catalogue, overrides), {}};
  const auto forecast = [&](const std::vector<const data::Cell*>& cells) { return backend.forecast(cells); };
  planned.plan = study::make_plan(planned.study, catalogue, forecast, supply);
  return planned;
}

std::optional<std::size_t> largest_above(const study::Plan& plan, double bytes) {
  std::optional<std::size_t> largest;
  for (std::size_t index = 0; index < plan.cells.size(); ++index) {
    const double needed = plan.estimates[index].bytes;
    if (needed > bytes && (!largest || needed > plan.estimates[*largest].bytes)) largest = index;
  }
  return largest;
}

void require_memory(const study::Plan& plan, double bytes) {
  if (const auto index = largest_above(plan, bytes))
    throw CellTooLarge(plan.cells[*index], plan.estimates[*index].bytes, bytes);
}

CellTooLarge::CellTooLarge(const data::Cell& cell, double needed_, double allowed_)
    : base::Error(fmt::format("the largest cell is estimated to need {}, but the memory budget is {}; raise --memory, "
                              "make the cell smaller, or perform it all the same with poslab run --force; it is {} of "
                              "{} at {}",
                              base::human_bytes(needed_), base::human_bytes(allowed_), cell.experiment,
                              cell.variant.label, data::outer_axes_text(cell))),
      experiment(cell.experiment),
      variant(cell.variant.label),
      needed(needed_),
      allowed(allowed_) {}

SameOutput::SameOutput(const std::string& first_, const std::string& second_, const std::string& output_)
    : base::Error(fmt::format("{} and {} would both write {}; run them one after another, each with its own -o", first_,
                              second_, output_)),
      first(first_),
      second(second_),
      output(output_) {}

PlannedStudy plan_whole(const std::string& study, const study::Overrides& overrides, const SupplyRequest& request,
                        const data::Catalogue& catalogue, workers::Backend& backend) {
  const auto supply = supply_of(request, backend);
  PlannedStudy planned = plan_study(study, overrides, catalogue, backend, *supply);
  supply->require_used();
  return planned;
}

void require_own_outputs(const std::vector<PreparedRun>& runs) {
  std::map<fs::path, std::string> written_by;
  for (const PreparedRun& run : runs) {
    const auto [other, is_first] =
        written_by.emplace(fs::weakly_canonical(fs::absolute(run.output)), run.request.study);
    if (!is_first) throw SameOutput(other->second, run.request.study, run.output);
  }
}

std::vector<data::SchemeInfo> schemes_of(const std::vector<PreparedRun>& runs) {
  std::map<std::string, data::SchemeInfo> schemes;
  for (const PreparedRun& run : runs)
    for (const data::Cell& cell : run.part.plan.cells)
      if (const data::SchemeInfo* scheme = run.catalogue.scheme(cell.variant.scheme))
        schemes.try_emplace(scheme->id, *scheme);
  std::vector<data::SchemeInfo> all;
  for (auto& [id, scheme] : schemes) all.push_back(std::move(scheme));
  return all;
}

std::string hindrance_of(const PreparedRun& run) try {
  require_runnable(run);
  return "";
} catch (const base::Error& reason) {
  return reason.what();
}

void require_runnable(const PreparedRun& run) {
  require_memory_of_what_is_left(run);
  std::error_code none;
  if (fs::equivalent(run.request.study, run.output, none)) throw OutputTaken(run.output, OutputTaken::By::the_study);
  require_writable(run.output, run.study.hash(), run.request.fresh, [&] { return own_cells_of(run); });
}

}  // namespace poslab::run
