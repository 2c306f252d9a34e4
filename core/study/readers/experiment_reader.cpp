// SPDX-License-Identifier: Apache-2.0
// [[experiment]]: an experiment, its axes, repeats and skips.
#include <fmt/format.h>

#include "poslab/base/text.hpp"
#include "poslab/data/length_axes.hpp"
#include "readers/readers.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

constexpr double max_repeats = 1e6;

// What a study leaves out takes its default; what has none is a mistake.
void complete_axes(ExperimentUse& use, const Vocabulary& vocabulary, const std::map<std::string, Taken>& taken,
                   const data::Placement& placement, Report& report) {
  for (const data::AxisInfo& axis : vocabulary.axes) {
    if (taken.count(axis.name) || axis.name == "d_model" || axis.name == "heads") continue;
    if (data::is_length(axis.name) && placement.count()) {
      use.axes.push_back({axis.name, {data::Value(*placement.count())}, use.location});
    } else if (must_be_given(axis)) {
      report.add(use.location, fmt::format("{} needs values for \"{}\" in its axes", use.id, axis.name));
    } else {
      use.axes.push_back({axis.name, {settle(axis, axis.default_value)}, use.location});
    }
  }
  sort_axes(use.axes, use.zips, vocabulary);
}

// A grid, or a list of positions, says how many there are.
void refuse_other_lengths(const ExperimentUse& use, Draft& draft) {
  const auto look_at = [&](const AxisValues& axis) {
    for (const data::Value& value : axis.values)
      if (const auto refusal = why_not_length(axis.name, draft.study.placement, value))
        return draft.report.add(axis.location, refusal->reason);
  };
  for (const AxisValues& axis : use.axes) look_at(axis);
  for (const Zip& zip : use.zips)
    for (const AxisValues& axis : zip) look_at(axis);
}

void refuse_indivisible_zips(const ExperimentUse& use, Report& report) {
  for (const Zip& zip : use.zips) {
    const AxisValues *widths = nullptr, *heads = nullptr;
    for (const AxisValues& axis : zip) {
      if (axis.name == "d_model") widths = &axis;
      if (axis.name == "heads") heads = &axis;
    }
    if (!widths || !heads) continue;
    for (std::size_t row = 0; row < widths->values.size(); ++row) {
      const auto width = std::get<std::int64_t>(widths->values[row]),
                 count = std::get<std::int64_t>(heads->values[row]);
      if (const auto refusal = why_not_heads(width, count))
        report.add(heads->location, fmt::format("entry {} of this zip: {}", row + 1, refusal->reason));
    }
  }
}

void read_skips(TableReader& reader, const data::ExperimentInfo& info, Draft& draft, std::vector<Skip>& skips) {
  for (const toml::table* table : reader.tables("skip")) {
    TableReader skip(*table, location_of(*table), "[[experiment.skip]]", draft.report);
    Skip result;
    skip.require("when");
    if (const toml::table* when = skip.table("when")) {
      if (when->empty()) draft.report.add(location_of(*when), "\"when\" is empty: it would skip every cell");
      result.when = read_conditions(*when, info, draft.catalogue, draft.report);
    }
    result.reason = skip.required_text("reason").value_or("");
    skip.refuse_others();
    skips.push_back(std::move(result));
  }
}

}  // namespace

std::string no_such_experiment(const std::string& id, const data::Catalogue& catalogue) {
  std::vector<std::string> known;
  for (const data::ExperimentInfo& experiment : catalogue.experiments) known.push_back(experiment.id);
  std::string advice = base::did_you_mean(id, known);
  if (advice.empty()) advice = fmt::format("; there are {}", base::enumerate(known));
  return fmt::format("no experiment is called {}{}", shown(id), advice);
}

void read_experiment(const toml::table& table, Draft& draft) {
  const std::size_t before = draft.report.count();
  TableReader reader(table, location_of(table), "[[experiment]]", draft.report);
  const auto id = reader.required_text("use");
  const data::ExperimentInfo* info = id ? draft.catalogue.experiment(*id) : nullptr;
  if (id && !info) draft.report.add(location_of(*table.get("use")), no_such_experiment(*id, draft.catalogue));
  ExperimentUse use{id.value_or(""), std::nullopt, {}, {}, {}, reader.location()};
  if (const toml::node* repeats = reader.find("repeats")) {
    const data::Quantity quantity{.name = "repeats", .kind = data::Kind::integer, .range = {1, max_repeats}};
    if (const auto value = read_value(*repeats, quantity, draft.report))
      use.repeats = static_cast<int>(std::get<std::int64_t>(*value));
  }
  for (const char* key : {"axes", "zip", "skip"}) reader.find(key);
  std::vector<std::string> names;
  if (info) {
    const Vocabulary vocabulary = vocabulary_of(*info);
    std::map<std::string, Taken> taken;
    Axes axes = read_axes(reader, vocabulary, taken);
    use.axes = std::move(axes.axes), use.zips = std::move(axes.zips);
    read_skips(reader, *info, draft, use.skips);
    refuse_other_lengths(use, draft);
    complete_axes(use, vocabulary, taken, draft.study.placement, draft.report);
    refuse_indivisible_zips(use, draft.report);
    names = vocabulary.names();
  }
  reader.refuse_others(names, "axes");
  if (draft.report.count() > before) {
    draft.faulty.experiments.insert(use.id);
  } else {
    draft.study.experiments.push_back(std::move(use));
  }
}

}  // namespace poslab::study
