// SPDX-License-Identifier: Apache-2.0
#include "h5/description.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace poslab::results::h5 {
namespace {

// First what UDUNITS calls it, then what else declarations may call it. Nothing that UDUNITS reads as something else:
// its "nat" is a billionth of a technical atmosphere, its "B" a bel. Nor "seconds", "hours" and their like, which
// xarray turns into durations.
constexpr std::string_view known[][4] = {{"s", "second", "seconds"},
                                         {"ms", "millisecond", "milliseconds"},
                                         {"us", "microsecond", "microseconds"},
                                         {"ns", "nanosecond", "nanoseconds"},
                                         {"min", "minute", "minutes"},
                                         {"h", "hour", "hours"},
                                         {"d", "day", "days"},
                                         {"Hz", "hertz"},
                                         {"rad", "radian", "radians"},
                                         {"degree", "degrees"},
                                         {"turn", "turns"},
                                         {"bit", "bits"},
                                         {"byte", "bytes", "B"}};

// Empty of what is counted.
std::string_view known_unit(std::string_view word) {
  for (const auto& names : known)
    if (!word.empty() && std::find(std::begin(names), std::end(names), word) != std::end(names)) return names[0];
  return {};
}

}  // namespace

std::string udunits(const std::string& unit) {
  std::string text;
  const std::string_view words = unit;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find('/', begin), words.size());
    const std::string_view factor = known_unit(words.substr(begin, end - begin));
    if (begin == 0) {
      text = factor.empty() ? "1" : factor;
    } else if (!factor.empty()) {
      text.append("/").append(factor);
    }
    begin = end + 1;
  }
  return text;
}

std::string label_of(std::string variable) {
  std::replace(variable.begin(), variable.end(), '_', ' ');
  return variable;
}

}  // namespace poslab::results::h5
