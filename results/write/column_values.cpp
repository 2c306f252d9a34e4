// SPDX-License-Identifier: Apache-2.0
#include "write/column_values.hpp"

#include "write/errors.hpp"

namespace poslab::results {

bool is_number(const data::Quantity& quantity) {
  return quantity.kind == data::Kind::real || quantity.kind == data::Kind::integer;
}
std::string text_of(const data::Value& value) {
  return std::holds_alternative<std::vector<double>>(value) ? data::to_json(value) : data::to_text(value);
}

double number_or_nan(const data::Value& value, const std::string& name) {
  return std::holds_alternative<std::monostate>(value) ? nan : data::number(value, name);
}

Attributes described(const data::Quantity& quantity) {
  Attributes attributes;
  if (is_number(quantity)) attributes.emplace_back("units", quantity.unit);
  attributes.emplace_back("long_name", quantity.sentence);
  return attributes;
}

void refuse_reserved(const std::string& name, const std::string& what) {
  if (data::is_reserved(name)) throw UnusableName(name, "cannot be the name of " + what + ": results files reserve it");
}

}  // namespace poslab::results
