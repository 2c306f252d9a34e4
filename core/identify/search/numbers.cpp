// SPDX-License-Identifier: Apache-2.0
#include "search/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "poslab/base/text.hpp"

namespace poslab::identify {
namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

bool is_length(const data::Quantity& parameter) {
  return parameter.kind == data::Kind::integer && parameter.unit == "position" && parameter.name != "window";
}

// Rotary bases and temperatures: Su's; Llama 3 and Qwen 2; long Llamas, Mistral, Gemma 3; gpt-oss; Command; ViT.
std::vector<double> reals_in_use(const data::Quantity& parameter) {
  const std::string& name = parameter.name;
  if (is_one_of(name, {"base", "theta", "temperature", "max_timescale"}))
    return {1e4, 5e5,   1e6, 100, 10,   1.5e5, 1.6e5, 5e6, 1e7, 8e6, 4e6,
            8e5, 2.5e5, 1e5, 1e3, 25e3, 4e4,   5e4,   500, 50,  1e8};
  if (name == "factor") return {2, 4, 8, 16, 32, 64, 40, 20, 10, 3, 6, 1};
  if (name == "alpha") return {2, 4, 8, 16, 1000, 10, 32, 1};
  if (name == "p") return {0.75, 0.5, 0.25, 0.0, 1.0};
  if (name == "beta_fast") return {32, 16, 64};
  if (name == "beta_slow") return {1, 2, 4};
  if (name == "mscale" || name == "mscale_all_dim") return {1, 0.707, 0.8};
  if (name == "scale_base") return {512, 64, 16, 2048};
  if (name == "alibi_bias_max") return {8, 16, 4};
  if (name == "gamma") return {0.4, 1.0};
  if (name == "length" && parameter.unit == "position") return {8192, 4096, 16384, 2048, 32768, 65536, 1024, 512};
  if (name == "init_l") return {512, 1024, 2048, 256, 128, 64, 32, 16, 8, 4, 2, 1};
  return {};
}

std::vector<std::int64_t> integers_in_use(const data::Quantity& parameter, const Evidence& evidence) {
  const std::string& name = parameter.name;
  const Index N = evidence.positions.extent(0), D = evidence.model.model_width;
  std::vector<std::int64_t> list;
  if (name == "rotary_width") {
    for (const std::optional<Index>& width : {evidence.rotary_width, evidence.rotary_width_from_end})
      if (width) list.push_back(*width);
  } else if (name == "buckets") {
    list = {32, 8, 16, 64, 128, 320, 12, 24, 48};
  } else if (name == "max_distance" || is_length(parameter)) {
    if (is_one_of(name, {"max_distance", "max_relative_positions"})) list = {128, 16, 32, 64, 8, N};
    for (const std::int64_t length :
         {8192, 4096, 2048, 128, 32768, 16384, 65536, 131072, 262144, 1024, 512, 256, 64, 32, 16, 8, 4})
      list.push_back(length);
    for (const std::int64_t length : {12, 24, 48, 96, 192, 20, 40, 10, 100, 1000}) list.push_back(length);
    list.push_back(N);
  } else if (is_one_of(name, {"window", "group", "first_m"})) {
    list = {8, 4, 16, 2};
    for (std::int64_t i = 0; i <= 16; ++i) list.push_back(i);
    for (const std::int64_t i : {32, 64, 128, 256, 512, 1024}) list.push_back(i);
  } else if (name == "row_offset") {
    list = {0, 2, 1};
  } else if (name == "convolution") {
    list = {3, 0, 4, 2};
  } else if (name == "d_bar") {
    for (const std::int64_t i : {128, 64, 32, 16, 256, 512}) list.push_back(i);
  } else if (is_one_of(name, {"num_bands", "bits"})) {
    for (std::int64_t i = 1; i <= std::min<Index>(D, 64); ++i) list.push_back(i);
  } else if (name == "clip" || name == "training_length") {
    for (std::int64_t i = 1; i <= 16; ++i) list.push_back(i);
    for (const std::int64_t i : {32, 64, 128, 512, 1000, 1024, 2048, 4096}) list.push_back(i);
  }
  for (const auto& weight : evidence.weights)  // of which they may be the extents
    for (const Index extent : weight->shape)
      for (const Index guess : {extent, extent - 1, extent + 1, extent / 2, (extent + 1) / 2, extent - 2})
        list.push_back(guess);
  return list;
}

std::vector<data::Value> lists_in_use(const data::Quantity& parameter, const Evidence& evidence) {
  std::vector<data::Value> lists;
  if (parameter.name == "sections") {  // planes of three axes
    const Index rotary_width = evidence.rotary_width.value_or(0);
    const auto P = static_cast<double>((rotary_width > 0 ? rotary_width : evidence.model.head_width()) / 2);
    const double quarter = std::round(P / 4);
    // Qwen2-VL, GLM-4V; Qwen3-VL; Qwen3.5.
    for (const auto& list : {std::vector{16.0, 24.0, 24.0}, {8, 12, 12}, {24, 20, 20}, {11, 11, 10}})
      if (list[0] + list[1] + list[2] == P) lists.emplace_back(list);
    lists.emplace_back(
        std::vector<double>{quarter, std::ceil((P - quarter) / 2), P - quarter - std::ceil((P - quarter) / 2)});
    if (P <= 64)
      for (double a = 0; a <= P; ++a)
        for (double b = 0; a + b <= P; ++b) lists.emplace_back(std::vector<double>{a, b, P - a - b});
    return lists;
  }
  const std::vector<double>& grid = evidence.extents;
  lists.emplace_back(grid);
  if (parameter.name == "max_resolution" && grid.size() == 1)
    for (const double positions : {512.0, 2048.0, 224.0, 16.0, 64.0})
      lists.emplace_back(std::vector<double>{positions});
  if (parameter.name == "max_resolution" && grid.size() == 2)
    for (double a = 2; a <= 16; ++a)
      for (double b = 2; b <= 16; ++b) lists.emplace_back(std::vector<double>{a, b});
  if (parameter.name == "pretrained_window")
    for (const double side : {8.0, 12.0, 16.0, 24.0}) lists.emplace_back(std::vector<double>(grid.size(), side));
  return lists;
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
  std::vector<data::Value> values;
  const auto add = [&](const data::Value& value) {
    if (!data::why_not(parameter, value) && std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(value);
  };
  if (!std::holds_alternative<std::monostate>(parameter.default_value)) add(parameter.default_value);
  switch (parameter.kind) {
    case data::Kind::real:
      for (const double x : reals_in_use(parameter)) add(x);
      break;
    case data::Kind::integer:
      for (const std::int64_t x : integers_in_use(parameter, evidence)) add(x);
      break;
    case data::Kind::list:
      for (const data::Value& x : lists_in_use(parameter, evidence)) add(x);
      break;
    case data::Kind::choice:
      for (const std::string& choice : parameter.choices) add(choice);
      break;
    case data::Kind::flag:
      for (const bool flag : {false, true}) add(flag);
      break;
  }
  return values;
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
