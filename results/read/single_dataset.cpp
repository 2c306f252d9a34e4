// SPDX-License-Identifier: Apache-2.0
// One dataset of a file that poslab did not write. Only what lies on the way to it is looked at: hard links, and the
// dataset itself.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "h5/bounds.hpp"
#include "h5/seal.hpp"
#include "h5/types.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/trained_weights.hpp"
#include "read/results_file.hpp"
#include "read/vetting.hpp"

namespace poslab::results {
namespace {

constexpr const char* what_to_do = "name a dataset of reals, as in learned.table=FILE:GROUP/DATASET";
constexpr hsize_t largest_array = hsize_t{1} << 30;  // bytes, as doubles

class DatasetReader {
 public:
  DatasetReader(std::string path, std::string name) : path_(std::move(path)), name_(std::move(name)) {}

  data::KeptArray read() const {
    base::require_regular_file(path_);
    require_unbroken(path_);
    const h5::Handle file = h5::open_file(path_);
    const h5::Handle dataset = find(h5::open_group(file, "/"), name_);
    vet_foreign_dataset(dataset, name_, path_);
    const h5::Handle type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
    const std::size_t width = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_FLOAT || (width != 2 && width != 4 && width != 8))
      refuse(fmt::format("{} holds no reals of 2, 4 or 8 bytes", base::excerpt(name_)));
    data::KeptArray array;
    array.name = "array";
    hsize_t count = 1;
    for (const hsize_t extent : h5::shape_of(dataset)) {
      if (extent == 0) refuse(fmt::format("{} holds no numbers", base::excerpt(name_)));
      if (count > largest_array / sizeof(double) / extent) refuse(fmt::format("{} is too large", base::excerpt(name_)));
      count *= extent;
      array.shape.push_back(static_cast<std::int64_t>(extent));
    }
    array.values = h5::read_numbers(dataset);
    if (const auto refusal = data::why_not_kept(array)) refuse(refusal->reason);
    return array;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const { throw base::FileError(path_, problem, what_to_do); }

  // Links by name or into other files would lead anywhere.
  h5::Handle find(h5::Handle group, std::string rest) const {
    for (;;) {
      rest.erase(0, rest.find_first_not_of('/'));
      const std::size_t slash = rest.find('/');
      const std::string word = rest.substr(0, slash);
      const std::vector<std::string> there = h5::links(group);
      if (std::find(there.begin(), there.end(), word) == there.end()) refuse(missing(word, there));
      H5L_info_t info;
      h5::check(H5Lget_info(group, word.c_str(), &info, H5P_DEFAULT), "H5Lget_info");
      if (info.type != H5L_TYPE_HARD) refuse(fmt::format("{} is a link to somewhere else", base::excerpt(word)));
      h5::Handle child(H5Oopen(group, word.c_str(), H5P_DEFAULT), H5Oclose, "H5Oopen");
      const bool is_last = slash == std::string::npos;
      if (is_last && H5Iget_type(child) == H5I_DATASET) return child;
      if (H5Iget_type(child) != H5I_GROUP) refuse(fmt::format("{} is no dataset", base::excerpt(word)));
      if (is_last) refuse(missing("", h5::links(child)));
      group = std::move(child);
      rest.erase(0, slash);
    }
  }

  static std::string missing(const std::string& word, const std::vector<std::string>& there) {
    std::vector<std::string> all;
    for (const std::string& name : there) all.push_back(base::excerpt(name));
    const std::string has = all.empty() ? "there is nothing" : "there are " + base::enumerate(std::move(all), 20);
    if (word.empty()) return "a group or a file was named, and no dataset in it; " + has;
    const std::string near = base::nearest(word, there);
    return fmt::format("has no {}{}; {}", base::excerpt(word),
                       near.empty() ? "" : "; did you mean " + base::excerpt(near) + "?", has);
  }

  const std::string path_, name_;
};

constexpr std::size_t max_datasets = 10'000, deepest = 32;

bool is_of_reals(hid_t dataset) {
  const h5::Handle type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
  return H5Tget_class(type) == H5T_FLOAT;
}

// Hard links may lead back to a group that is above: no further than `deepest`.
void add_names(hid_t group, const std::string& prefix, std::size_t depth, std::vector<std::string>& names) {
  for (const std::string& word : h5::links(group)) {
    if (names.size() >= max_datasets) return;
    H5L_info_t info;
    h5::check(H5Lget_info(group, word.c_str(), &info, H5P_DEFAULT), "H5Lget_info");
    if (info.type != H5L_TYPE_HARD) continue;
    const h5::Handle child(H5Oopen(group, word.c_str(), H5P_DEFAULT), H5Oclose, "H5Oopen");
    const H5I_type_t type = H5Iget_type(child);
    if (type == H5I_DATASET && is_of_reals(child)) names.push_back(prefix + word);
    if (type == H5I_GROUP && depth < deepest) add_names(child, prefix + word + "/", depth + 1, names);
  }
}

}  // namespace

std::vector<std::string> dataset_names(const std::string& path) try {
  const h5::Silence silence;
  base::require_regular_file(path);
  require_unbroken(path);
  const h5::Handle file = h5::open_file(path);
  std::vector<std::string> names;
  add_names(h5::open_group(file, "/"), "", 0, names);
  return names;
} catch (const h5::Error& error) {
  throw unreadable_results(path, error);
}

data::KeptArray read_dataset(const std::string& path, const std::string& name) try {
  const h5::Silence silence;
  return DatasetReader(path, name).read();
} catch (const h5::Error& error) {
  throw unreadable_results(path, error);
}

}  // namespace poslab::results
