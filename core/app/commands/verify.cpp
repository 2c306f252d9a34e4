// SPDX-License-Identifier: Apache-2.0
// `poslab verify`: studies of published results, one after another, and one table of all that they expect.
#include "commands/texts.hpp"

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "commands/run.hpp"
#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/process/interrupt.hpp"
#include "poslab/run/library.hpp"
#include "poslab/workers/backend.hpp"
#include "terminal/terminal.hpp"
#include "text/progress_line.hpp"

namespace poslab::app {
namespace {

struct VerifyOptions final : Options {
  VerifyOptions() { words = {0, Words::any, study_files}; }
  Flag trained{this, flag("trained", "those as well that train networks first: hours")};
  Text output{this, option("output", "DIR", "keep the results files in this folder", folders, nullptr, 'o'),
              accepted(a_name_of("a folder"))};
  PluginsOption plugins{this};
  SupplyOptions supply{this};
  ThreadsOption threads{this};
  MemoryOption memory{this};
  CellTimeOption cell_time{this};
};

// A progress line while a study runs, and what went wrong with it afterwards.
class VerifyPrinter final : public run::VerifyListener {
 public:
  run::RunListener& begun() override {
    return progress_.emplace(stderr, isatty(STDERR_FILENO) != 0, colours_of(STDERR_FILENO),
                             terminal_width(STDERR_FILENO));
  }
  void ended(const run::PreparedRun& run, const run::RunResult& result) override {
    progress_.reset();
    print(stderr, problem_text(run, result));
  }

 private:
  std::optional<ProgressLine> progress_;
};

std::vector<std::string> studies_of(const VerifyOptions& asked) {
  if (asked.words.given.empty()) return run::published_studies(shared_folder() / "studies/published", *asked.trained);
  if (*asked.trained)
    throw UsageError("--trained adds studies to those that ship, but here are some given: name those, too");
  return asked.words.given;
}

int verify(const VerifyOptions& asked) {
  const std::vector<std::string> studies = studies_of(asked);
  run::RunRequest request;
  request.threads = asked.threads.count();
  request.memory = asked.memory.bytes();
  request.supply = asked.supply.request();
  request.command_line = asked.arguments();
  const auto backend =
      workers::make_backend({request.threads, 1, request.memory + bytes_beside_cells, *asked.cell_time});
  const data::Catalogue catalogue = run::catalogue_of(open_library(*asked.plugins, *backend, studies));
  const run::VerifyFolder folder(*asked.output);
  const process::InterruptGuard guard;
  std::vector<run::Verification> all;
  Series series;
  for (auto study = studies.begin(); study != studies.end() && series.goes_on; ++study) {
    request.output = folder.file_of(*study);
    VerifyPrinter printer;
    all.push_back(run::verify(*study, request, catalogue, *backend, printer, guard.stop()));
    series.add(all.back().ending, study + 1 != studies.end(), guard.stop().load());
  }
  print(stdout, verify_text(all));
  return series.exit;
}

}  // namespace

Command verify_command() {
  return with_action(
      {.name = "verify",
       .sentence = "reproduce published results",
       .usage = "[STUDY.toml ...]",
       .what = "Runs the studies of published results and of exact facts that ship with poslab, or those "
               "given, and prints for each of their expectations what was published, what comes out here, "
               "and whether it holds.",
       .shown = {"poslab verify", "poslab verify --trained --data text=shakespeare.txt -o verified"},
       .exit_codes = "0 all hold, 1 one does not, else as of run."},
      verify);
}

}  // namespace poslab::app
