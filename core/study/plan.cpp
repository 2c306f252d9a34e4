// SPDX-License-Identifier: Apache-2.0
// Study -> Plan.
#include "poslab/study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cells.hpp"
#include "checks.hpp"
#include "poslab/data/expectation.hpp"
#include "readers/readers.hpp"

namespace poslab::study {
namespace {

const data::ExperimentInfo& experiment_info(const std::string& id, const data::Catalogue& catalogue) {
  if (const data::ExperimentInfo* info = catalogue.experiment(id)) return *info;
  throw base::Error(no_such_experiment(id, catalogue));
}

const data::SchemeInfo& scheme_info(const std::string& id, const data::Catalogue& catalogue) {
  if (const data::SchemeInfo* info = catalogue.scheme(id)) return *info;
  throw base::Error(no_such_scheme(id, catalogue));
}

/// One [[experiment]] of a union.
struct Block {
  const ExperimentUse* use;
  AxisProduct points;
};

/// A variant, and the positions of its tokens.
struct Placed {
  data::Variant variant;
  data::Placement placement;
};

/// A point of a union: the block that has it first, its index there, and all uses that have it.
struct Point {
  std::size_t block, index;
  std::vector<const ExperimentUse*> uses;
};

/// How often a cell is repeated, and the versions that are part of its identity.
struct Repetition {
  const data::ExperimentInfo* info;
  const std::string* scheme_version;
  int repeats;      // the most that a block asks for
  bool by_default;  // whether a block leaves it to what is drawn
};

class Planner {
 public:
  Planner(const Study& study, const data::Catalogue& catalogue, const Forecaster& forecast, const SupplyView& supply)
      : study_(study), catalogue_(catalogue), forecast_(forecast), supply_(supply) {}

  Plan plan() {
    refuse_if_too_many(count_cells(study_, catalogue_));
    expand_variants();
    std::unordered_set<std::string> done;
    for (const ExperimentUse& use : study_.experiments)
      if (done.insert(use.id).second) plan_experiment(experiment_info(use.id, catalogue_));
    expand();
    return std::move(plan_);
  }

  // `joining`: variants beside the study's own.
  data::Families families(std::size_t joining) {
    expand_variants();
    data::Families families;
    for (const ExperimentUse& use : study_.experiments)
      families[use.id] = (variants_.size() + joining) * points_of(experiment_info(use.id, catalogue_)).size();
    return families;
  }

 private:
  void expand_variants() {
    std::unordered_set<std::string> seen;
    std::unordered_map<std::string, std::vector<std::string>> varied;
    for (const SchemeUse& use : study_.schemes) {
      const data::SchemeInfo& info = scheme_info(use.id, catalogue_);
      if (!varied.count(use.id)) varied[use.id] = varied_names(study_, info);
      const data::Placement& placement = placement_of(use);
      for (data::Variant& variant : variants_of(use, info, varied[use.id])) {
        if (use.label.empty() && has_several_placements(use.id)) variant.label += " at " + placement.text();
        if (seen.insert(variant.scheme + variant.parameters.to_json() + placement.text()).second)
          variants_.push_back({std::move(variant), placement});
      }
    }
  }

  const data::Placement& placement_of(const SchemeUse& use) const {
    return use.placement ? *use.placement : study_.placement;
  }
  bool has_several_placements(const std::string& id) const {
    const data::Placement* first = nullptr;
    for (const SchemeUse& use : study_.schemes) {
      if (use.id != id) continue;
      if (first && !(*first == placement_of(use))) return true;
      first = &placement_of(use);
    }
    return false;
  }

  std::vector<Block> blocks_of(const data::ExperimentInfo& info) const {
    std::vector<Block> blocks;
    for (const ExperimentUse& use : study_.experiments)
      if (use.id == info.id) blocks.push_back({&use, axis_product_of(use, study_, info)});
    return blocks;
  }
  std::vector<Point> points_of(const data::ExperimentInfo& info) const { return unite(blocks_of(info)); }

  void plan_experiment(const data::ExperimentInfo& info) {
    const std::vector<Block> blocks = blocks_of(info);
    const std::vector<Point> points = unite(blocks);
    for (const auto& [variant, placement] : variants_) {
      const std::string& version = scheme_info(variant.scheme, catalogue_).version;
      for (const Point& point : points) {
        data::Cell cell{"",          info.id, variant, blocks[point.block].points.point(point.index),
                        study_.seed, 0,       {},      placement};
        plan_cell(std::move(cell), point, info, version);
      }
    }
  }

  // All points of all blocks, each once, in order of the first block that has it.
  static std::vector<Point> unite(const std::vector<Block>& blocks) {
    std::vector<Point> points;
    std::unordered_map<std::string, std::size_t> seen;
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const auto size = static_cast<std::size_t>(blocks[block].points.size());
      for (std::size_t index = 0; index < size; ++index) {
        const auto [at, fresh] = seen.insert({blocks[block].points.point(index).to_json(), points.size()});
        if (fresh) points.push_back({block, index, {}});
        points[at->second].uses.push_back(blocks[block].use);
      }
    }
    return points;
  }

  // What the study says of a cell; what the forecaster says comes when all cells are known.
  void plan_cell(data::Cell cell, const Point& point, const data::ExperimentInfo& info,
                 const std::string& scheme_version) {
    int repeats = 1;
    bool wanted = false, drawn_by_default = false;
    for (const ExperimentUse* use : point.uses) {
      const Skip* skip = skip_of(*use, cell);
      if (skip && !cell.skip) cell.skip = skip->reason;
      if (skip) continue;
      wanted = true;
      repeats = std::max(repeats, use->repeats.value_or(1));
      drawn_by_default |= !use->repeats;
    }
    if (wanted) {
      auto refusal = why_not_heads(cell.axes.integer("d_model"), cell.axes.integer("heads"));
      for (const auto& [axis, value] : cell.axes)
        if (!refusal) refusal = why_not_length(axis, cell.placement, value, PlacementOf::scheme);
      cell.skip = std::move(refusal);
    }
    refuse_if_too_many(static_cast<double>(cells_.size()) + 1);
    cells_.push_back(std::move(cell));
    repetitions_.push_back({&info, &scheme_version, repeats, drawn_by_default});
  }

  // Cells with their repeats, in order, and the skipped ones once.
  void expand() {
    std::vector<const data::Cell*> to_forecast;
    for (data::Cell& cell : cells_) {
      if (cell.skip) continue;
      cell.given = supply_.of(cell);
      to_forecast.push_back(&cell);
    }
    const std::vector<data::Forecast> forecasts =
        to_forecast.empty() ? std::vector<data::Forecast>() : forecast_(to_forecast);
    auto next = forecasts.begin();
    for (std::size_t i = 0; i < cells_.size(); ++i)
      repeat(std::move(cells_[i]), repetitions_[i], cells_[i].skip ? data::Forecast{} : *next++);
    cells_ = {};
  }

  void repeat(data::Cell&& planned, const Repetition& repetition, const data::Forecast& forecast) {
    data::Cell cell = std::move(planned);
    if (forecast.misfit)
      throw base::Error(
          base::Error::Kind::request,
          fmt::format("{}: {}; that is {} of {} at {}",
                      cell.find_given(data::given_network) ? "--network does not fit" : "--weights do not fit",
                      forecast.misfit->reason, cell.experiment, cell.variant.label, data::outer_axes_text(cell)));
    if (!cell.skip) cell.skip = forecast.skip;
    const bool drawn = repetition.info->draws_contents || forecast.draws_weights || cell.placement.is_drawn();
    int repeats = 1;
    if (!cell.skip)
      repeats = std::max(repetition.repeats, drawn && repetition.by_default ? repetition.info->default_repeats : 1);
    if (const std::optional<int> there = cell.skip ? std::nullopt : supply_.repeats_of(cell)) {
      if (repetition.repeats > *there)
        throw base::Error(
            base::Error::Kind::request,
            fmt::format("{} repeats are asked for, but what is given was trained in {}", repetition.repeats, *there),
            fmt::format("say repeats = {} or fewer in the study, for {} of {}", *there, cell.experiment,
                        cell.variant.label));
      if (repetition.by_default) repeats = *there;
    }
    refuse_if_too_many(static_cast<double>(plan_.cells.size()) + repeats);
    cell.shares_work = forecast.shares_work && repeats > 1 && all_are_given_the_same(cell, repeats);
    for (; cell.repeat < repeats; ++cell.repeat) {
      if (!cell.skip) cell.given = supply_.of(cell);
      cell.id = data::identity(cell, repetition.info->version, *repetition.scheme_version);
      data::Estimate estimate = cell.skip ? data::Estimate{} : forecast.estimate;
      if (cell.shares_work && cell.repeat > 0) estimate.operations -= std::exchange(estimate.shared_operations, 0);
      plan_.cells.push_back(cell);
      plan_.estimates.push_back(std::move(estimate));
    }
  }

  // What repeats share begins with what they are given; trained weights are of one repeat each.
  bool all_are_given_the_same(data::Cell cell, int repeats) const {
    const std::vector<data::Given> first = supply_.of(cell);
    for (cell.repeat = 1; cell.repeat < repeats; ++cell.repeat)
      if (supply_.of(cell) != first) return false;
    return true;
  }

  static const Skip* skip_of(const ExperimentUse& use, const data::Cell& cell) {
    for (const Skip& skip : use.skips) {
      const bool all = std::ranges::all_of(skip.when, [&](const Condition& c) { return holds(c, cell); });
      if (all && !skip.when.empty()) return &skip;
    }
    return nullptr;
  }

  void refuse_if_too_many(double cells) const {
    if (cells > max_cells)
      throw StudyErrors({{study_.path, study_.experiments.front().location, too_many_cells(cells)}});
  }

  const Study& study_;
  const data::Catalogue& catalogue_;
  const Forecaster& forecast_;
  const SupplyView& supply_;
  std::vector<Placed> variants_;
  std::vector<data::Cell> cells_;        // without repeats
  std::vector<Repetition> repetitions_;  // one a cell
  Plan plan_;
};

}  // namespace

data::Catalogue catalogue_with(const data::Catalogue& catalogue, const Study& study) {
  data::Catalogue all = catalogue;
  for (const data::SchemeInfo& mixed : study.mixed)
    if (!all.scheme(mixed.id)) all.schemes.push_back(mixed);
  return all;
}

data::Families families_of(const Study& study, const Overrides& overrides, const data::Catalogue& of_all) {
  const auto none = [](const std::vector<const data::Cell*>&) { return std::vector<data::Forecast>(); };
  const bool is_whole = overrides.only.empty() && overrides.values.empty();
  const Study whole = is_whole ? study : parse_study(study.text, study.path, of_all, {overrides.axes, {}});
  const auto has_joined = [&](const SchemeUse& use) {
    return std::ranges::none_of(whole.schemes, [&](const SchemeUse& other) { return other.id == use.id; });
  };
  const auto joining = std::ranges::count_if(study.schemes, has_joined);
  const data::Catalogue catalogue = catalogue_with(of_all, whole);
  return Planner(whole, catalogue, none, SupplyView()).families(static_cast<std::size_t>(joining));
}

Plan make_plan(const Study& study, const data::Catalogue& of_all, const Forecaster& forecast,
               const SupplyView& supply) {
  const data::Catalogue catalogue = catalogue_with(of_all, study);
  Plan plan = Planner(study, catalogue, forecast, supply).plan();
  Report report(study.path);
  if (plan.cells.empty())
    report.add({1, 1}, "the study has no cells: it needs at least one [[scheme]] and one [[experiment]]");
  for (const data::Expectation& expectation : study.expectations) {
    if (plan.cells.empty()) break;
    auto refusal = why_unmatched(expectation, study, catalogue);
    if (!refusal) refusal = why_out_of_reach(expectation, plan.cells, *catalogue.experiment(expectation.experiment));
    if (refusal) report.add({expectation.line, expectation.column}, refusal->reason);
  }
  report.throw_if_any();
  plan.expectations = study.expectations;
  return plan;
}

}  // namespace poslab::study
