// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/answer_text.hpp"

#include <fmt/format.h>

#include "poslab/data/length_axes.hpp"

namespace poslab::experiments::answer_text {

std::string where(const Point& point) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? " (" : ", ") + part; };
  for (const char* length : data::length_axes)
    if (point.axes.contains(length)) {
      add(fmt::format("N = {}", point.axes.integer(length)));
      break;
    }
  if (point.axes.contains("dtype")) add(point.axes.text("dtype"));
  const std::size_t repeats = point.repeats.size();
  add(fmt::format("{} repeat{}", repeats, repeats == 1 ? "" : "s"));
  return text + ")";
}

}  // namespace poslab::experiments::answer_text
