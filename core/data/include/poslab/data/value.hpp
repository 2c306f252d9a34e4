// SPDX-License-Identifier: Apache-2.0
// The value of a parameter or of an axis, and ordered tables of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::data {

/// monostate: unset. A list (an inner axis, or a list parameter) is a vector of doubles; integers in it are exact.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>>;

/// Shortest text that reads back as the same value: `true`, `8`, `10000.0`, `half-split`, `[1, 2.5]`, `unset`.
/// A double always carries a point, an exponent, `nan` or `inf`, so that it never looks like an integer.
std::string to_text(const Value& value);
/// The same as a JSON value (strings quoted and escaped; unset is null; infinities and nan are strings).
std::string to_json(const Value& value);
/// The number in an integer or double value; throws base::Error, which names `what`, for anything else.
double number(const Value& value, const std::string& what);

/// Named values in a fixed order (the declared one). Small: look-up is linear.
class Values {
 public:
  Values() = default;
  Values(std::initializer_list<std::pair<std::string, Value>> entries) : entries_(entries) {}

  const Value* find(const std::string& name) const;
  const Value& at(const std::string& name) const;  ///< throws base::Error
  void set(const std::string& name, Value value);  ///< replaces, or appends
  void erase(const std::string& name);             ///< if it is there
  bool contains(const std::string& name) const { return find(name) != nullptr; }

  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;  ///< of an integer or a double
  bool flag(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  const std::vector<double>& list(const std::string& name) const;

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  bool operator==(const Values&) const = default;

  std::string to_json() const;  ///< one JSON object, in order
  /// Reads that back; nothing for a text that is none.
  static std::optional<Values> from_json(std::string_view text);

 private:
  std::vector<std::pair<std::string, Value>> entries_;
};

// Words of a command line as values.

/// One value that is no list: `true`, `8`, `1e4`, or else the text itself.
Value parse_scalar(const std::string& text);
/// What a parameter may be set to: a scalar, `unset`, or a list of numbers `1,2.5`. Not for the values of an axis:
/// there a comma separates one value from the next, and none of them can be unset.
Value parse_value(const std::string& text);

}  // namespace poslab::data
