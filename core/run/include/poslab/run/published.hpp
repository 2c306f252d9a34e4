// SPDX-License-Identifier: Apache-2.0
// Published results as studies, each with what it expects: poslab held against the world outside.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/base/bad_argument.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/run/outcome_summary.hpp"
#include "poslab/study/study.hpp"

namespace poslab::run {

/// The studies in `folder`, by name; with `trained` those in its folder of that name as well, whose networks are trained
/// first. Throws base::FileError if there is no such folder or no study in it.
std::vector<std::string> published_studies(const std::filesystem::path& folder, bool trained);

/// A study without known answers cannot be verified.
struct NothingExpected : base::BadArgument {
  explicit NothingExpected(const std::string& study);
  std::string study;
};

/// What became of one of them.
struct Verification {
  std::string study, title;
  std::vector<data::ExpectationResult> expectations;
  std::vector<study::OutOfReach> out_of_reach;
  std::string not_run;  ///< not empty: why, such as a file that only the user has
  Ending ending = Ending::complete;
  double seconds = 0;
};

}  // namespace poslab::run
