// SPDX-License-Identifier: Apache-2.0
// Published results as studies, each with what it expects: poslab held against the world outside.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/run/outcome_summary.hpp"
#include "poslab/run/run_study.hpp"
#include "poslab/study/study.hpp"

namespace poslab::run {

/// The studies in `folder`, by name; with `trained` those in its folder of that name as well, whose networks are
/// trained first. Throws base::FileError if there is no such folder or no study in it.
std::vector<std::string> published_studies(const std::filesystem::path& folder, bool trained);

/// What became of one of them.
struct Verification {
  std::string study, title;
  std::vector<data::ExpectationResult> expectations;
  std::vector<study::OutOfReach> out_of_reach;
  std::string not_run;  ///< not empty: why, such as a file that only the user has
  Ending ending = Ending::complete;
  double seconds = 0;
};

/// Hears of the runs of a verification, one after another.
class VerifyListener {
 public:
  virtual ~VerifyListener() = default;
  /// Who hears of the next run, until `ended`.
  virtual RunListener& begun() = 0;
  virtual void ended(const PreparedRun& run, const RunResult& result) = 0;
};

/// Runs one study. One of a file that was not given is not run, and says so. Throws base::Error, and what
/// prepare_runs, require_runnable and run_study throw.
Verification verify(const std::string& study, const RunRequest& request, const data::Catalogue& catalogue,
                    workers::Backend& backend, VerifyListener& listener, const std::atomic<bool>& stop);

/// Where results files of a verification lie: in the folder that was asked for, or in one that goes again.
class VerifyFolder {
 public:
  /// Empty: one that goes. Throws base::FileError.
  explicit VerifyFolder(const std::string& asked);
  ~VerifyFolder();
  VerifyFolder(const VerifyFolder&) = delete;
  VerifyFolder& operator=(const VerifyFolder&) = delete;
  std::filesystem::path file_of(const std::filesystem::path& study) const;

 private:
  std::filesystem::path path_;
  bool keeps_;
};

}  // namespace poslab::run
