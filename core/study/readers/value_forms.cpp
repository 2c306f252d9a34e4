// SPDX-License-Identifier: Apache-2.0
// Values by rule. What is computed must not depend on the machine, for values make up the identity of cells: so reals
// are rounded to 15 decimal digits, which also turns 0.30000000000000004 into 0.3.
#include "readers/value_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "poslab/base/text.hpp"

namespace poslab::study {
namespace {

using Values = std::vector<data::Value>;

/// The numbers in the brackets of a form.
struct Arguments {
  std::vector<long double> numbers;
  bool all_integers = true;
};

/// Values, or why there are none.
struct Result {
  Values values;
  std::string problem;
};

double rounded(long double x) {
  const std::string digits = fmt::format("{:.14e}", static_cast<double>(x));
  double y = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), y);
  return y;
}

data::Value as_value(long double x, bool integer) {
  if (integer) return static_cast<std::int64_t>(std::llround(x));
  return static_cast<double>(x);
}

Result range(const Arguments& arguments, bool) {
  const long double lowest = arguments.numbers[0], highest = arguments.numbers[1], step = arguments.numbers[2];
  if (!(step > 0)) return {{}, "the step must be greater than 0"};
  if (highest < lowest) return {{}, "the second number is less than the first"};
  const long double steps = std::floor((highest - lowest) / step + 1e-9L);
  if (!(steps < max_values)) return {{}, fmt::format("that is more than {:.0f} values", max_values)};
  Result result;
  for (long double i = 0; i <= steps; ++i) {
    long double x = lowest + i * step;
    if (std::abs(x - highest) <= 1e-9L * step) x = highest;
    const bool as_written = arguments.all_integers || i == 0 || x == highest;
    result.values.push_back(as_value(as_written ? x : rounded(x), arguments.all_integers));
  }
  return result;
}

// Points from lowest to highest; `at(t)` gives the one at the fraction t of the way.
template <class At>
Result spaced(const Arguments& arguments, bool integers, At at) {
  const long double lowest = arguments.numbers[0], highest = arguments.numbers[1], count = arguments.numbers[2];
  if (count != std::floor(count) || count < 1) return {{}, "the third number is a count: an integer, at least 1"};
  if (highest < lowest) return {{}, "the second number is less than the first"};
  if (count > max_values) return {{}, fmt::format("that is more than {:.0f} values", max_values)};
  if (integers && std::max(-lowest, highest) > largest_exact_integer) return {{}, "integers reach to 2^53 at most"};
  Result result;
  for (long double i = 0; i < count; ++i) {
    const long double x = i == 0 ? lowest : i == count - 1 ? highest : rounded(at(i / (count - 1)));
    result.values.push_back(as_value(x, integers));
  }
  return result;
}

Result linspace(const Arguments& arguments, bool integers) {
  const long double lowest = arguments.numbers[0], highest = arguments.numbers[1];
  return spaced(arguments, integers, [&](long double t) { return lowest + (highest - lowest) * t; });
}

Result logspace(const Arguments& arguments, bool integers) {
  const long double lowest = arguments.numbers[0], highest = arguments.numbers[1];
  if (!(lowest > 0)) return {{}, "it goes from one number greater than 0 to another (not from exponent to exponent)"};
  return spaced(arguments, integers, [&](long double t) { return lowest * std::pow(highest / lowest, t); });
}

Result pow2(const Arguments& arguments, bool integers) {
  const long double first = arguments.numbers[0], last = arguments.numbers[1];
  if (!arguments.all_integers || std::abs(first) > 1000 || std::abs(last) > 1000)
    return {{}, "its exponents are integers from -1000 to 1000"};
  if (last < first) return {{}, "the second number is less than the first"};
  Result result;
  for (int exponent = static_cast<int>(first); exponent <= static_cast<int>(last); ++exponent)
    result.values.push_back(as_value(std::ldexp(1.0L, exponent), integers && exponent >= 0 && exponent <= 62));
  return result;
}

struct Form {
  const char* name;
  const char* pattern;
  std::size_t arguments;
  Result (*make)(const Arguments&, bool integers);
};

constexpr std::array<Form, 4> forms{{{"range", "range = [lowest, highest, step]", 3, range},
                                     {"linspace", "linspace = [lowest, highest, count]", 3, linspace},
                                     {"logspace", "logspace = [lowest, highest, count]", 3, logspace},
                                     {"pow2", "pow2 = [first exponent, last exponent]", 2, pow2}}};

std::optional<Arguments> read_arguments(const toml::node& node, const Form& form, Report& report) {
  const toml::array* list = node.as_array();
  Arguments arguments;
  bool fits = list && list->size() == form.arguments;
  for (std::size_t i = 0; fits && i < form.arguments; ++i) {
    const toml::node& element = *list->get(i);
    const double x = element.value<double>().value_or(NAN);
    fits = element.is_number() && std::abs(x) <= (element.is_integer() ? largest_exact_integer : 1e300);
    arguments.numbers.push_back(x);
    arguments.all_integers = arguments.all_integers && element.is_integer();
  }
  if (fits) return arguments;
  report.add(location_of(node), fmt::format("this form is written {} with {} numbers", form.pattern, form.arguments));
  return std::nullopt;
}

}  // namespace

std::optional<Values> read_form(const toml::table& table, const std::string& axis, bool integers, Report& report) {
  std::vector<std::string> names;
  for (const Form& form : forms) names.push_back(form.name);
  if (table.size() != 1) {
    report.add(location_of(table), fmt::format("\"{}\" is a table of {} keys, but values by rule have one of {}", axis,
                                               table.size(), base::enumerate(names)));
    return std::nullopt;
  }
  const Entry entry = in_file_order(table).front();
  for (const Form& form : forms) {
    if (entry.name != form.name) continue;
    const auto arguments = read_arguments(*entry.node, form, report);
    if (!arguments) return std::nullopt;
    Result result = form.make(*arguments, integers);
    if (result.problem.empty()) return result.values;
    report.add(location_of(*entry.node), fmt::format("{}: {}", form.name, result.problem));
    return std::nullopt;
  }
  const std::string advice = base::did_you_mean(entry.name, names);
  report.add(entry.location, fmt::format("{} is not a form of values{}", shown(entry.name),
                                         advice.empty() ? "; the forms are " + base::enumerate(names) : advice));
  return std::nullopt;
}

}  // namespace poslab::study
