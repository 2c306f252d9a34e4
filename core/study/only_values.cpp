// SPDX-License-Identifier: Apache-2.0
#include "only_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "cells.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/value.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

using Values = std::vector<data::Value>;

bool is_choice(const std::string& text) { return text.find('=') != std::string::npos; }

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

class Chooser {
 public:
  Chooser(std::string axis, const Values& values, Draft& draft)
      : axis_(std::move(axis)), given_(values), draft_(draft) {}

  void choose() {
    std::erase_if(draft_.study.experiments, [&](ExperimentUse& use) { return !keep(use); });
    if (!problem_.empty()) {
      draft_.report.add_command_line(fmt::format("--only: {}", problem_));
    } else if (!known_) {
      draft_.report.add_command_line(fmt::format("--only {}: no experiment of this study has such an axis{}",
                                                 shown(axis_), base::did_you_mean(axis_, names_)));
    } else if (draft_.study.experiments.empty()) {
      draft_.report.add_command_line(fmt::format("--only {}: no experiment of this study has {}", shown(axis_),
                                                 given_.size() > 1 ? "one of these values" : "this value"));
    }
  }

 private:
  // Whether some of its points stay.
  bool keep(ExperimentUse& use) {
    const data::ExperimentInfo& info = *draft_.catalogue.experiment(use.id);
    const Vocabulary vocabulary = vocabulary_of(info);
    std::ranges::copy(vocabulary.names(), std::back_inserter(names_));
    const data::AxisInfo* axis = vocabulary.find(axis_);
    if (!axis) return false;
    known_ = true;
    if (axis->inner) {
      problem_ =
          fmt::format("all values of {} are measured in one cell; --axis {}=.. asks for others", shown(axis_), axis_);
      return true;
    }
    Values values = given_;
    if (const auto refusal = settle_values(values, *axis, Twice::allowed)) {
      problem_ = refusal->reason;
      return true;
    }
    const AxisProduct points = axis_product_of(use, draft_.study, info);
    if (std::ranges::none_of(values, [&](const data::Value& value) { return points.has_point_with({{axis_, value}}); }))
      return false;
    for (Zip& zip : use.zips) keep_rows(zip, axis_, values);
    for (AxisValues& list : use.axes)
      if (list.name == axis_)
        std::erase_if(list.values, [&](const data::Value& value) { return !is_among(value, values); });
    return true;
  }

  const std::string axis_;
  const Values& given_;
  Draft& draft_;
  bool known_ = false;
  std::string problem_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> choices_of_values(const std::vector<std::string>& only) {
  std::vector<std::string> choices;
  std::ranges::copy_if(only, std::back_inserter(choices), is_choice);
  return choices;
}

void keep_values(const std::vector<std::string>& choices, Draft& draft) {
  std::map<std::string, Values> values_of;
  for (const std::string& choice : choices) {
    const std::size_t end = choice.find('=');
    values_of[choice.substr(0, end)].push_back(data::parse_scalar(choice.substr(end + 1)));
  }
  for (const auto& [axis, values] : values_of) Chooser(axis, values, draft).choose();
}

}  // namespace poslab::study
