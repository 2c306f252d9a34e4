// SPDX-License-Identifier: Apache-2.0
#include "poslab/host/library.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace poslab::host {
namespace {

poslab_value to_boundary(const data::Quantity& quantity, const data::Value& value) {
  poslab_value out{};
  out.is_set = std::holds_alternative<std::monostate>(value) ? 0 : 1;
  if (const auto* flag = std::get_if<bool>(&value)) out.choice = *flag ? 1 : 0;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) out.integer = *integer;
  if (const auto* real = std::get_if<double>(&value)) out.real = *real;
  if (const auto* word = std::get_if<std::string>(&value))
    out.choice = static_cast<std::int32_t>(std::find(quantity.choices.begin(), quantity.choices.end(), *word) -
                                           quantity.choices.begin());
  if (const auto* list = std::get_if<std::vector<double>>(&value)) {
    out.list = list->data();
    out.list_count = static_cast<std::int64_t>(list->size());
  }
  return out;
}

}  // namespace

poslab_model to_boundary(const Model& model) {
  return {sizeof(poslab_model), 0, model.model_width, model.heads, model.head_width(), model.train_length};
}

std::vector<poslab_value> to_boundary(const std::vector<data::Quantity>& declared, const data::Values& values) {
  std::vector<poslab_value> out;
  std::size_t i = 0;
  for (const auto& [name, value] : values) out.push_back(to_boundary(declared[i++], value));
  return out;
}

}  // namespace poslab::host
