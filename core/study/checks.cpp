// SPDX-License-Identifier: Apache-2.0
// Checks of a whole study.
#include "checks.hpp"

#include <fmt/format.h>

#include <map>

#include "cells.hpp"
#include "poslab/data/expectation.hpp"

namespace poslab::study {
namespace {

double count_variants(const Study& study, const data::Catalogue& catalogue) {
  double variants = 0;
  for (const SchemeUse& use : study.schemes)
    if (const data::SchemeInfo* info = catalogue.scheme(use.id)) variants += axis_product_of(use, *info).size();
  return variants;
}

double count_points(const ExperimentUse& use, const Study& study, const data::Catalogue& catalogue) {
  const data::ExperimentInfo* info = catalogue.experiment(use.id);
  return info ? axis_product_of(use, study, *info).size() * use.repeats.value_or(1) : 0;
}

std::string with_thousands(double count) {
  if (count >= 1e15) return fmt::format("{:.1e}", count);
  std::string digits = fmt::format("{:.0f}", count);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

// Whether a mistake that is reported elsewhere may be why no cell matches.
bool may_match_what_is_wrong(const data::Expectation& expectation, const Draft& draft) {
  const FaultyParts& faulty = draft.faulty;
  const auto wrong = [&](const data::Values& where) {
    const data::Value* scheme = where.find("scheme");
    const std::string id = scheme ? std::get<std::string>(*scheme) : "";
    return faulty.schemes.count(id) > 0 || (!faulty.schemes.empty() && !has_use(draft.study.schemes, id));
  };
  const bool wrong_scheme = wrong(expectation.where) || wrong(expectation.minus);
  const bool wrong_experiment =
      faulty.experiments.count(expectation.experiment) ||
      (!faulty.experiments.empty() && !has_use(draft.study.experiments, expectation.experiment));
  return faulty.model || wrong_scheme || wrong_experiment || draft.study.schemes.empty();
}

}  // namespace

double count_cells(const Study& study, const data::Catalogue& catalogue) {
  double points = 0;
  for (const ExperimentUse& use : study.experiments) points += count_points(use, study, catalogue);
  return points * count_variants(study, catalogue);
}

std::string too_many_cells(double cells) {
  return fmt::format("this study has {} cells, but at most {} are planned at once; split it, or vary less",
                     with_thousands(cells), with_thousands(max_cells));
}

void refuse_huge_studies(Draft& draft) {
  const double cells = count_cells(draft.study, draft.catalogue);
  if (cells <= max_cells) return;
  const ExperimentUse* largest = &draft.study.experiments.front();
  for (const ExperimentUse& use : draft.study.experiments)
    if (count_points(use, draft.study, draft.catalogue) > count_points(*largest, draft.study, draft.catalogue))
      largest = &use;
  draft.report.add(largest->location, too_many_cells(cells));
}

void refuse_equal_variants(Draft& draft) {
  if (count_variants(draft.study, draft.catalogue) > max_cells) return;  // refused as huge
  std::map<std::string, SourceLocation> seen;
  std::map<std::string, std::vector<std::string>> varied;
  for (const SchemeUse& use : draft.study.schemes)
    if (!varied.count(use.id)) varied[use.id] = varied_names(draft.study, *draft.catalogue.scheme(use.id));
  for (const SchemeUse& use : draft.study.schemes) {
    const data::SchemeInfo& info = *draft.catalogue.scheme(use.id);
    const std::string where = (use.placement ? *use.placement : draft.study.placement).text();
    for (const data::Variant& variant : variants_of(use, info, varied[use.id])) {
      const auto [at, fresh] = seen.insert({variant.scheme + variant.parameters.to_json() + where, use.location});
      if (fresh) continue;
      draft.report.add(use.location, fmt::format("{} is in the study already, from the [[scheme]] in line {}",
                                                 variant.label, at->second.line));
      break;
    }
  }
}

void refuse_equal_labels(Draft& draft) {
  if (count_variants(draft.study, draft.catalogue) > max_cells) return;  // refused as huge
  std::map<std::string, const SchemeUse*> named;
  for (const SchemeUse& use : draft.study.schemes) {
    const data::SchemeInfo& info = *draft.catalogue.scheme(use.id);
    for (const data::Variant& variant : variants_of(use, info, varied_names(draft.study, info))) {
      const auto [other, fresh] = named.insert({variant.label, &use});
      if (fresh || (use.label.empty() && other->second->label.empty())) continue;  // without labels: told by positions
      draft.report.add(use.location, fmt::format("\"{}\" is also what the [[scheme]] in line {} is called; every label "
                                                 "is its own",
                                                 variant.label, other->second->location.line));
      break;
    }
  }
}

void refuse_unmatched_expectations(Draft& draft) {
  for (const data::Expectation& expectation : draft.study.expectations) {
    if (may_match_what_is_wrong(expectation, draft)) continue;
    if (const auto refusal = why_unmatched(expectation, draft.study, draft.catalogue))
      draft.report.add({expectation.line, expectation.column}, refusal->reason);
  }
}

}  // namespace poslab::study
