// SPDX-License-Identifier: Apache-2.0
// Points of a product of axes.
#include "cells.hpp"

#include <algorithm>

#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

std::size_t rows(const Zip& group) { return group.front().values.size(); }

// Whether `here` is the wanted value; a list agrees with a number that it contains.
bool agrees(const data::Value& wanted, const data::Value& here) {
  const auto* list = std::get_if<std::vector<double>>(&here);
  if (!list || std::holds_alternative<std::vector<double>>(wanted)) return same_value(wanted, here);
  return std::ranges::find(*list, data::number(wanted, "a coordinate")) != list->end();
}

bool row_agrees(const Zip& group, std::size_t row, const data::Values& where) {
  return std::ranges::all_of(group, [&](const AxisValues& axis) {
    const data::Value* wanted = where.find(axis.name);
    return !wanted || agrees(*wanted, axis.values[row]);
  });
}

}  // namespace

AxisProduct::AxisProduct(data::Values defaults, const std::vector<AxisValues>& axes, const std::vector<Zip>& zips)
    : defaults_(std::move(defaults)), groups_(zips) {
  for (const AxisValues& axis : axes) groups_.push_back({axis});
  std::ranges::stable_sort(groups_, {}, [&](const Zip& group) {  // by where they are declared
    return std::ranges::find(defaults_, group.front().name, &std::pair<std::string, data::Value>::first) -
           defaults_.begin();
  });
}

double AxisProduct::size() const {
  double size = 1;
  for (const Zip& group : groups_) size *= static_cast<double>(rows(group));
  return size;
}

data::Values AxisProduct::point(std::size_t index) const {
  data::Values values = defaults_;
  for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
    const std::size_t row = index % rows(*group);
    index /= rows(*group);
    for (const AxisValues& axis : *group) values.set(axis.name, axis.values[row]);
  }
  return values;
}

bool AxisProduct::has_point_with(const data::Values& where) const {
  // Groups are crossed, so each is looked at on its own; what no group has is at its default.
  data::Values fixed = defaults_;
  for (const Zip& group : groups_) {
    bool found = false;
    for (std::size_t row = 0; row < rows(group) && !found; ++row) found = row_agrees(group, row, where);
    if (!found) return false;
    for (const AxisValues& axis : group)
      if (const data::Value* wanted = where.find(axis.name)) fixed.set(axis.name, *wanted);
  }
  return std::ranges::all_of(where, [&](const auto& entry) {
    const data::Value* here = fixed.find(entry.first);
    return !here || agrees(entry.second, *here);
  });
}

AxisProduct axis_product_of(const ExperimentUse& use, const Study& study, const data::ExperimentInfo& info) {
  data::Values defaults{{"d_model", study.d_model}, {"heads", study.heads}};
  for (const data::AxisInfo& axis : vocabulary_of(info).axes)
    if (!defaults.contains(axis.name)) defaults.set(axis.name, settle(axis, axis.default_value));
  return AxisProduct(std::move(defaults), use.axes, use.zips);
}

AxisProduct axis_product_of(const SchemeUse& use, const data::SchemeInfo& info) {
  data::Values defaults;
  for (const data::Quantity& parameter : info.parameters) {
    const data::Value* set = use.set.find(parameter.name);
    defaults.set(parameter.name, settle(parameter, set ? *set : parameter.default_value));
  }
  return AxisProduct(std::move(defaults), use.axes, use.zips);
}

}  // namespace poslab::study
