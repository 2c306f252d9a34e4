// SPDX-License-Identifier: Apache-2.0
// `--only AXIS=VALUE`: a study's experiments at some values of an axis.
#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "cells.hpp"
#include "poslab/base/refusal.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/value.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

using Values = std::vector<data::Value>;

bool is_among(const data::Value& value, const Values& values) {
  return std::ranges::any_of(values, [&](const data::Value& other) { return same_value(other, value); });
}

// Precondition: a row is left.
void keep_rows(Zip& zip, const std::string& axis, const Values& values) {
  const auto chosen = std::ranges::find(zip, axis, &AxisValues::name);
  if (chosen == zip.end()) return;
  std::vector<bool> stays;
  for (const data::Value& value : chosen->values) stays.push_back(is_among(value, values));
  for (AxisValues& list : zip) {
    Values kept;
    for (std::size_t row = 0; row < stays.size(); ++row)
      if (stays[row]) kept.push_back(list.values[row]);
    list.values = std::move(kept);
  }
}

// The values in the axis's own type, or why an experiment has none of them: it has no such axis, measures all of them
// in one cell, or takes no such value.
struct Settled {
  Values values;
  std::optional<base::Refusal> refusal;
  bool has_axis = false;
};

Settled settled(const std::string& name, Values values, const Vocabulary& vocabulary) {
  const data::AxisInfo* axis = vocabulary.find(name);
  if (!axis) return {};
  if (axis->inner)
    return {{},
            base::Refusal{fmt::format("all values of {} are measured in one cell; --axis {}=.. asks for others",
                                      shown(name), name)},
            true};
  if (auto refusal = settle_values(values, *axis, Twice::allowed)) return {{}, std::move(refusal), true};
  return {std::move(values), std::nullopt, true};
}

// Whether some experiment of the study can have the axis so; else the mistake is reported.
bool is_possible(const std::string& axis, const Values& values, Draft& draft) {
  std::vector<std::string> known;
  std::optional<base::Refusal> refusal;
  for (const ExperimentUse& use : draft.study.experiments) {
    const Vocabulary vocabulary = vocabulary_of(*draft.catalogue.experiment(use.id));
    std::ranges::copy(vocabulary.names(), std::back_inserter(known));
    const Settled here = settled(axis, values, vocabulary);
    if (here.has_axis && !here.refusal) return true;
    if (here.refusal) refusal = here.refusal;
  }
  draft.report.add_command_line(refusal ? fmt::format("--only: {}", refusal->reason)
                                        : fmt::format("--only {}: no experiment of this study has such an axis{}",
                                                      shown(axis), base::did_you_mean(axis, known)));
  return false;
}

// Whether some of its points stay.
bool keep(ExperimentUse& use, const std::string& axis, const Values& given, const Draft& draft) {
  const data::ExperimentInfo& info = *draft.catalogue.experiment(use.id);
  const Values values = settled(axis, given, vocabulary_of(info)).values;
  const AxisProduct points = axis_product_of(use, draft.study, info);
  if (std::ranges::none_of(values, [&](const data::Value& value) { return points.has_point_with({{axis, value}}); }))
    return false;
  for (Zip& zip : use.zips) keep_rows(zip, axis, values);
  for (AxisValues& list : use.axes)
    if (list.name == axis)
      std::erase_if(list.values, [&](const data::Value& value) { return !is_among(value, values); });
  return true;
}

}  // namespace

void keep_values(const std::vector<std::pair<std::string, std::string>>& chosen, Draft& draft) {
  std::map<std::string, Values> values_of;
  for (const auto& [axis, value] : chosen) values_of[axis].push_back(data::parse_scalar(value));
  bool all_possible = !values_of.empty();
  for (const auto& [axis, values] : values_of) all_possible &= is_possible(axis, values, draft);
  if (!all_possible) return;
  for (const auto& chosen_values : values_of)
    std::erase_if(draft.study.experiments,
                  [&](ExperimentUse& use) { return !keep(use, chosen_values.first, chosen_values.second, draft); });
  if (draft.study.experiments.empty())
    draft.report.add_command_line("--only: no experiment of this study has these values");
}

}  // namespace poslab::study
