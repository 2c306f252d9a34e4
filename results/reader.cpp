// SPDX-License-Identifier: Apache-2.0
#include "reader.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <filesystem>

#include "index.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/writer.hpp"

namespace poslab::results {
namespace {

herr_t take_name(hid_t, unsigned, hid_t scale, void* client) {
  auto& name = *static_cast<std::string*>(client);
  const ssize_t length = H5Iget_name(scale, nullptr, 0);
  if (length <= 0) return -1;
  name.resize(static_cast<std::size_t>(length));
  H5Iget_name(scale, name.data(), name.size() + 1);
  name.erase(0, name.rfind('/') + 1);
  return 1;  // the first scale of the axis is its only one
}

}  // namespace

h5::Handle open_results(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (!std::filesystem::exists(status)) throw base::FileError(path, "does not exist");
  if (std::filesystem::is_directory(status)) throw base::FileError(path, "is a directory", "name a results file in it");
  h5::Handle file;
  try {
    file = h5::open_file(path);
    if (!h5::has_attribute(file, "study_hash") || !h5::has_attribute(file, "schema_version"))
      throw base::FileError(path, "is an HDF5 file, but no results file of poslab");
  } catch (const h5::Error& error) {
    throw base::FileError(path, error.what(), "is it a results file of poslab?");
  }
  const double version = h5::number_attribute(file, "schema_version");
  if (version > static_cast<double>(schema_version))
    throw base::FileError(
        path,
        fmt::format("has schema version {}, and this poslab reads up to {}", base::shortest(version), schema_version),
        "use the poslab that wrote it, or a newer one");
  return file;
}

std::vector<std::string> texts(const h5::Handle& group, const std::string& name) {
  return h5::read_texts(h5::open_dataset(group, name));
}

std::vector<double> numbers(const h5::Handle& group, const std::string& name) {
  return h5::read_numbers(h5::open_dataset(group, name));
}

std::vector<std::string> dimension_names(hid_t dataset) {
  std::vector<std::string> names;
  for (unsigned axis = 0; axis < h5::shape_of(dataset).size(); ++axis) {
    std::string name;
    if (H5DSget_num_scales(dataset, axis) > 0)
      h5::check(H5DSiterate_scales(dataset, axis, nullptr, take_name, &name), "H5DSiterate_scales");
    names.push_back(name);
  }
  return names;
}

std::vector<StoredMeasure> measures(const h5::Handle& group) {
  std::vector<StoredMeasure> found;
  for (const std::string& name : h5::links(group)) {
    const h5::Handle dataset = h5::open_dataset(group, name);
    if (!h5::has_attribute(dataset, "tolerance_absolute")) continue;
    std::vector<std::string> dimensions = dimension_names(dataset);
    dimensions.erase(dimensions.begin());
    found.push_back({name, std::move(dimensions)});
  }
  return found;
}

std::string study_hash_of(const std::string& path) {
  const h5::Silence silence;
  std::error_code none;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, none))) return "";
  return h5::text_attribute(open_results(path), "study_hash");
}

}  // namespace poslab::results
