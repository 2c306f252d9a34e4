// SPDX-License-Identifier: Apache-2.0
#include "column_values.hpp"

#include <fmt/format.h>

#include "poslab/base/error.hpp"

namespace poslab::results {

bool is_number(const base::Quantity& quantity) {
  return quantity.kind == base::Kind::real || quantity.kind == base::Kind::integer;
}
std::string text_of(const base::Value& value) {
  return std::holds_alternative<std::vector<double>>(value) ? base::to_json(value) : base::to_text(value);
}

double number_or_nan(const base::Value& value, const std::string& name) {
  return std::holds_alternative<std::monostate>(value) ? nan : base::number(value, name);
}

Attributes described(const base::Quantity& quantity) {
  Attributes attributes;
  if (is_number(quantity)) attributes.emplace_back("units", quantity.unit);
  attributes.emplace_back("long_name", quantity.sentence);
  return attributes;
}

void refuse_reserved(const std::string& name, const std::string& what) {
  if (base::is_reserved(name))
    throw base::Error(fmt::format("\"{}\" cannot be the name of {}: results files reserve it", name, what));
}

}  // namespace poslab::results
