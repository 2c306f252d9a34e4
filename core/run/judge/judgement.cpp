// SPDX-License-Identifier: Apache-2.0
#include "judge/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/mean_and_error.hpp"
#include "poslab/study/plan.hpp"

namespace poslab::run {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool asks_for_another(const data::Values& where, const std::string& name, double here) {
  const data::Value* wanted = where.find(name);
  return wanted && !std::holds_alternative<std::vector<double>>(*wanted) && data::number(*wanted, name) != here;
}

// Whether the `flat`-th value of a curve lies at the coordinates, also those on a grid, that `where` asks for.
bool at_place(const data::Measurement& measurement, const data::Record& record, std::size_t flat,
              const data::Values& where) {
  for (std::size_t axis = measurement.dimensions.size(); axis-- > 0;) {
    const std::string& dimension = measurement.dimensions[axis];
    const data::Coordinate& coordinate = *record.coordinate_of(dimension);
    const std::size_t point = flat % coordinate.values.size();
    flat /= coordinate.values.size();
    if (asks_for_another(where, dimension, coordinate.values[point])) return false;
    for (const data::PositionCoordinate& on_grid : record.position_coordinates())
      if (on_grid.dimension == dimension &&
          asks_for_another(where, dimension + "_" + on_grid.axis, on_grid.values[point]))
        return false;
  }
  return true;
}

// Every value of the measure at the points that `where` asks for.
std::vector<double> values_at(const data::Record& record, const std::string& measure, const data::Values& where) {
  std::vector<double> values;
  const data::Measurement* measurement = record.measurement(measure);
  if (!measurement) return values;
  for (std::size_t i = 0; i < measurement->values.size(); ++i)
    if (at_place(*measurement, record, i, where)) values.push_back(measurement->values[i]);
  return values;
}

// A NaN is further than anything.
bool is_further(const data::Expectation& expectation, double value, double than) {
  return !std::isnan(than) &&
         (std::isnan(value) || data::distance_from(expectation, value) > data::distance_from(expectation, than));
}

std::vector<std::string> differing_names(const data::Expectation& expectation) {
  std::vector<std::string> names;
  const auto add_others = [&](const data::Values& these, const data::Values& those) {
    for (const auto& [name, value] : these) {
      const data::Value* other = those.find(name);
      if (!other || *other != value) names.push_back(name);
    }
  };
  if (expectation.minus.empty()) return names;
  add_others(expectation.where, expectation.minus);
  add_others(expectation.minus, expectation.where);
  return names;
}

}  // namespace

Judgement::Judgement(const data::Expectation& expectation)
    : result_{expectation, nan, 0, data::Verdict::not_measured, "", nan}, differing_(differing_names(expectation)) {}

bool Judgement::is_subtracted(const data::Cell& cell) const {
  return !result_.expectation.minus.empty() && study::matches(result_.expectation.minus, cell);
}

bool Judgement::concerns(const data::Cell& cell) const {
  return cell.experiment == result_.expectation.experiment &&
         (study::matches(result_.expectation.where, cell) || is_subtracted(cell));
}

std::string Judgement::key_of(const data::Cell& cell, bool without_differing) const {
  const auto differs = [&](const std::string& name) {
    return without_differing && std::find(differing_.begin(), differing_.end(), name) != differing_.end();
  };
  const auto text = [&](const data::Values& values) {
    data::Values common;
    for (const auto& [name, value] : values)
      if (!differs(name)) common.set(name, value);
    return common.to_json();
  };
  std::string key = text(cell.axes);
  if (!differs("scheme")) key += cell.variant.scheme + text(cell.variant.parameters) + cell.placement.text();
  return key;
}

void Judgement::look_at(const data::Cell& cell, const std::optional<data::Outcome>& outcome) {
  ++result_.matches;
  if (!outcome || outcome->status != data::Status::ok) {
    result_.message = outcome ? outcome->message : "the run was interrupted before";
    return;
  }
  ++measured_;
  take(cell, outcome->record);
}

void Judgement::take(const data::Cell& cell, const data::Record& record) {
  const data::Expectation& expectation = result_.expectation;
  if (is_subtracted(cell))
    others_[key_of(cell, true)][cell.repeat] = values_at(record, expectation.measure, expectation.minus);
  if (!study::matches(expectation.where, cell)) return;
  Points points = values_at(record, expectation.measure, expectation.where);
  if (expectation.repeats == data::OverRepeats::each && expectation.minus.empty()) {
    for (const double value : points) compare(value, nan);
    return;
  }
  Group& group = groups_[key_of(cell, false)];
  group.partner = key_of(cell, true);
  group.repeats[cell.repeat] = std::move(points);
}

bool Judgement::subtract(Group& group) {
  const auto partners = others_.find(group.partner);
  for (auto& [repeat, points] : group.repeats) {
    const Points* other = nullptr;
    if (partners != others_.end())
      if (const auto found = partners->second.find(repeat); found != partners->second.end()) other = &found->second;
    if (!other || other->size() != points.size()) {
      result_.message =
          other ? fmt::format("it has {} where \"minus\" has {}", base::counted(points.size(), "value"), other->size())
                : "no cell of \"minus\" has the same other values";
      return false;
    }
    std::transform(points.begin(), points.end(), other->begin(), points.begin(), std::minus<>());
  }
  return true;
}

void Judgement::judge(const Group& group) {
  if (result_.expectation.repeats == data::OverRepeats::each) {
    for (const auto& [repeat, points] : group.repeats)
      for (const double value : points) compare(value, nan);
    return;
  }
  const std::size_t count = group.repeats.begin()->second.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> of_repeats;
    for (const auto& [repeat, points] : group.repeats) of_repeats.push_back(i < points.size() ? points[i] : nan);
    const bool whole = std::none_of(of_repeats.begin(), of_repeats.end(), [](double x) { return std::isnan(x); });
    const data::MeanAndError mean = data::mean_and_error(of_repeats);
    // A single value has no known error.
    compare(whole ? mean.mean : nan, whole && of_repeats.size() > 1 ? mean.error : nan);
  }
}

void Judgement::compare(double measured, double error) {
  if (!any_ || is_further(result_.expectation, measured, result_.measured))
    result_.measured = measured, result_.error = error;
  any_ = true;
}

data::ExpectationResult Judgement::conclude() && {
  const data::Expectation& expectation = result_.expectation;
  bool whole = measured_ == result_.matches;
  if (whole)
    for (auto& [key, group] : groups_) {
      whole = whole && (expectation.minus.empty() || subtract(group));
      if (whole) judge(group);
    }
  if (!whole || !any_) {
    result_.measured = result_.error = nan;
    if (result_.message.empty()) result_.message = "the measure has no value there";
    data::set_texts(result_);
    return std::move(result_);
  }
  const bool holds = data::holds(expectation, result_.measured);
  result_.verdict = holds ? data::Verdict::holds : data::Verdict::fails;
  data::set_texts(result_);
  if (!holds) result_.message = fmt::format("measured {}, expected {}", result_.measured_text, result_.expected);
  return std::move(result_);
}

}  // namespace poslab::run
