// SPDX-License-Identifier: Apache-2.0
// Changes from the command line.
#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <unordered_set>

#include "cells.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/value.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

std::vector<data::Value> values_from(const std::string& text) {
  std::vector<data::Value> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::string item = text.substr(begin, comma - begin);
    item.erase(0, item.find_first_not_of(' '));
    item.erase(item.find_last_not_of(' ') + 1);
    values.push_back(data::parse_scalar(item));
    begin = comma + 1;
  }
  return values;
}

// A zip that lost a list may have the same row twice.
void keep_different_rows(Zip& zip) {
  std::unordered_set<std::string> seen;
  Zip distinct = zip;
  for (AxisValues& axis : distinct) axis.values.clear();
  for (std::size_t row = 0; row < zip.front().values.size(); ++row) {
    std::string text;
    for (const AxisValues& axis : zip) text += data::to_text(axis.values[row]) + "\n";
    if (!seen.insert(text).second) continue;
    for (std::size_t i = 0; i < zip.size(); ++i) distinct[i].values.push_back(zip[i].values[row]);
  }
  zip = std::move(distinct);
}

void replace_axis(ExperimentUse& use, AxisValues axis) {
  const auto is_it = [&](const AxisValues& other) { return other.name == axis.name; };
  for (Zip& zip : use.zips)
    if (std::erase_if(zip, is_it) > 0 && !zip.empty()) keep_different_rows(zip);
  std::erase_if(use.zips, [](const Zip& zip) { return zip.empty(); });
  std::erase_if(use.axes, is_it);
  use.axes.push_back(std::move(axis));
}

void report_no_such_axis(const std::string& name, const Draft& draft) {
  std::vector<std::string> known;
  for (const ExperimentUse& use : draft.study.experiments)
    for (const std::string& axis : vocabulary_of(*draft.catalogue.experiment(use.id)).names()) known.push_back(axis);
  std::string advice = base::did_you_mean(name, known);
  for (const SchemeUse& use : draft.study.schemes)
    if (draft.catalogue.scheme(use.id)->parameter(name))
      advice = fmt::format("; it is a parameter of {}: vary it in the study, in axes of its [[scheme]]", use.id);
  draft.report.add_command_line(
      fmt::format("--axis {}: no experiment of this study has such an axis{}", shown(name), advice));
}

void apply_axis(const std::string& name, const std::string& text, Draft& draft) {
  bool found = false;
  std::set<std::string> problems;
  for (ExperimentUse& use : draft.study.experiments) {
    const Vocabulary vocabulary = vocabulary_of(*draft.catalogue.experiment(use.id));
    const data::AxisInfo* axis = vocabulary.find(name);
    if (!axis) continue;
    found = true;
    std::vector<data::Value> values = values_from(text);
    auto refusal = settle_values(values, *axis, Twice::refused);
    for (const data::Value& value : values)
      if (!refusal) refusal = why_not_length(name, draft.study.placement, value);
    if (refusal) {
      problems.insert(refusal->reason);
      continue;
    }
    replace_axis(use, {name, std::move(values), {}});
    sort_axes(use.axes, use.zips, vocabulary);
  }
  if (!found) report_no_such_axis(name, draft);
  for (const std::string& problem : problems) draft.report.add_command_line(fmt::format("--axis: {}", problem));
}

// Keeps the uses that are named; where none of a kind is named, all of that kind stay.
template <class Uses>
std::set<std::string> keep_named(Uses& uses, const std::vector<std::string>& only) {
  std::set<std::string> named;
  for (const auto& use : uses)
    if (std::ranges::find(only, use.id) != only.end()) named.insert(use.id);
  if (!named.empty()) std::erase_if(uses, [&](const auto& use) { return !named.count(use.id); });
  return named;
}

// The ids of schemes that are given as files, from the working directory; other names as they are. A file may have
// several names: a job of Slurm opens it through a link beside its copy of the study.
std::vector<std::string> ids_in(std::vector<std::string> only, const Draft& draft) {
  for (std::string& name : only) {
    if (!is_file(name)) continue;
    const std::string file = std::filesystem::absolute(name).lexically_normal().string();
    for (const data::SchemeInfo& scheme : draft.catalogue.schemes)
      if (std::error_code none; scheme.file == file || std::filesystem::equivalent(scheme.file, file, none)) {
        name = scheme.id;
        break;
      }
  }
  return only;
}

void join(const std::vector<std::string>& only, Draft& draft) {
  for (const std::string& id : only) {
    const data::SchemeInfo* info = draft.catalogue.scheme(id);
    if (!info || has_use(draft.study.schemes, id) || has_use(draft.study.experiments, id)) continue;
    draft.study.schemes.push_back({id, {}, {}, {}, {}, {}});
    for (const data::AxisInfo& parameter : vocabulary_of(*info).axes)
      if (must_be_given(parameter))
        draft.report.add_command_line(
            fmt::format("--only {}: it needs a value for \"{}\": give it in a [[scheme]] of a copy of the study",
                        shown(id), parameter.name));
  }
}

void apply_only(const std::vector<std::string>& only, Draft& draft) {
  std::vector<std::string> known;
  for (const SchemeUse& use : draft.study.schemes) known.push_back(use.id);
  for (const ExperimentUse& use : draft.study.experiments)
    if (std::ranges::find(known, use.id) == known.end()) known.push_back(use.id);
  std::set<std::string> named = keep_named(draft.study.schemes, only);
  named.merge(keep_named(draft.study.experiments, only));
  for (const std::string& id : only) {
    if (named.count(id)) continue;
    std::string advice = base::did_you_mean(id, known);
    if (advice.empty()) advice = fmt::format("; it has {}", base::enumerate(known));
    draft.report.add_command_line(
        fmt::format("--only {}: this study has no such scheme or experiment{}", shown(id), advice));
  }
}

}  // namespace

void apply_overrides(const Overrides& overrides, Draft& draft) {
  if (overrides.axes.empty() && overrides.only.empty() && overrides.values.empty()) return;
  const std::vector<std::string> only = ids_in(overrides.only, draft);
  if (overrides.others_join) join(only, draft);
  if (!only.empty()) apply_only(only, draft);
  std::set<std::string> given;
  for (const auto& [name, text] : overrides.axes) {
    if (given.insert(name).second) {
      apply_axis(name, text, draft);
    } else {
      draft.report.add_command_line(fmt::format("--axis {} is given twice", shown(name)));
    }
  }
  keep_values(overrides.values, draft);
  std::erase_if(draft.study.expectations, [&](const data::Expectation& expectation) {
    return why_unmatched(expectation, draft.study, draft.catalogue).has_value();
  });
}

}  // namespace poslab::study
