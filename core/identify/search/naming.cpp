// SPDX-License-Identifier: Apache-2.0
#include "search/naming.hpp"

#include <algorithm>

#include "search/numbers.hpp"

namespace poslab::identify {
namespace {

constexpr double more_than_a_factor = 2.5;

}  // namespace

bool depends_on_length(const Maker& maker, const host::Scheme& scheme) {
  const auto plain = maker.scheme({});
  return plain && plain->claims(POSLAB_LENGTH_FREE) && !scheme.claims(POSLAB_LENGTH_FREE);
}

// Values that may be left out without a number changing are; then the others are what the variant is.
void name_found(Found& found, const Maker& maker, const Evidence& evidence, const Variant& variant) {
  const std::vector<double> shown = glimpse(found.candidate, evidence);
  data::Values values = found.values;
  for (const auto& [parameter, value] : found.values) {
    const data::Quantity* quantity = maker.info().parameter(parameter);
    data::Values without = values;
    without.erase(parameter);
    if (std::find(variant.numbers.begin(), variant.numbers.end(), parameter) != variant.numbers.end() &&
        value != quantity->default_value)
      continue;
    const auto candidate = maker.candidate(without);
    if (candidate && glimpse(*candidate, evidence) == shown) values = without;
  }
  // A factor that was left to its usual value is said.
  for (const std::string& number : variant.numbers) {
    const data::Quantity* quantity = maker.info().parameter(number);
    const data::Value* value = values.find(number);
    if (!found.fit.inside || (value && !std::holds_alternative<std::monostate>(*value)) ||
        !std::holds_alternative<std::monostate>(quantity->default_value))
      continue;
    for (const data::Value& option : values_in_use(*quantity, evidence)) {
      data::Values with = values;
      with.set(number, option);
      const auto candidate = maker.candidate(with);
      if (!candidate || glimpse(*candidate, evidence) != shown) continue;
      values = with;
      break;
    }
  }
  found.fit.named.scheme = maker.info().id;
  found.fit.named.parameters = {};
  for (const data::Quantity& quantity : maker.info().parameters)
    if (const data::Value* value = values.find(quantity.name); value && *value != quantity.default_value)
      found.fit.named.parameters.set(quantity.name, *value);
  found.length = length_of(maker.info(), found.fit.named.parameters, evidence);
  for (const host::Operation operation : host::all_operations)  // what it does beside what is shown
    found.length.words += found.candidate.scheme->has(operation) ? 0.25 : 0;
  found.by_length = depends_on_length(maker, *found.candidate.scheme);
  if (found.by_length) found.length.words += more_than_a_factor;  // which says the same of one length
  for (const data::Values& other : variant.same)
    for (const data::Quantity& quantity : maker.info().parameters) {
      const data::Value *a = other.find(quantity.name), *b = variant.choices.find(quantity.name);
      const data::Value& here = a ? *a : quantity.default_value;
      const data::Value& there = b ? *b : quantity.default_value;
      const auto is_in = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), quantity.name) != names.end();
      };
      if (here != there && !is_in(found.silent) && !is_in(variant.numbers)) found.silent.push_back(quantity.name);
    }
}

}  // namespace poslab::identify
