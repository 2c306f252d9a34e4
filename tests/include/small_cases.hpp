// SPDX-License-Identifier: Apache-2.0
// Random small cells of an experiment, and how far its numbers may be from those of a second implementation.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cells.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/refusal.hpp"
#include "thousand.hpp"

namespace small_cases {

using cells::Cell;
using cells::Index;
using poslab::data::Placement;
using poslab::data::Value;
using poslab::data::Values;

/// Schemes of every family, with the parameters in which their small cases differ.
inline const std::vector<std::pair<std::string, Values>>& schemes() {
  const auto whole = [](std::int64_t n) { return Value(n); };
  static const std::vector<std::pair<std::string, Values>> all{
      {"none", {}},
      {"index", {}},
      {"normalised-index", {}},
      {"sinusoidal", {}},
      {"sinusoidal", {{"layout", Value("half-split")}, {"base", Value(50.0)}}},
      {"learned", {}},
      {"learned", {{"max_length", whole(12)}}},
      {"rope", {}},
      {"rope", {{"base", Value(20.0)}}},
      {"rope", {{"scaling", Value("dynamic-ntk")}, {"factor", Value(2.0)}}},
      {"value-rope", {{"base", Value(30.0)}}},
      {"value-rope", {{"logits", Value(false)}}},
      {"xpos", {{"scale_base", Value(30.0)}}},
      {"alibi", {}},
      {"alibi", {{"form", Value("symmetric")}}},
      {"t5", {}},
      {"t5", {{"bidirectional", Value(true)}, {"buckets", whole(8)}, {"max_distance", whole(6)}}},
      {"shaw", {{"clip", whole(3)}, {"init_std", Value(0.5)}}},
      {"kerple", {}},
      {"fire", {{"init_l", Value(4.0)}, {"mlp_width", whole(4)}}},
      {"transformer-xl", {}},
      {"tupe", {{"max_length", whole(40)}}},
      {"cope", {{"max_positions", whole(4)}, {"init_std", Value(0.5)}}},
      {"fox", {}},
  };
  return all;
}

/// Numbers of a seed, one after the other.
class Dice {
 public:
  explicit Dice(const std::string& seed) : stream_(seed) {}
  Index between(Index lowest, Index highest) {
    return lowest + static_cast<Index>(stream_.below(next_++, static_cast<std::uint64_t>(highest - lowest + 1)));
  }
  double real(double lowest, double highest) { return lowest + (highest - lowest) * stream_.uniform(next_++); }
  template <class T>
  const T& among(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(between(0, static_cast<Index>(choices.size()) - 1))];
  }

  /// A scheme, a model with `planes` planes a head at most, and positions 0 .. N - 1 or, one time in four, shifted.
  Cell cell(const std::string& experiment, const std::string& axis_of_length, Index longest, Index planes = 3) {
    const auto& [scheme, parameters] = among(schemes());
    const Index N = between(1, longest), heads = between(1, 3);
    Cell cell{experiment, scheme, {{axis_of_length, Value(N)}}, parameters};
    cell.model = {heads * 2 * between(1, planes), heads, between(1, 2 * longest)};
    cell.repeat = static_cast<int>(between(0, 1000));
    if (axis_of_length == "train_length") {
      cell.model.train_length = N;
    } else if (between(0, 3) == 0) {
      cell.placement.policy = Placement::Policy::shifted;
      cell.placement.by = between(1, 20);
    }
    return cell;
  }

 private:
  poslab::base::Stream stream_;
  std::uint64_t next_ = 0;
};

/// Whether the scheme can be had with these parameters in this model: some need wider heads.
inline bool is_possible(const Cell& cell) {
  try {
    const poslab::host::Scheme scheme(cells::plugin(cell.scheme), cell.parameters, cell.model);
    return true;
  } catch (const poslab::data::Refused&) {
    return false;
  }
}

/// check(cell, answer) for 1000 cells of `draw` (check::thousand) that are not skipped.
template <class Draw, class Check>
void for_1000(const Draw& draw, const Check& check) {
  int measured = 0;
  for (int tried = 0; measured < check::thousand; ++tried) {
    if (tried == 4000) throw std::logic_error("most of the small cases are skipped");
    const Cell cell = draw();
    if (!is_possible(cell)) continue;
    const cells::Answer answer = cells::run(cell);
    if (!answer.skip.empty()) continue;
    ++measured;
    check(cell, answer);
  }
}

/// What a failure is of.
inline std::string text(const Cell& cell) {
  std::string text =
      fmt::format("{} D = {} H = {} trained on {}, repeat {}, positions = {}", cell.scheme, cell.model.model_width,
                  cell.model.heads, cell.model.train_length, cell.repeat, cell.placement.text());
  for (const Values& values : {cell.parameters, cell.axes})
    for (const auto& [name, value] : values) text += fmt::format(", {} = {}", name, poslab::data::to_text(value));
  return text;
}

/// Empty where the measure's own tolerance holds, beside the last bits of the number itself, which no bound that is
/// absolute has room for where numbers are large; statistical ones, of the same draws, get that of rounding. `wanted`
/// is empty where the measure must be absent.
inline std::string difference(const Cell& cell, const cells::Answer& answer, const std::string& name,
                              const std::vector<double>& wanted) {
  const auto* found = answer.record.measurement(name);
  if (!found || found->values.size() != wanted.size())
    return !found && wanted.empty()
               ? ""
               : fmt::format("{} has {} values, not {}", name, found ? found->values.size() : 0, wanted.size());
  const Values axes = cells::all_axes(cell);
  const auto& measure = *poslab::experiments::find_experiment(cell.experiment).info.measure(name);
  poslab::data::Tolerance tolerance = measure.tolerance_at(axes);
  if (tolerance.statistical && tolerance.absolute == 0) tolerance.absolute = tolerance.relative = 1e-11;
  const Value* length = axes.find("length");
  const auto N = static_cast<double>(std::get<std::int64_t>(length ? *length : *axes.find("train_length")));
  double reach = cell.placement.highest(static_cast<Index>(N));
  for (const std::string& dimension : found->dimensions)
    for (const double at : answer.record.coordinate_of(dimension)->values) reach = std::max(reach, std::abs(at) + N);
  const double unit = measure.tolerance_unit.empty() ? 1 : answer.scalar(measure.tolerance_unit);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double a = found->values[i], b = wanted[i], last_bits = 0x1p-49 * std::max(std::abs(a), std::abs(b));
    if (a == b || (std::isnan(a) && std::isnan(b)) ||
        std::abs(a - b) <= last_bits + tolerance.allowed(a, b, reach, N, unit))
      continue;
    return fmt::format("{}[{}] is {:.17g}, plain loops give {:.17g}: {:.2g} apart; {}", name, i, a, b, std::abs(a - b),
                       text(cell));
  }
  return "";
}

}  // namespace small_cases
