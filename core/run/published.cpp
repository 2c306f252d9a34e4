// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/published.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/error.hpp"

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

NothingExpected::NothingExpected(const std::string& study_)
    : base::BadArgument(
          fmt::format("{}: it has no [[expect]], so that there is nothing to verify; poslab run runs it", study_)),
      study(study_) {}

std::vector<std::string> published_studies(const fs::path& folder, bool trained) {
  std::vector<std::string> studies;
  add_studies(folder, studies);
  if (trained) add_studies(folder / "trained", studies);
  return studies;
}

}  // namespace poslab::run
