// SPDX-License-Identifier: Apache-2.0
// The columns of one group, of one length, out of a file that anybody may have written.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "h5/conclusion_fields.hpp"
#include "h5/objects.hpp"
#include "read/results_file.hpp"

namespace poslab::results {

class ColumnReader {
 public:
  ColumnReader(const h5::Handle& file, const char* group) : group_(h5::open_group(file, group)) {}

  /// All throw base::FileError, of the kind `damaged`, where a column has another length than the first, or a value
  /// that poslab does not write.
  std::vector<std::string> texts(const char* name);
  std::vector<double> numbers(const char* name);
  std::vector<data::Values> tables(const char* name);  ///< of JSON
  template <class Enum>
  std::vector<Enum> one_of(const char* name, Enum last) {  ///< of the enumerators 0 .. last
    std::vector<Enum> values;
    for (const double x : numbers(name)) {
      if (!(x >= 0 && x <= static_cast<double>(last))) damaged(name, x);
      values.push_back(static_cast<Enum>(x));
    }
    return values;
  }
  /// An item for each row, of all fields that are stored. Files of earlier schemas have other names for some, and may
  /// lack columns, whose members stay as they are at the beginning.
  template <class Item, class... Gets>
  std::vector<Item> items(const std::tuple<Field<Gets>...>& fields, Schemas schemas = Schemas::today) {
    std::vector<Item> items;
    const auto take_present = [&](const auto& field) {
      const bool is_earlier = schemas == Schemas::earlier_too && field.earlier_name;
      const char* name = is_earlier ? field.earlier_name : field.name;
      if (schemas == Schemas::today || has(name)) take(field, name, items);
    };
    std::apply([&](const auto&... field) { (take_present(field), ...); }, fields);
    return items;
  }

  const h5::Handle& group() const { return group_; }
  bool has(const char* name) const { return h5::has_link(group_, name); }
  [[noreturn]] void damaged(const char* name, double x) const;
  /// The columns that are read from here on may have another length.
  void begin_others() { size_ = unknown; }

 private:
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  void check_size(std::size_t size, const char* name);

  template <class Get, class Item>
  void take(const Field<Get>& field, const char* name, std::vector<Item>& items) {
    if constexpr (Field<Get>::template is_stored<Item>) {
      using Value = std::remove_cvref_t<decltype(std::invoke(field.get, items[0]))>;
      const std::vector<Value> values = values_of<Value>(name);
      items.resize(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) std::invoke(field.get, items[i]) = values[i];
    }
  }
  template <class Value>
  std::vector<Value> values_of(const char* name) {
    if constexpr (std::is_same_v<Value, std::string>) {
      return texts(name);
    } else if constexpr (std::is_same_v<Value, data::Values>) {
      return tables(name);
    } else if constexpr (std::is_same_v<Value, double>) {
      return numbers(name);
    } else if constexpr (std::is_enum_v<Value>) {
      return one_of(name, last_of<Value>);
    } else {
      std::vector<Value> values;
      for (const double x : numbers(name)) {
        if (!(std::abs(x) < 2e9)) damaged(name, x);
        if constexpr (std::is_same_v<Value, bool>)
          values.push_back(x != 0);
        else
          values.push_back(static_cast<Value>(x));
      }
      return values;
    }
  }

  h5::Handle group_;
  std::size_t size_ = unknown;
};

}  // namespace poslab::results
