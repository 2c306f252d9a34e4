// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/kept_array.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "poslab/base/json.hpp"

namespace poslab::data {

std::string short_hash(const std::string& hash) { return hash.substr(0, 8); }

std::string WeightsFile::text() const {
  return std::filesystem::path(path).filename().string() + " (file " + short_hash(hash) + ")";
}

std::vector<WeightsFile> weights_files_of(std::string_view supply) {
  std::vector<WeightsFile> files;
  const base::Json all = base::Json::parse(supply, nullptr, false);
  if (!all.is_array()) return files;
  const auto has_text = [](const base::Json& entry, const char* name) {
    return entry.contains(name) && entry[name].is_string();
  };
  for (const base::Json& entry : all)
    if (entry.is_object() && has_text(entry, "weights") && has_text(entry, "path") && has_text(entry, "sha256"))
      files.push_back({entry["path"].get<std::string>(), entry["sha256"].get<std::string>()});
  return files;
}

}  // namespace poslab::data
