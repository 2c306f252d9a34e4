// SPDX-License-Identifier: Apache-2.0
// Conditions and expectations against cells.
#include "cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/data/expectation.hpp"
#include "poslab/study/plan.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

using Relation = Condition::Relation;

bool relates(Relation relation, const data::Value& here, const std::vector<data::Value>& values) {
  const bool among = std::ranges::any_of(values, [&](const data::Value& v) { return same_value(here, v); });
  if (relation == Relation::equal || relation == Relation::in) return among;
  if (relation == Relation::not_equal) return !among;
  if (!std::holds_alternative<std::int64_t>(here) && !std::holds_alternative<double>(here)) return false;
  const double x = data::number(here, "a value"), bound = data::number(values.at(0), "a bound");
  if (relation == Relation::less) return x < bound;
  if (relation == Relation::less_equal) return x <= bound;
  if (relation == Relation::greater) return x > bound;
  return x >= bound;
}

bool some_cell_has(const data::Values& where, const std::string& experiment, const Study& study,
                   const data::Catalogue& catalogue) {
  const data::Value* scheme = where.find("scheme");
  const auto variant_fits = [&](const SchemeUse& use) {
    const data::SchemeInfo* info = catalogue.scheme(use.id);
    return info && (!scheme || same_value(*scheme, use.id)) && axis_product_of(use, *info).has_point_with(where);
  };
  const auto point_fits = [&](const ExperimentUse& use) {
    const data::ExperimentInfo* info = catalogue.experiment(use.id);
    return info && use.id == experiment && axis_product_of(use, study, *info).has_point_with(where);
  };
  return std::ranges::any_of(study.schemes, variant_fits) && std::ranges::any_of(study.experiments, point_fits);
}

// Nothing if some cell has all of these values.
std::optional<base::Refusal> why_none_has(const data::Values& where, const std::string& experiment, const Study& study,
                                          const data::Catalogue& catalogue) {
  if (some_cell_has(where, experiment, study, catalogue)) return std::nullopt;
  if (!some_cell_has({}, experiment, study, catalogue))
    return fmt::format("the study has no experiment {}", experiment);
  std::string all;
  for (const auto& [name, value] : where) {
    const std::string text = fmt::format("{} = {}", name, data::to_text(value));
    data::Values alone{{name, value}};
    if (const data::Value* scheme = where.find("scheme")) alone.set("scheme", *scheme);
    if (!some_cell_has(alone, experiment, study, catalogue)) return fmt::format("none of {} has {}", experiment, text);
    all += (all.empty() ? "" : ", ") + text;
  }
  return fmt::format("none of {} has {} at once", experiment, all);
}

// What a coordinate is smaller than in size, or at most, where that is reached.
double reach_of(const data::DimensionInfo& dimension, const data::Cell& cell) {
  if (!cell.placement.is_plain()) return std::numeric_limits<double>::infinity();
  double reach = dimension.times;
  for (const std::string& name : dimension.within) {
    const data::Value* value = cell.axes.find(name);
    const auto* list = value ? std::get_if<std::vector<double>>(value) : nullptr;
    if (!value || (list && list->empty())) return std::numeric_limits<double>::infinity();
    reach *= list ? *std::max_element(list->begin(), list->end()) : data::number(*value, name);
  }
  return reach;
}

}  // namespace

bool holds(const Condition& condition, const data::Cell& cell) {
  const data::Value scheme = cell.variant.scheme;
  const data::Value* here = condition.name == "scheme" ? &scheme : cell.axes.find(condition.name);
  if (!here) here = cell.variant.parameters.find(condition.name);
  return here && relates(condition.relation, *here, condition.values);
}

bool matches(const data::Values& where, const data::Cell& cell) {
  return std::ranges::all_of(where, [&](const auto& entry) {
    const auto& [name, wanted] = entry;
    if (name == "scheme") return same_value(wanted, cell.variant.scheme);
    const data::Value* here = cell.axes.find(name);
    if (!here) here = cell.variant.parameters.find(name);
    const bool inner = !here || (std::holds_alternative<std::vector<double>>(*here) &&
                                 !std::holds_alternative<std::vector<double>>(wanted));
    return inner || same_value(wanted, *here);
  });
}

std::optional<base::Refusal> why_unmatched(const data::Expectation& expectation, const Study& study,
                                           const data::Catalogue& catalogue) {
  const std::string& experiment = expectation.experiment;
  if (const auto refusal = why_none_has(expectation.where, experiment, study, catalogue))
    return "this expectation matches no cell: " + refusal->reason;
  if (const auto refusal = why_none_has(expectation.minus, experiment, study, catalogue))
    return "\"minus\" of this expectation matches no cell: " + refusal->reason;
  return std::nullopt;
}

std::optional<base::Refusal> why_out_of_reach(const data::Expectation& expectation,
                                              const std::vector<data::Cell>& cells,
                                              const data::ExperimentInfo& experiment) {
  for (const data::DimensionInfo& dimension : experiment.dimensions) {
    const data::Value* wanted = expectation.where.find(dimension.name);
    if (!wanted || dimension.within.empty() || experiment.axis(dimension.name)) continue;
    const double point = std::abs(data::number(*wanted, dimension.name));
    double farthest = 0;
    for (const data::Cell& cell : cells)
      if (cell.experiment == experiment.id && matches(expectation.where, cell))
        farthest = std::max(farthest, reach_of(dimension, cell));
    if (dimension.reached ? point > farthest : point >= farthest)
      return fmt::format("{} = {} lies in no cell that this expectation applies to: they {} {:g}", dimension.name,
                         data::to_text(*wanted), dimension.reached ? "end at" : "stay below", farthest);
  }
  return std::nullopt;
}

}  // namespace poslab::study
