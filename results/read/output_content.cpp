// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/output_content.hpp"

#include <filesystem>

#include "h5/attribute.hpp"
#include "read/results_file.hpp"

namespace poslab::results {

OutputContent read_output_content(const std::string& path) {
  const h5::Silence silence;
  std::error_code none;
  if (!std::filesystem::exists(std::filesystem::status(path, none))) return {};
  try {
    const h5::Handle file = open_vetted(path);
    const bool is_table = !h5::has_attribute(file, "study_hash") && h5::has_attribute(file, "scheme");
    if (is_table) return {OutputContent::Kind::table, "", true};
    require_run(file, path);
    return {OutputContent::Kind::run, h5::text_attribute(file, "study_hash"),
            h5::number_attribute(file, "complete") != 0};
  } catch (const h5::Error& error) {
    throw UnreadableResults(path, error);
  }
}

}  // namespace poslab::results
