// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/output_content.hpp"

#include <algorithm>
#include <filesystem>

#include "h5/attribute.hpp"
#include "h5/objects.hpp"
#include "poslab/data/outcome.hpp"
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
    require_run(file, path, Schemas::earlier_too);
    OutputContent content{OutputContent::Kind::run, h5::text_attribute(file, "study_hash"),
                          h5::number_attribute(file, "complete") != 0};
    const std::vector<std::string> ids = texts(file, "id");
    const std::vector<double> status = numbers(file, "status");
    for (std::size_t cell = 0; cell < std::min(ids.size(), status.size()); ++cell)
      if (status[cell] == static_cast<double>(data::Status::ok)) content.measured.push_back(ids[cell]);
    content.is_shard = h5::has_link(file, "shard");
    return content;
  } catch (const h5::Error& error) {
    throw unreadable_results(path, error);
  }
}

}  // namespace poslab::results
