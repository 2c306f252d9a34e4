// SPDX-License-Identifier: Apache-2.0
#include "variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace poslab::check {
namespace {

// An end that is merely that of a 32-bit integer was not chosen by anybody.
bool is_chosen(double end) { return std::isfinite(end) && end > -2147483648.0 && end < 2147483647.0; }

// The ends of a finite range that are themselves allowed; beside an excluded end, the nearest double, or the next
// integer.
std::vector<double> ends_of(const data::Quantity& parameter) {
  const data::Range& range = parameter.range;
  const bool whole = parameter.kind == data::Kind::integer;
  std::vector<double> ends;
  if (!is_chosen(range.lowest) || !is_chosen(range.highest)) return ends;
  if (!range.above_lowest) ends.push_back(range.lowest);
  if (range.above_lowest && whole) ends.push_back(std::floor(range.lowest) + 1);
  if (!range.below_highest) ends.push_back(range.highest);
  if (range.below_highest && whole) ends.push_back(std::ceil(range.highest) - 1);
  return ends;
}

data::Value as_kind(const data::Quantity& parameter, double number) {
  if (parameter.kind == data::Kind::integer) return static_cast<std::int64_t>(number);
  return number;
}

std::string label_of(const std::string& what, const host::Model& model) {
  return fmt::format("{}, D={} H={}", what, model.model_width, model.heads);
}

std::string text_of(const data::Values& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, data::to_text(value));
  return text.empty() ? "defaults" : text;
}

}  // namespace

const std::vector<host::Model>& usual_models() {
  static const std::vector<host::Model> models{{32, 4, 64}, {60, 5, 64}};
  return models;
}

const std::vector<host::Model>& wider_models() {
  static const std::vector<host::Model> models{{64, 4, 64}, {256, 4, 64}};
  return models;
}

std::vector<data::Value> other_values(const data::Quantity& parameter) {
  std::vector<data::Value> values;
  if (parameter.kind == data::Kind::choice)
    for (const std::string& choice : parameter.choices) values.emplace_back(choice);
  if (parameter.kind == data::Kind::flag) values = {true, false};
  if (parameter.kind == data::Kind::real || parameter.kind == data::Kind::integer)
    for (const double end : ends_of(parameter)) values.push_back(as_kind(parameter, end));
  if (parameter.may_be_unset) values.emplace_back(std::monostate{});
  const auto is_default = [&](const data::Value& value) { return value == parameter.default_value; };
  values.erase(std::remove_if(values.begin(), values.end(), is_default), values.end());
  return values;
}

std::vector<data::Value> outside_values(const data::Quantity& parameter) {
  const data::Range& range = parameter.range;
  std::vector<data::Value> values;
  const bool numeric = parameter.kind == data::Kind::real || parameter.kind == data::Kind::integer;
  std::vector<double> numbers;
  if (std::isfinite(range.lowest)) numbers.push_back(range.lowest - std::max(1.0, std::abs(range.lowest) * 1e-3));
  if (std::isfinite(range.highest)) numbers.push_back(range.highest + std::max(1.0, std::abs(range.highest) * 1e-3));
  if (std::isfinite(range.lowest) && range.above_lowest) numbers.push_back(range.lowest);
  if (std::isfinite(range.highest) && range.below_highest) numbers.push_back(range.highest);
  for (const double number : numbers) {
    if (numeric) values.push_back(as_kind(parameter, number));
    if (parameter.kind == data::Kind::list) values.emplace_back(std::vector<double>{number});
  }
  if (parameter.kind == data::Kind::real || parameter.kind == data::Kind::integer) values.emplace_back(std::nan(""));
  if (parameter.kind == data::Kind::list) values.emplace_back(std::vector<double>{std::nan("")});
  if (parameter.kind == data::Kind::integer) values.emplace_back(0.5);
  if (parameter.kind == data::Kind::choice) values.emplace_back("no-such-choice");
  if (parameter.kind == data::Kind::flag) values.emplace_back("no-flag");
  if (!parameter.may_be_unset) values.emplace_back(std::monostate{});
  return values;
}

std::vector<Variant> variants_of(const data::SchemeInfo& scheme, const data::Values& given,
                                 const std::vector<host::Model>& models) {
  const std::vector<host::Model>& attached = models.empty() ? usual_models() : models;
  std::vector<Variant> variants;
  for (const host::Model& model : attached) {
    variants.push_back({label_of(text_of(given), model), given, model});
    if (!given.empty()) continue;
    for (const data::Quantity& parameter : scheme.parameters) {
      const bool named = parameter.kind == data::Kind::choice || parameter.kind == data::Kind::flag;
      if (&model != &attached.front() && !named) continue;
      for (const data::Value& value : other_values(parameter)) {
        const data::Values one{{parameter.name, value}};
        variants.push_back({label_of(text_of(one), model), one, model});
      }
    }
  }
  return variants;
}

}  // namespace poslab::check
