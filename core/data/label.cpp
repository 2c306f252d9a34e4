// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/label.hpp"

#include "poslab/base/text.hpp"

namespace poslab::data {

std::string label_of(const std::string& name, const Values& parameters, const std::vector<std::string>& told) {
  std::string inside;
  for (const std::string& one : told)
    if (const Value& value = parameters.at(one); !std::holds_alternative<std::monostate>(value))
      inside += (inside.empty() ? "" : ", ") + one + "=" + to_text(value);
  return inside.empty() ? name : name + "(" + inside + ")";
}

std::string label_parameters(const Variant& variant) {
  for (const std::string& name : variant.varied)
    if (!variant.parameters.find(name)) return "";
  const std::string made = label_of(variant.scheme, variant.parameters, variant.varied);
  if (variant.label != made && !variant.label.starts_with(made + " at ")) return "";  // at its positions
  std::string text;
  for (const std::string& name : variant.varied) {
    const Value& value = variant.parameters.at(name);
    const bool is_unset = std::holds_alternative<std::monostate>(value);
    text += (text.empty() ? "" : ", ") + base::quoted(name) + ": " + (is_unset ? "null" : base::quoted(to_text(value)));
  }
  return "{" + text + "}";
}

}  // namespace poslab::data
