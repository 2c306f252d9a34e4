// SPDX-License-Identifier: Apache-2.0
// `poslab verify`: studies of published results, one after another, and one table of all that they expect.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/verify_options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/app/text/progress_line.hpp"
#include "poslab/app/text/run_text.hpp"
#include "poslab/app/text/terminal.hpp"
#include "poslab/app/text/verify_text.hpp"
#include "poslab/base/error.hpp"
#include "poslab/process/interrupt.hpp"
#include "poslab/run/run_study.hpp"
#include "poslab/run/supply.hpp"

namespace fs = std::filesystem;

namespace poslab::app {
namespace {

// The folder of the results files: the one that was asked for, or one that goes again.
class ResultsFolder {
 public:
  explicit ResultsFolder(const std::string& asked) : path_(asked), keeps_(!asked.empty()) {
    std::error_code error;
    if (keeps_) fs::create_directories(path_, error);
    if (error) throw base::FileError(asked, "cannot be made: " + error.message());
    if (keeps_) return;
    std::string name = fs::temp_directory_path() / "poslab-verify-XXXXXX";
    if (!mkdtemp(name.data())) throw base::FileError(name, std::generic_category().message(errno));
    path_ = name;
  }
  ~ResultsFolder() {
    std::error_code ignored;
    if (!keeps_) fs::remove_all(path_, ignored);
  }
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;
  fs::path file_of(const fs::path& study) const { return path_ / study.stem().concat(".h5"); }

 private:
  fs::path path_;
  bool keeps_;
};

run::Verification verified(const run::PreparedRun& prepared, workers::Backend& backend, const std::atomic<bool>& stop) {
  run::RunResult result;
  {
    ProgressLine progress(stderr, isatty(STDERR_FILENO) != 0, shows_colours(STDERR_FILENO),
                          terminal_width(STDERR_FILENO));
    result = run::run_study(prepared, backend, progress, stop);
  }
  print(stderr, problem_text(prepared, result));
  const study::Study& study = prepared.study;
  return {study.path,    study.title,   std::move(result.expectations), study.out_of_reach, "",
          result.ending, result.seconds};
}

// A study of a file that was not given is left out, and says so.
run::Verification verify_one(const std::string& study, const run::RunRequest& request, const data::Catalogue& catalogue,
                             workers::Backend& backend, const std::atomic<bool>& stop) {
  try {
    const auto runs = run::prepare_runs({study}, request, catalogue, backend);
    if (runs.front().study.expectations.empty()) throw run::NothingExpected(study);
    run::require_runnable(runs.front());
    return verified(runs.front(), backend, stop);
  } catch (const run::MissingFile& missing) {
    return {study, fs::path(study).filename(), {}, {}, missing.what()};
  }
}

}  // namespace

int verify_command(const std::vector<std::string>& arguments) {
  const VerifyOptions asked = verify_options(arguments);
  const auto backend = workers::make_backend(asked.backend);
  const host::Library library = open_library(asked.plugin_directories, *backend);
  if (!library.refusals().empty()) print(stderr, refusals_text(library.refusals()) + "\n");
  const data::Catalogue catalogue = catalogue_of(library);
  const ResultsFolder folder(asked.folder);
  const process::InterruptGuard guard;
  std::vector<run::Verification> all;
  Series series;
  for (auto study = asked.studies.begin(); study != asked.studies.end() && series.goes_on; ++study) {
    run::RunRequest request = asked.request;
    request.output = folder.file_of(*study);
    all.push_back(verify_one(*study, request, catalogue, *backend, guard.stop()));
    series.add(all.back().ending, study + 1 != asked.studies.end(), guard.stop().load());
  }
  print(stdout, verify_text(all));
  return series.exit;
}

}  // namespace poslab::app
