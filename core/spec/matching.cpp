// SPDX-License-Identifier: Apache-2.0
// Conditions and expectations against cells.
#include "matching.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grid.hpp"
#include "poslab/spec/plan.hpp"
#include "value_reader.hpp"

namespace poslab::spec {
namespace {

bool relates(Condition::Relation relation, const base::Value& here, const std::vector<base::Value>& values) {
  using Relation = Condition::Relation;
  const bool among =
      std::any_of(values.begin(), values.end(), [&](const base::Value& v) { return same_value(here, v); });
  if (relation == Relation::equal || relation == Relation::in) return among;
  if (relation == Relation::not_equal) return !among;
  if (!std::holds_alternative<std::int64_t>(here) && !std::holds_alternative<double>(here)) return false;
  const double x = base::number(here, "a value"), bound = base::number(values.at(0), "a bound");
  if (relation == Relation::less) return x < bound;
  if (relation == Relation::less_equal) return x <= bound;
  if (relation == Relation::greater) return x > bound;
  return x >= bound;
}

bool some_cell_has(const base::Values& where, const std::string& experiment, const Study& study,
                   const base::Catalogue& catalogue) {
  const base::Value* scheme = where.find("scheme");
  const auto variant_fits = [&](const SchemeUse& use) {
    const base::SchemeInfo* info = catalogue.scheme(use.id);
    return info && (!scheme || same_value(*scheme, use.id)) && grid_of(use, *info).has_point_with(where);
  };
  const auto point_fits = [&](const ExperimentUse& use) {
    const base::ExperimentInfo* info = catalogue.experiment(use.id);
    return info && use.id == experiment && grid_of(use, study, *info).has_point_with(where);
  };
  return std::any_of(study.schemes.begin(), study.schemes.end(), variant_fits) &&
         std::any_of(study.experiments.begin(), study.experiments.end(), point_fits);
}

}  // namespace

bool holds(const Condition& condition, const base::Cell& cell) {
  const base::Value scheme = cell.variant.scheme;
  const base::Value* here = condition.name == "scheme" ? &scheme : cell.axes.find(condition.name);
  if (!here) here = cell.variant.parameters.find(condition.name);
  return here && relates(condition.relation, *here, condition.values);
}

bool matches(const base::Values& where, const base::Cell& cell) {
  return std::all_of(where.begin(), where.end(), [&](const auto& entry) {
    const auto& [name, wanted] = entry;
    if (name == "scheme") return same_value(wanted, cell.variant.scheme);
    const base::Value* here = cell.axes.find(name);
    if (!here) here = cell.variant.parameters.find(name);
    const bool inner = !here || (std::holds_alternative<std::vector<double>>(*here) &&
                                 !std::holds_alternative<std::vector<double>>(wanted));
    return inner || same_value(wanted, *here);
  });
}

std::string why_unmatched(const base::Expectation& expectation, const Study& study, const base::Catalogue& catalogue) {
  if (some_cell_has(expectation.where, expectation.experiment, study, catalogue)) return "";
  if (!some_cell_has({}, expectation.experiment, study, catalogue))
    return fmt::format("this expectation matches no cell: the study has no experiment {}", expectation.experiment);
  std::string all;
  for (const auto& [name, value] : expectation.where) {
    const std::string text = fmt::format("{} = {}", name, base::to_text(value));
    base::Values alone{{name, value}};
    if (const base::Value* scheme = expectation.where.find("scheme")) alone.set("scheme", *scheme);
    if (!some_cell_has(alone, expectation.experiment, study, catalogue))
      return fmt::format("this expectation matches no cell: none of {} has {}", expectation.experiment, text);
    all += (all.empty() ? "" : ", ") + text;
  }
  return fmt::format("this expectation matches no cell: none of {} has {} at once", expectation.experiment, all);
}

}  // namespace poslab::spec
