// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/study_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "poslab/app/continued.hpp"
#include "poslab/app/output.hpp"
#include "poslab/app/plan_text.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/run/standing.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::app {
namespace {

namespace fs = std::filesystem;

// The largest cell that is still to be performed.
void refuse_what_does_not_fit(const StudyJob& job) {
  const spec::Plan& plan = job.part.plan;
  const auto does_not_fit = [&](const auto& estimate) { return estimate.bytes > job.request.memory; };
  if (job.request.force || std::none_of(plan.estimates.begin(), plan.estimates.end(), does_not_fit)) return;
  const run::JournalContent content = job.request.fresh ? run::JournalContent{} : readable_content(job.journal);
  const run::Standings standings(content.known, job.catalogue);
  std::size_t largest = plan.cells.size();
  for (std::size_t i = 0; i < plan.cells.size(); ++i)
    if (does_not_fit(plan.estimates[i]) && standings.of(plan.cells[i]) != run::Standing::kept)
      if (largest == plan.cells.size() || plan.estimates[i].bytes > plan.estimates[largest].bytes) largest = i;
  if (largest == plan.cells.size()) return;
  const base::Cell& cell = plan.cells[largest];
  throw base::Error(
      fmt::format("{} of {} at {} is estimated to need {}, but the memory budget is {}; make it smaller, raise "
                  "--memory, or --force it",
                  cell.experiment, cell.variant.label, axes_text(cell),
                  base::human_bytes(plan.estimates[largest].bytes), base::human_bytes(job.request.memory)));
}

StudyJob job_of(const std::string& study, const RunRequest& request, const host::Library& library,
                run::Workshop& workshop) {
  StudyJob job{request, catalogue_of(library), {}, {}, request.output, {}};
  job.request.study = study;
  job.study = spec::read_study(study, job.catalogue, request.overrides);
  job.part =
      run::cut(spec::make_plan(job.study, job.catalogue,
                               [&](const std::vector<const base::Cell*>& cells) { return workshop.forecast(cells); }),
               request.shard);
  if (job.output.empty()) job.output = fs::path(study).stem().string() + ".h5";
  if (request.shard) job.output = run::shard_output(job.output, *request.shard).string();
  job.journal = run::Journal::beside(job.output);
  return job;
}

bool is_continued_job(const StudyJob& job) {
  return (job.request.shard ? is_continued_shard : is_continued)(job.journal, job.study, job.part.plan, job.catalogue);
}

}  // namespace

std::vector<StudyJob> jobs_of(const std::vector<std::string>& studies, const RunRequest& request,
                              const host::Library& library, run::Workshop& workshop) {
  std::vector<StudyJob> jobs;
  std::map<fs::path, std::string> written_by;
  for (const std::string& study : studies) {
    jobs.push_back(job_of(study, request, library, workshop));
    const auto [other, is_first] = written_by.emplace(fs::weakly_canonical(fs::absolute(jobs.back().output)), study);
    if (!is_first)
      throw base::Error(fmt::format("{} and {} would both write {}; run them one after another, each with its own -o",
                                    other->second, study, jobs.back().output));
  }
  return jobs;
}

std::string shard_line(const StudyJob& job) {
  if (!job.request.shard) return "";
  return fmt::format("shard {}: {} of {} cells\n", job.request.shard->text(), job.part.plan.cells.size(),
                     job.part.whole);
}

std::string plan_in_words(const StudyJob& job) {
  const RunRequest& request = job.request;
  const spec::Plan& plan = job.part.plan;
  const run::JournalContent content = request.fresh ? run::JournalContent{} : readable_content(job.journal);
  for (const std::string& notice : content.notices) std::fputs(("poslab: " + notice + "\n").c_str(), stderr);
  const run::Standings standings(content.known, job.catalogue);
  return shard_line(job) + plan_text(job.study, plan, standings.of(plan.cells), request.threads, request.memory) +
         others_text(plan, content.known) + (request.verbose ? cells_text(plan, standings) : "");
}

void require_runnable(const StudyJob& job) {
  refuse_what_does_not_fit(job);
  std::error_code none;
  if (fs::equivalent(job.request.study, job.output, none))
    throw base::FileError(job.output, "is the study itself", "choose another file with -o");
  require_writable(job.output, job.study.hash(), job.request.fresh, [&] { return is_continued_job(job); });
}

}  // namespace poslab::app
