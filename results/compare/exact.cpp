// SPDX-License-Identifier: Apache-2.0
// Whether two files are the same in everything that two exact runs have in common: all but `provenance`.
#include <fmt/format.h>

#include <algorithm>

#include "compare/value_text.hpp"
#include "h5/bounds.hpp"
#include "h5/dimension_names.hpp"
#include "h5/raw_bytes.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/compare.hpp"
#include "read/results_file.hpp"

namespace poslab::results {
namespace {

std::string listed(const std::vector<std::string>& names) { return names.empty() ? "nothing" : base::enumerate(names); }

class ExactComparison {
 public:
  explicit ExactComparison(Comparison& comparison) : comparison_(comparison) {}

  void groups(const h5::Handle& a, const h5::Handle& b, const std::string& path) {
    attributes(a, b, path);
    std::vector<std::string> in_a = h5::links(a), in_b = h5::links(b);
    if (path == "/")
      for (auto* names : {&in_a, &in_b})
        names->erase(std::remove(names->begin(), names->end(), "provenance"), names->end());
    if (in_a != in_b)
      return differ(path, fmt::format("holds {} in the first file and {} in the second", listed(in_a), listed(in_b)));
    const h5::ScaleNames scales_a = h5::scale_names(a), scales_b = h5::scale_names(b);
    for (const std::string& name : in_a) {
      const std::string child = fmt::format("{}/{}", path == "/" ? "" : path, name);
      const h5::Handle of_a(H5Oopen(a, name.c_str(), H5P_DEFAULT), H5Oclose, "H5Oopen");
      const h5::Handle of_b(H5Oopen(b, name.c_str(), H5P_DEFAULT), H5Oclose, "H5Oopen");
      if (H5Iget_type(of_a) != H5Iget_type(of_b)) {
        differ(child, "is a group in one file and a dataset in the other");
      } else if (H5Iget_type(of_a) == H5I_GROUP) {
        groups(of_a, of_b, child);
      } else {
        attributes(of_a, of_b, child);
        datasets(of_a, of_b, h5::dimension_names(of_a, scales_a) == h5::dimension_names(of_b, scales_b), child);
      }
    }
  }

 private:
  void differ(const std::string& path, std::string what) { comparison_.differences.push_back({path, std::move(what)}); }

  void attributes(const h5::Handle& a, const h5::Handle& b, const std::string& path) {
    const std::vector<std::string> in_a = attribute_names(a), in_b = attribute_names(b);
    if (in_a != in_b)
      return differ(path, fmt::format("has the attributes {} in the first file and {} in the second", listed(in_a),
                                      listed(in_b)));
    for (const std::string& name : in_a) {
      const h5::Handle of_a(H5Aopen(a, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen");
      const h5::Handle of_b(H5Aopen(b, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen");
      const h5::Handle type_a(H5Aget_type(of_a), H5Tclose, "H5Aget_type"),
          type_b(H5Aget_type(of_b), H5Tclose, "H5Aget_type");
      const h5::Handle space_a(H5Aget_space(of_a), H5Sclose, "H5Aget_space"),
          space_b(H5Aget_space(of_b), H5Sclose, "H5Aget_space");
      const std::string attribute = fmt::format("{}@{}", path, name);
      if (h5::check(H5Tequal(type_a, type_b), "H5Tequal") == 0 ||
          h5::check(H5Sextent_equal(space_a, space_b), "H5Sextent_equal") == 0) {
        differ(attribute, "has another type or shape");
      } else if (raw_value(of_a, type_a, space_a) != raw_value(of_b, type_b, space_b)) {
        differ(attribute, fmt::format("is {} in the first file and {} in the second", attribute_text(a, name),
                                      attribute_text(b, name)));
      }
    }
  }

  void datasets(const h5::Handle& a, const h5::Handle& b, bool same_dimensions, const std::string& path) {
    const h5::Handle type_a(H5Dget_type(a), H5Tclose, "H5Dget_type"), type_b(H5Dget_type(b), H5Tclose, "H5Dget_type");
    if (h5::check(H5Tequal(type_a, type_b), "H5Tequal") == 0) return differ(path, "has another type");
    if (h5::shape_of(a) != h5::shape_of(b)) return differ(path, "has another shape");
    if (!same_dimensions) return differ(path, "has other dimensions");
    if (h5::check(H5Tis_variable_str(type_a), "H5Tis_variable_str") > 0) return compare_texts(a, b, path);
    compare_bytes(a, b, type_a, path);
  }

  void compare_texts(const h5::Handle& a, const h5::Handle& b, const std::string& path) {
    const std::vector<std::string> in_a = h5::read_texts(a), in_b = h5::read_texts(b);
    for (std::size_t i = 0; i < in_a.size(); ++i)
      if (in_a[i] != in_b[i])
        return differ(fmt::format("{}[{}]", path, i),
                      fmt::format("is \"{}\" in the first file and \"{}\" in the second", in_a[i], in_b[i]));
  }

  // One row at a time, or a part of the only axis: a padded whole may be far larger than what is stored.
  void compare_bytes(const h5::Handle& a, const h5::Handle& b, const h5::Handle& type, const std::string& path) {
    const h5::Shape shape = h5::shape_of(a);
    const std::size_t width = H5Tget_size(type);
    h5::Shape start(shape.size(), 0), extent = shape;
    if (!shape.empty()) extent[0] = std::min<hsize_t>(shape.size() == 1 ? 65536 : 1, shape[0]);
    const std::size_t count = std::max(h5::block_count(a, start, extent), h5::block_count(b, start, extent));
    if (count == 0) return;
    std::vector<unsigned char> bytes_a(count * width), bytes_b(count * width);
    for (hsize_t row = 0; row < (shape.empty() ? 1 : shape[0]); row += shape.empty() ? 1 : extent[0]) {
      if (!shape.empty()) start[0] = std::min(row, shape[0] - extent[0]);
      read_raw(a, type, start, extent, bytes_a);
      read_raw(b, type, start, extent, bytes_b);
      const auto found = std::mismatch(bytes_a.begin(), bytes_a.end(), bytes_b.begin());
      if (found.first == bytes_a.end()) continue;
      const auto element = static_cast<std::size_t>(found.first - bytes_a.begin()) / width;
      const std::size_t at = element * width;
      return report(start, extent, element, number_text(type, &bytes_a[at]), number_text(type, &bytes_b[at]), path);
    }
  }

  void report(const h5::Shape& start, const h5::Shape& extent, std::size_t element, const std::string& in_a,
              const std::string& in_b, const std::string& path) {
    std::string index;
    std::size_t rest = element;
    for (std::size_t axis = extent.size(); axis-- > 0;) {
      index = fmt::format("{}{}{}", start[axis] + rest % extent[axis], index.empty() ? "" : ", ", index);
      rest /= extent[axis];
    }
    differ(fmt::format("{}[{}]", path, index),
           fmt::format("is {} in the first file and {} in the second, the first of what differs there", in_a, in_b));
  }

  Comparison& comparison_;
};

}  // namespace

Comparison compare_exact(const std::string& first, const std::string& second) try {
  const h5::Silence silence;
  const h5::Handle a = open_results(first), b = open_results(second);
  Comparison comparison;
  comparison.compared_cells = h5::size_of(h5::shape_of(h5::open_dataset(a, "id")));
  ExactComparison(comparison).groups(h5::open_group(a, "/"), h5::open_group(b, "/"), "/");
  return comparison;
} catch (const h5::Error& error) {
  throw unreadable_pair(first, second, error);
}

}  // namespace poslab::results
