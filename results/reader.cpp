// SPDX-License-Identifier: Apache-2.0
#include "reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "bounds.hpp"
#include "index.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/writer.hpp"
#include "vetting.hpp"

namespace poslab::results {
namespace {

// What stands in DIMENSION_LIST, by which HDF5 keeps the scales of each axis: for each the address of its first one. Read
// here and not with HDF5's own functions, which believe its extent, and open what it points to.
std::vector<haddr_t> scale_addresses(hid_t dataset, std::size_t rank) {
  constexpr const char* name = "DIMENSION_LIST";
  std::vector<haddr_t> addresses(rank, HADDR_UNDEF);
  if (rank == 0 || !h5::has_attribute(dataset, name)) return addresses;
  const h5::Handle attribute(H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose, "H5Aopen");
  const h5::Handle stored(H5Aget_type(attribute), H5Tclose, "H5Aget_type");
  const h5::Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "H5Tvlen_create");
  const h5::Handle space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
  if (h5::check(H5Tequal(stored, type), "H5Tequal") == 0 ||
      h5::check(H5Sget_simple_extent_npoints(space), "extent of DIMENSION_LIST") != static_cast<hssize_t>(rank))
    h5::damaged(dataset, "has a DIMENSION_LIST that is no list of its axes");
  std::vector<hvl_t> lists(rank);
  h5::check(H5Aread(attribute, type, lists.data()), "H5Aread");
  for (std::size_t axis = 0; axis < rank; ++axis) {
    hobj_ref_t address = HADDR_UNDEF;
    if (lists[axis].len > 0) std::memcpy(&address, lists[axis].p, sizeof address);
    addresses[axis] = address;
  }
  h5::check(H5Dvlen_reclaim(type, space, H5P_DEFAULT, lists.data()), "H5Dvlen_reclaim");
  return addresses;
}

h5::Handle parent_of(hid_t dataset) {
  const ssize_t length = h5::check(H5Iget_name(dataset, nullptr, 0), "H5Iget_name");
  std::string name(static_cast<std::size_t>(length), '\0');
  H5Iget_name(dataset, name.data(), name.size() + 1);
  return h5::open_group(dataset, name.substr(0, std::max<std::size_t>(name.rfind('/'), 1)));
}

void require_regular_file(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (status.type() == std::filesystem::file_type::not_found) throw base::FileError(path, "does not exist");
  if (problem) throw base::FileError(path, problem.message(), "name a results file");
  if (std::filesystem::is_directory(status)) throw base::FileError(path, "is a directory", "name a results file in it");
  if (!std::filesystem::is_regular_file(status))  // opening a pipe would wait, a device could do anything
    throw base::FileError(path, "is no regular file", "name a results file");
}

void require_run(const h5::Handle& file, const std::string& path) {
  if (!h5::has_attribute(file, "study_hash") || !h5::has_attribute(file, "schema_version"))
    throw base::FileError(path, "is an HDF5 file, but no results file of poslab");
  const double version = h5::number_attribute(file, "schema_version");
  if (version > static_cast<double>(schema_version))
    throw base::FileError(
        path,
        fmt::format("has schema version {}, and this poslab reads up to {}", base::shortest(version), schema_version),
        "use the poslab that wrote it, or a newer one");
}

}  // namespace

h5::Handle open_results(const std::string& path) {
  require_regular_file(path);
  try {
    h5::Handle file = h5::open_file(path);
    vet(file, path);
    require_run(file, path);
    return file;
  } catch (const h5::Error& error) {
    throw base::FileError(path, error.what(), "is it a results file of poslab?");
  }
}

base::FileError cannot_be_compared(const std::string& first, const std::string& second, const h5::Error& error) {
  return {first + " or " + second, error.what(), "make the damaged one again"};
}

std::vector<std::string> texts(const h5::Handle& group, const std::string& name) {
  return h5::read_texts(h5::open_dataset(group, name));
}

std::vector<double> numbers(const h5::Handle& group, const std::string& name) {
  return h5::read_numbers(h5::open_dataset(group, name));
}

ScaleNames scale_names(const h5::Handle& group) {
  ScaleNames names;
  for (const std::string& name : h5::links(group)) {
    H5O_info_t info;
    h5::check(H5Oget_info_by_name2(group, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT), "H5Oget_info_by_name2");
    names.emplace(info.addr, name);
  }
  return names;
}

std::vector<std::string> dimension_names(hid_t dataset, const ScaleNames& scales) {
  std::vector<std::string> names;
  for (const haddr_t address : scale_addresses(dataset, h5::shape_of(dataset).size())) {
    const auto scale = scales.find(address);
    names.push_back(scale == scales.end() ? "" : scale->second);
  }
  return names;
}

std::vector<std::string> dimension_names(hid_t dataset) {
  return dimension_names(dataset, scale_names(parent_of(dataset)));
}

std::vector<StoredMeasure> measures(const h5::Handle& group) {
  std::vector<StoredMeasure> found;
  const ScaleNames scales = scale_names(group);
  for (const std::string& name : h5::links(group)) {
    if (!h5::is_dataset(group, name)) continue;
    const h5::Handle dataset = h5::open_dataset(group, name);
    if (!h5::has_attribute(dataset, "tolerance_absolute")) continue;
    std::vector<std::string> dimensions = dimension_names(dataset, scales);
    if (dimensions.empty() || dimensions.front() != "cell")
      h5::damaged(dataset, "is a measure without a row for each cell");
    dimensions.erase(dimensions.begin());
    found.push_back({name, std::move(dimensions)});
  }
  return found;
}

Found found_in(const std::string& path) {
  const h5::Silence silence;
  std::error_code none;
  if (!std::filesystem::exists(std::filesystem::status(path, none))) return {};
  require_regular_file(path);
  try {
    const h5::Handle file = h5::open_file(path);
    vet(file, path);
    const bool is_table = !h5::has_attribute(file, "study_hash") && h5::has_attribute(file, "scheme");
    if (is_table) return {Found::Kind::table, "", true};
    require_run(file, path);
    return {Found::Kind::run, h5::text_attribute(file, "study_hash"), h5::number_attribute(file, "complete") != 0};
  } catch (const h5::Error& error) {
    throw base::FileError(path, error.what(), "is it a results file of poslab?");
  }
}

}  // namespace poslab::results
