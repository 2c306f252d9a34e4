// SPDX-License-Identifier: Apache-2.0
// What the words behind options stand for.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "options/options.hpp"
#include "poslab/base/printable.hpp"

namespace poslab::app {

void read(const std::string& /*option*/, const std::string& text, std::string& value) { value = text; }

template <class Number>
requires std::is_arithmetic_v<Number>
void read(const std::string& option, const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [last, problem] = std::from_chars(text.data(), end, value);
  if (text.empty() || problem != std::errc() || last != end)
    throw UsageError(fmt::format("--{} is {}, but must be a {}number{}", option, base::excerpt(text),
                                 std::is_integral_v<Number> ? "whole " : "",
                                 std::is_unsigned_v<Number> ? " of at least 0" : ""));
}
template void read(const std::string& option, const std::string& text, double& value);
template void read(const std::string& option, const std::string& text, std::int64_t& value);
template void read(const std::string& option, const std::string& text, std::uint64_t& value);
template void read(const std::string& option, const std::string& text, int& value);

void read(const std::string& option, const std::string& text, std::pair<std::string, std::string>& value) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("--{} wants name=value, not \"{}\"", option, text));
  value = {text.substr(0, equals), text.substr(equals + 1)};
}

void read(const std::string& /*option*/, const std::string& text, Bytes& value) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  static constexpr std::pair<std::string_view, double> units[] = {
      {"", 1}, {"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};
  constexpr double least = 0x1p20;  // fewer bytes without a unit are a number of something else
  if (problem == std::errc() && unit.empty() && number > 0 && number < least)
    throw UsageError(fmt::format("\"{0}\" is {0} bytes of memory; write it with its unit, like {0}GiB or {0}MB", text));
  for (const auto& [name, factor] : units)
    if (problem == std::errc() && number > 0 && std::isfinite(number) && unit == name) {
      value.count = number * factor;
      return;
    }
  throw UsageError(fmt::format("\"{}\" is no amount of memory; write it like 8GiB or 500MB", text));
}

Requirement<double> between(double least, double most, const std::string& which) {
  return [=](const std::string& option, double value) {
    if (!(value >= least && value <= most))
      throw UsageError(fmt::format("--{} is {}, but must be from {} to {}{}", option, value, least, most, which));
  };
}

Requirement<double> above_0_seconds() {
  return [](const std::string& option, double value) {
    if (!(value > 0)) throw UsageError(fmt::format("--{} is {}, but must be above 0 seconds", option, value));
  };
}

Requirement<std::string> a_name_of(const std::string& what) {
  return [=](const std::string& option, const std::string& value) {
    if (value.empty())
      throw UsageError(fmt::format("{} wants the name of {}, and was given none (a variable that is not set?)",
                                   option == "output" ? "-o" : "--" + option, what));
  };
}

Requirement<std::string> output_name() {
  return [](const std::string& option, const std::string& value) {
    a_name_of("a file")(option, value);
    if (value.ends_with(".journal"))
      throw UsageError(fmt::format("-o {} would be taken for a journal; call it .h5", value));
  };
}

}  // namespace poslab::app
