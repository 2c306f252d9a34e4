// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "poslab/base/error.hpp"
#include "poslab/run/runnable.hpp"

namespace fs = std::filesystem;

namespace poslab::run {
namespace {

void add_studies(const fs::path& folder, std::vector<std::string>& studies) {
  std::error_code error;
  const std::size_t before = studies.size();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") studies.push_back(entry.path().string());
  if (error) throw base::FileError(folder.string(), "cannot be listed: " + error.message());
  if (studies.size() == before) throw base::FileError(folder.string(), "has no study in it (*.toml)");
  std::sort(studies.begin() + static_cast<std::ptrdiff_t>(before), studies.end());
}

}  // namespace

std::vector<std::string> published_studies(const fs::path& folder, bool trained) {
  std::vector<std::string> studies;
  add_studies(folder, studies);
  if (trained) add_studies(folder / "trained", studies);
  return studies;
}

Verification verify(const std::string& study, const RunRequest& request, const data::Catalogue& catalogue,
                    workers::Backend& backend, VerifyListener& listener, const std::atomic<bool>& stop) {
  std::vector<PreparedRun> runs;
  try {
    runs = prepare_runs({study}, request, catalogue, backend);
  } catch (const MissingFile& missing) {
    return {study, fs::path(study).filename(), {}, {}, missing.what()};
  }
  const PreparedRun& run = runs.front();
  if (run.study.expectations.empty())
    throw base::Error(base::Error::Kind::argument,
                      fmt::format("{}: it has no [[expect]], so that there is nothing to verify", study),
                      "poslab run runs it");
  require_runnable(run);
  RunResult result = run_study(run, backend, listener.begun(), stop);
  listener.ended(run, result);
  return {run.study.path, run.study.title, std::move(result.expectations), run.study.out_of_reach, "",
          result.ending,  result.seconds};
}

VerifyFolder::VerifyFolder(const std::string& asked) : path_(asked), keeps_(!asked.empty()) {
  std::error_code error;
  if (keeps_) fs::create_directories(path_, error);
  if (error) throw base::FileError(asked, "cannot be made: " + error.message());
  if (keeps_) return;
  std::string name = fs::temp_directory_path() / "poslab-verify-XXXXXX";
  if (!mkdtemp(name.data())) throw base::FileError(name, std::generic_category().message(errno));
  path_ = name;
}

VerifyFolder::~VerifyFolder() {
  std::error_code ignored;
  if (!keeps_) fs::remove_all(path_, ignored);
}

fs::path VerifyFolder::file_of(const fs::path& study) const { return path_ / study.stem().concat(".h5"); }

}  // namespace poslab::run
