// SPDX-License-Identifier: Apache-2.0
#include "search/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "poslab/base/text.hpp"

namespace poslab::identify {
namespace {

// Lengths of contexts, windows and tables, for a parameter whose unit says that it is one.
void add_lengths(std::vector<data::Value>& values, const Evidence& evidence) {
  for (const std::int64_t length :
       {8192, 4096, 2048, 128, 32768, 16384, 65536, 131072, 262144, 1024, 512, 256, 64, 32, 16, 8, 4})
    values.emplace_back(length);
  for (const std::int64_t length : {12, 24, 48, 96, 192, 20, 40, 10, 100, 1000}) values.emplace_back(length);
  values.emplace_back(evidence.positions.extent(0));
}

void add_integers(std::vector<data::Value>& values, const data::Quantity& parameter, const Evidence& evidence) {
  if (parameter.role == data::Role::rotary_width)
    for (const std::optional<Index>& width : {evidence.rotary_width, evidence.rotary_width_from_end})
      if (width) values.emplace_back(*width);
  if (parameter.unit == "position") add_lengths(values, evidence);
  for (const auto& weight : evidence.weights)  // of which they may be the extents
    for (const Index extent : weight->shape)
      for (const Index guess : {extent, extent - 1, extent + 1, extent / 2, (extent + 1) / 2, extent - 2})
        values.emplace_back(guess);
}

// How many planes each of three axes has: all ways to part them, where there are few.
void add_planes(std::vector<data::Value>& values, const Evidence& evidence) {
  const Index rotary_width = evidence.rotary_width.value_or(0);
  const auto P = static_cast<double>((rotary_width > 0 ? rotary_width : evidence.model.head_width()) / 2);
  const double quarter = std::round(P / 4);
  std::erase_if(values, [&](const data::Value& value) {
    const auto& list = std::get<std::vector<double>>(value);
    return std::accumulate(list.begin(), list.end(), 0.0) != P;
  });
  values.emplace_back(
      std::vector<double>{quarter, std::ceil((P - quarter) / 2), P - quarter - std::ceil((P - quarter) / 2)});
  if (P > 64) return;
  for (double a = 0; a <= P; ++a)
    for (double b = 0; a + b <= P; ++b) values.emplace_back(std::vector<double>{a, b, P - a - b});
}

// One number an axis, most often: the dump's own, and of usual lists those that have as many, where some do.
void add_extents(std::vector<data::Value>& values, const Evidence& evidence) {
  const auto is_other = [&](const data::Value& value) {
    return std::get<std::vector<double>>(value).size() != evidence.extents.size();
  };
  if (!std::all_of(values.begin(), values.end(), is_other)) std::erase_if(values, is_other);
  values.insert(values.begin(), evidence.extents);
}

bool is_in_use(const data::Quantity& parameter, const Evidence& evidence, const data::Value& value) {
  if (value == parameter.default_value) return true;
  if (parameter.kind == data::Kind::list) return false;
  const std::vector<data::Value> all = values_in_use(parameter, evidence);
  return std::find(all.begin(), all.end(), value) != all.end();
}

std::size_t digits_of(double x) {
  std::size_t digits = 0;
  const std::string text = base::shortest(x);
  for (const char c : text.substr(0, text.find('e'))) digits += base::is_digit(c) ? 1 : 0;
  if (text.find('.') == std::string::npos)  // 500000 is one digit
    for (std::size_t at = text.size(); at-- > 1 && text[at] == '0';) --digits;
  return std::max<std::size_t>(1, digits);
}

// With more digits than somebody writes it is any number: how many more it takes is chance.
constexpr std::size_t digits_that_somebody_wrote = 4;
double words_of_digits(std::size_t digits) {
  if (digits <= digits_that_somebody_wrote) return static_cast<double>(digits);
  return 1 + static_cast<double>(digits_that_somebody_wrote) + 0.01 * static_cast<double>(digits);
}

}  // namespace

std::vector<data::Value> values_in_use(const data::Quantity& parameter, const Evidence& evidence) {
  std::vector<data::Value> guesses = parameter.usual;
  switch (parameter.kind) {
    case data::Kind::real: break;
    case data::Kind::integer: add_integers(guesses, parameter, evidence); break;
    case data::Kind::list:
      if (parameter.role == data::Role::planes)
        add_planes(guesses, evidence);
      else
        add_extents(guesses, evidence);
      break;
    case data::Kind::choice: guesses.assign(parameter.choices.begin(), parameter.choices.end()); break;
    case data::Kind::flag: guesses = {false, true}; break;
  }
  if (!std::holds_alternative<std::monostate>(parameter.default_value))
    guesses.insert(guesses.begin(), parameter.default_value);
  std::vector<data::Value> values;
  for (data::Value& value : guesses)
    if (!data::why_not(parameter, value) && std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(std::move(value));
  return values;
}

const data::Quantity* stretch_of(const data::SchemeInfo& scheme) {
  const auto found = std::find_if(scheme.parameters.begin(), scheme.parameters.end(), [](const data::Quantity& each) {
    return each.role == data::Role::factor && std::holds_alternative<std::monostate>(each.default_value);
  });
  return found == scheme.parameters.end() ? nullptr : &*found;
}

std::vector<double> round_numbers_near(const data::Quantity& parameter, const Evidence& evidence, double x) {
  std::vector<double> numbers;
  for (const data::Value& value : values_in_use(parameter, evidence))
    if (const auto* number = std::get_if<double>(&value); number && std::abs(*number - x) <= 0.03 * std::abs(x))
      numbers.push_back(*number);
  std::sort(numbers.begin(), numbers.end(), [&](double a, double b) { return std::abs(a - x) < std::abs(b - x); });
  for (int digits = 0; digits <= 7; ++digits) numbers.push_back(std::stod(fmt::format("{:.{}e}", x, digits)));
  numbers.push_back(x);
  return numbers;
}

Length length_of(const data::SchemeInfo& scheme, const data::Values& parameters, const Evidence& evidence) {
  Length length;
  // A scheme for more axes than there are could say more than it does.
  length.words = scheme.most_axes > evidence.positions.extent(1) ? 1.5 : 0;
  for (const auto& [name, value] : parameters) {
    const data::Quantity* parameter = scheme.parameter(name);
    if (!parameter || value == parameter->default_value) continue;
    length.words += 1;
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      for (const double x : *list) length.words += static_cast<double>(digits_of(x)) - 0.5;
    } else if (!is_in_use(*parameter, evidence, value)) {
      length.unusual += 1;
      if (const auto* number = std::get_if<double>(&value)) {
        length.words += words_of_digits(digits_of(*number));
        length.any_digits += digits_of(*number) > digits_that_somebody_wrote ? 1 : 0;
      }
      if (std::holds_alternative<std::int64_t>(value)) length.words += 2;
    }
  }
  return length;
}

}  // namespace poslab::identify
