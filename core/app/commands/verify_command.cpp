// SPDX-License-Identifier: Apache-2.0
// `poslab verify`: studies of published results, one after another, and one table of all that they expect.
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/verify_options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/app/text/progress_line.hpp"
#include "poslab/app/text/run_text.hpp"
#include "poslab/app/text/terminal.hpp"
#include "poslab/app/text/verify_text.hpp"
#include "poslab/process/interrupt.hpp"
#include "poslab/run/library.hpp"
#include "poslab/run/published.hpp"

namespace poslab::app {
namespace {

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

}  // namespace

int verify_command(const std::vector<std::string>& arguments) {
  const VerifyOptions asked = verify_options(arguments);
  const auto backend = workers::make_backend(asked.backend);
  const host::Library library = run::open_library(asked.plugin_directories, *backend);
  print(stderr, notices_and_refusals_text(library));
  const data::Catalogue catalogue = run::catalogue_of(library);
  const run::VerifyFolder folder(asked.folder);
  const process::InterruptGuard guard;
  std::vector<run::Verification> all;
  Series series;
  for (auto study = asked.studies.begin(); study != asked.studies.end() && series.goes_on; ++study) {
    run::RunRequest request = asked.request;
    request.output = folder.file_of(*study);
    VerifyPrinter printer;
    all.push_back(run::verify(*study, request, catalogue, *backend, printer, guard.stop()));
    series.add(all.back().ending, study + 1 != asked.studies.end(), guard.stop().load());
  }
  print(stdout, verify_text(all));
  return series.exit;
}

}  // namespace poslab::app
