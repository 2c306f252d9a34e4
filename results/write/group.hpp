// SPDX-License-Identifier: Apache-2.0
// A group as netCDF-4 sees it: dimensions with their coordinates, and variables over them. Every dimension scale lies
// in the group that uses it, every axis has one, every name is one that all readers take.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "h5/attribute.hpp"
#include "h5/dataset.hpp"

namespace poslab::results {

using h5::Attributes;

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class Group {
 public:
  /// Wraps the root group of a new file, or makes a group in one.
  explicit Group(const h5::Handle& file);
  Group(const h5::Handle& parent, const std::string& name);
  /// Closes; throws h5::Error where the last numbers could not be written.
  void close();

  void attribute(const std::string& name, const h5::Attribute& value);
  /// A dimension as long as `values`, with the variable of its coordinates.
  void dimension(const std::string& name, const h5::Values& values, const Attributes& attributes);
  /// A dimension without coordinates, as netCDF-4 writes it.
  void bare_dimension(const std::string& name, hsize_t extent);
  void variable(const std::string& name, const std::vector<std::string>& dimensions, const h5::Values& values,
                const Attributes& attributes);
  /// A variable whose values are written later, block by block. The group keeps it open; the id is valid until `close`.
  hid_t open_variable(const std::string& name, const std::vector<std::string>& dimensions, h5::Type type,
                      const Attributes& attributes);
  /// A long text, in a variable without dimensions (attributes end at 64 kB).
  void text(const std::string& name, const std::string& value);
  bool has(const std::string& name) const;
  const h5::Handle& handle() const { return group_; }

 private:
  struct Dimension {
    std::string name;
    hsize_t extent;
    h5::Handle scale;
  };
  void require_free(const std::string& name) const;
  const Dimension& find(const std::string& name) const;
  h5::Handle create(const std::string& name, const std::vector<std::string>& dimensions, h5::Type type,
                    const Attributes& attributes);

  h5::Handle group_;
  std::vector<Dimension> dimensions_;
  std::vector<h5::Handle> open_;
};

/// Throws UnusableName unless `name` is a letter followed by letters, digits, `_`, `-` and `.`.
void check_name(const std::string& name);

}  // namespace poslab::results
