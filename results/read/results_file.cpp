// SPDX-License-Identifier: Apache-2.0
#include "read/results_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "h5/attribute.hpp"
#include "h5/bounds.hpp"
#include "h5/dimension_names.hpp"
#include "h5/measure_attributes.hpp"
#include "h5/seal.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/writer.hpp"
#include "read/vetting.hpp"

namespace poslab::results {
namespace {

void require_there(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (status.type() == std::filesystem::file_type::not_found) throw base::FileError(path, "does not exist");
  if (problem) throw base::FileError(path, problem.message(), "name a results file");
}

void require_no_study(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".toml" && base::special_file_kind(path).empty() &&
      !base::RegularFile(path).bytes_at(0, 8).starts_with("\x89HDF"))
    throw base::FileError(path, "is a study or another text, and results are wanted",
                          "poslab run writes the results of a study.toml into study.h5; name that file");
}

}  // namespace

base::FileError unreadable_results(std::string path, const h5::Error& error) {
  return {std::move(path), error.what(), "is it a results file of poslab?"};
}

base::FileError unreadable_pair(std::string first, std::string second, const h5::Error& error) {
  return {first + " or " + second, error.what(), "make the damaged one again"};
}

h5::Handle open_vetted(const std::string& path) {
  require_there(path);
  require_no_study(path);
  require_unbroken(path);
  h5::Handle file = h5::open_file(path);
  vet(file, path);
  return file;
}

void require_run(const h5::Handle& file, const std::string& path, Schemas schemas) {
  if (!h5::has_attribute(file, "study_hash") || !h5::has_attribute(file, "schema_version"))
    throw base::FileError(path, "is an HDF5 file, but no results file of poslab");
  const double version = h5::number_attribute(file, "schema_version");
  if (version > static_cast<double>(schema_version))
    throw base::FileError(
        path,
        fmt::format("has schema version {}, and this poslab reads up to {}", base::shortest(version), schema_version),
        "use the poslab that wrote it, or a newer one");
  if (version < static_cast<double>(schema_version) && schemas == Schemas::today)
    throw base::FileError(
        path, fmt::format("has schema version {}, and this poslab reads {}", base::shortest(version), schema_version),
        "poslab upgrade " + base::shell_word(base::operand(path)) + " rewrites it");
}

h5::Handle open_results(const std::string& path, Schemas schemas) {
  try {
    h5::Handle file = open_vetted(path);
    require_run(file, path, schemas);
    return file;
  } catch (const h5::Error& error) {
    throw unreadable_results(path, error);
  }
}

std::vector<std::string> texts(const h5::Handle& group, const std::string& name) {
  return h5::read_texts(h5::open_dataset(group, name));
}

std::vector<double> numbers(const h5::Handle& group, const std::string& name) {
  return h5::read_numbers(h5::open_dataset(group, name));
}

std::vector<data::MeasureInfo> measures(const h5::Handle& group) {
  std::vector<data::MeasureInfo> found;
  const h5::ScaleNames scales = h5::scale_names(group);
  for (const std::string& name : h5::links(group)) {
    if (!h5::is_dataset(group, name)) continue;
    const h5::Handle dataset = h5::open_dataset(group, name);
    if (!is_measure(dataset)) continue;
    std::vector<std::string> dimensions = h5::dimension_names(dataset, scales);
    if (dimensions.empty() || dimensions.front() != "cell")
      h5::damaged(dataset, "is a measure without a row for each cell");
    dimensions.erase(dimensions.begin());
    data::MeasureInfo& measure = found.emplace_back(read_measure(dataset));
    measure.name = name;
    measure.dimensions = std::move(dimensions);
  }
  return found;
}

std::string provenance_text(const h5::Handle& file, const char* name) {
  if (!h5::has_link(file, "provenance")) return "";
  const h5::Handle provenance = h5::open_group(file, "provenance");
  if (!h5::has_link(provenance, name)) return "";
  const std::vector<std::string> written = texts(provenance, name);
  return written.size() == 1 ? written.front() : "";
}

}  // namespace poslab::results
