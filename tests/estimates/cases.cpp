// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cells.hpp"

using namespace poslab;
using cells::list, cells::whole;
using data::Value;

namespace cases {
namespace {

using Named = std::map<std::string, Value>;

// Where the default is too small for memory that decides anything, or larger than a test has time for.
const Named& large_values(const std::string& experiment) {
  static const Named training{{"train_length", whole(32)}, {"steps", whole(2)},       {"batch", whole(8)},
                              {"warm_up", whole(1)},       {"held_out", whole(4)},    {"largest", whole(16)},
                              {"size", list({5, 16, 32})}, {"multiple", list({1, 4})}};
  static const std::map<std::string, Named> values{
      {"add-or-concatenate", {{"length", whole(64)}}},
      {"base-bounds", {{"length", whole(2048)}}},
      {"cache-consistency", {{"length", whole(384)}, {"contents", whole(2)}, {"cached", list({0.25, 0.75})}}},
      {"clock", {{"length", whole(512)}}},
      {"content-independence", {{"length", whole(96)}, {"contents", whole(2)}}},
      {"cost", {{"length", whole(256)}, {"sequences", whole(2)}, {"times", whole(1)}}},
      {"decodability", {{"length", whole(384)}, {"pairs", whole(256)}, {"folds", whole(2)}}},
      {"distance-profile", {{"length", whole(320)}, {"contents", whole(2)}}},
      {"effective-dimension", {{"length", whole(160)}}},
      {"extrapolation", {{"train_length", whole(96)}}},
      {"first-position-bias", {{"length", whole(160)}}},
      {"language-model", training},
      {"length-generalisation", training},
      {"length-independence", {{"length", whole(384)}}},
      {"norm-preservation", {{"length", whole(2048)}}},
      {"order-inversion", {{"length", whole(512)}, {"contents", whole(2)}}},
      {"order-sensitivity", {{"length", whole(64)}, {"shuffles", whole(4)}}},
      {"precision", {{"length", whole(2048)}, {"contents", whole(2)}}},
      {"relative-shift", {{"length", whole(256)}, {"contents", whole(4)}}},
      {"repeated-token", {{"length", whole(128)}}},
      {"softmax-resolution", {{"length", whole(512)}, {"contents", whole(2)}}},
      {"survival", {{"length", whole(32)}, {"sequences", whole(30)}, {"held_out", whole(10)}}},
      {"u-shape", {{"length", whole(256)}}},
      {"uniqueness", {{"length", whole(1024)}, {"contents", whole(4)}, {"samples", whole(128)}}},
  };
  static const Named none;
  const auto found = values.find(experiment);
  return found == values.end() ? none : found->second;
}

// By the names of axes.
const Named& small_values() {
  static const Named values{
      {"length", whole(32)},   {"train_length", whole(16)}, {"steps", whole(2)},    {"batch", whole(2)},
      {"warm_up", whole(1)},   {"held_out", whole(4)},      {"sliding", whole(2)},  {"largest", whole(4)},
      {"sequences", whole(8)}, {"size", list({2, 3, 5})},   {"contents", whole(2)}, {"samples", whole(8)},
      {"pairs", whole(64)},    {"folds", whole(2)},         {"shuffles", whole(4)}, {"distance", list({1, 2})},
      {"times", whole(1)},     {"multiple", list({1, 2})},  {"step", list({1, 2})}, {"points", whole(8)}};
  return values;
}

cells::Cell first_cell(const data::ExperimentInfo& info, const Scheme& scheme, Size size) {
  cells::Cell cell{info.id, scheme.id, {}, scheme.parameters, {128, 8, 512}, 0, scheme.placement};
  if (size == Size::small) cell.model = {32, 2, 512};
  for (const auto& [name, value] : size == Size::small ? small_values() : large_values(info.id))
    if (info.axis(name)) cell.axes.set(name, value);
  return cell;
}

std::vector<Value> other_values(const data::AxisInfo& axis, const Value& now, std::int64_t times) {
  std::vector<Value> others;
  if (axis.name == "task") return others;  // another network, or a text that nobody gives
  for (const std::string& choice : axis.choices)
    if (Value(choice) != now) others.emplace_back(choice);
  if (const bool* flag = std::get_if<bool>(&now)) others.emplace_back(!*flag);
  if (const std::int64_t* number = std::get_if<std::int64_t>(&now))
    if (axis.range.contains(static_cast<double>(times * *number))) others.emplace_back(times * *number);
  if (const std::vector<double>* numbers = std::get_if<std::vector<double>>(&now)) {
    std::vector<double> longer = *numbers;
    longer.push_back(longer.back() * static_cast<double>(times));
    if (axis.range.contains(longer.back())) others.emplace_back(longer);
  }
  return others;
}

data::Cell as_planned(const cells::Cell& cell) {
  data::Cell planned;
  planned.experiment = cell.experiment;
  planned.variant = {cell.scheme, cell.scheme, cell.parameters, {}};
  planned.axes = cells::all_axes(cell);
  planned.placement = cell.placement;
  planned.seed = 20261125;
  return planned;
}

}  // namespace

const std::vector<Scheme>& schemes() {
  const auto square = [] { return cells::grid({16, 16}); };
  static const std::vector<Scheme> all{
      {"none"},
      {"sinusoidal"},
      {"rope"},
      {"alibi"},
      {"shaw"},
      {"learned", {{"max_length", whole(4096)}}},
      {"xpos"},
      {"t5"},
      {"fire"},
      {"tupe", {{"max_length", whole(4096)}}},
      {"transformer-xl"},
      {"deberta"},
      {"cope"},
      {"fox"},
      {"path"},
      {"selective-rope"},
      {"dape"},
      {"pope"},
      {"complex-order"},
      {"sincos-2d", {}, square()},
      {"rope-2d", {}, square()},
      {"swin", {{"window", list({16, 16})}}, square()},
  };
  return all;
}

std::vector<Case> cells(const experiments::Experiment& experiment, const Scheme& scheme, Size size, std::int64_t times,
                        bool all_axes) {
  const data::ExperimentInfo& info = experiment.info;
  const cells::Cell first = first_cell(info, scheme, size);
  std::vector<Case> all{{as_planned(first), ""}};
  const data::Values axes = cells::all_axes(first);
  for (const data::AxisInfo& axis : info.axes) {
    const bool is_length = axis.name == "length" || axis.name == "train_length";
    if (is_length ? scheme.placement.is_grid() : !all_axes) continue;
    for (const Value& value : other_values(axis, *axes.find(axis.name), times)) {
      cells::Cell other = first;
      other.axes.set(axis.name, value);
      all.push_back({as_planned(other), axis.name});
    }
  }
  if (!all_axes) return all;
  cells::Cell wider = first, of_fewer_heads = first;
  wider.model.model_width *= times;
  of_fewer_heads.model.heads /= 2;
  all.push_back({as_planned(wider), "d_model"});
  all.push_back({as_planned(of_fewer_heads), "heads"});
  return all;
}

std::string text(const data::Cell& cell) {
  std::string text = fmt::format("{} of {} d_model={} heads={}", cell.experiment, cell.variant.scheme,
                                 cell.axes.integer("d_model"), cell.axes.integer("heads"));
  for (const data::AxisInfo& axis : experiments::find_experiment(cell.experiment).info.axes)
    if (const Value* value = cell.axes.find(axis.name); *value != axis.default_value)
      text += fmt::format(" {}={}", axis.name, data::to_text(*value));
  return text;
}

}  // namespace cases
