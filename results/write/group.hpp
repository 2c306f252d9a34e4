// SPDX-License-Identifier: Apache-2.0
// A group as netCDF-4 sees it: dimensions with their coordinates, and variables over them. Every dimension scale lies
// in the group that uses it, every axis has one, every name is one that all readers take.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "h5/attribute.hpp"
#include "h5/dataset.hpp"
#include "poslab/data/value.hpp"

namespace poslab::results {

using h5::Attributes;

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class Group {
 public:
  /// Wraps the root group of a new file, or makes a group in one.
  explicit Group(const h5::Handle& file);
  Group(const h5::Handle& parent, const std::string& name);
  static Group opened(const h5::Handle& parent, const std::string& name);  ///< one that is there
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

  // For changes of a file that is there:
  void attach(const h5::Handle& dataset, unsigned axis, const std::string& dimension) const;
  void remove(const std::string& name);
  const h5::Handle& handle() const { return group_; }

 private:
  struct Dimension {
    std::string name;
    hsize_t extent;
    h5::Handle scale;
  };
  Group() = default;
  void require_free(const std::string& name) const;
  const Dimension& find(const std::string& name) const;
  h5::Handle create(const std::string& name, const std::vector<std::string>& dimensions, h5::Type type,
                    const Attributes& attributes);

  h5::Handle group_;
  std::vector<Dimension> dimensions_;
  std::vector<h5::Handle> open_;
};

/// Throws base::Error unless `name` is a letter followed by letters, digits, `_`, `-` and `.`.
void check_name(const std::string& name);

/// A sentence, `flag_values` and `flag_meanings` of the enumerators 0 .. last, whose words blanks separate.
template <class Enum>
Attributes flags_to(Enum last, const std::string& sentence) {
  std::vector<std::uint8_t> values;
  std::string meanings;
  for (std::uint8_t value = 0; value <= static_cast<std::uint8_t>(last); ++value) {
    std::string word = to_text(static_cast<Enum>(value));
    std::replace(word.begin(), word.end(), ' ', '_');
    values.push_back(value);
    meanings += (value ? " " : "") + word;
  }
  return {{"long_name", sentence}, {"flag_values", values}, {"flag_meanings", meanings}};
}

/// The dimension of the index, which has a row for each cell of the run. A group's own dimension `cell` is shorter.
inline constexpr const char* run_cell = "run_cell";

/// Columns over a dimension that counts items from 0.
class CountedColumns {
 public:
  CountedColumns(Group& group, std::string dimension, std::size_t count, const std::string& sentence);
  /// Over a dimension without coordinates: groups inside, which xarray gives those of the group around, get none.
  CountedColumns(Group& group, std::string dimension, std::size_t count);

  /// A text, JSON of values, a real, a whole number or, of an enumerator or a bool, a flag: `of(i)` for item i.
  template <class Of>
  void add(const std::string& name, const Attributes& attributes, const Of& of) const {
    std::vector<decltype(stored(of(std::size_t{})))> values;
    values.reserve(count_);
    for (std::size_t i = 0; i < count_; ++i) values.push_back(stored(of(i)));
    group_.variable(name, {dimension_}, values, attributes);
  }

 private:
  static std::string stored(std::string text) { return text; }
  static std::string stored(const data::Values& values) { return values.to_json(); }
  static double stored(double real) { return real; }
  static std::int64_t stored(int whole) { return whole; }
  static std::int64_t stored(std::int64_t whole) { return whole; }
  static std::uint64_t stored(std::uint64_t whole) { return whole; }
  static std::uint8_t stored(bool flag) { return flag; }
  template <class Enum>
  requires std::is_enum_v<Enum>
  static std::uint8_t stored(Enum flag) { return static_cast<std::uint8_t>(flag); }

  Group& group_;
  const std::string dimension_;
  const std::size_t count_;
};

}  // namespace poslab::results
