// SPDX-License-Identifier: Apache-2.0
#include "fake_catalogue.hpp"

#include "poslab/data/cell.hpp"

namespace fake {
namespace {

using namespace poslab;
using data::Kind;
using data::Quantity;

Quantity quantity(const char* name, Kind kind, data::Value value, data::Range range = {},
                  std::vector<std::string> choices = {}) {
  Quantity q;
  q.name = name, q.kind = kind, q.default_value = std::move(value), q.range = range, q.choices = std::move(choices);
  return q;
}

data::AxisInfo axis(const Quantity& q, bool inner = false) {
  data::AxisInfo a;
  static_cast<Quantity&>(a) = q;
  a.inner = inner;
  return a;
}

data::Range at_least(double lowest) {
  data::Range range;
  range.lowest = lowest;
  return range;
}

data::Range above(double lowest) {
  data::Range range = at_least(lowest);
  range.above_lowest = true;
  return range;
}

data::SchemeInfo scheme(const char* id, std::vector<Quantity> parameters) {
  data::SchemeInfo info;
  info.id = id, info.version = "1.0", info.parameters = std::move(parameters);
  return info;
}

data::MeasureInfo measure(const char* name, std::vector<std::string> dimensions = {}) {
  data::MeasureInfo info;
  info.name = name, info.dimensions = std::move(dimensions);
  return info;
}

data::ExperimentInfo experiment(const char* id, std::vector<data::AxisInfo> axes,
                                std::vector<data::MeasureInfo> measures, bool draws) {
  data::ExperimentInfo info;
  info.id = id, info.version = "1.0", info.axes = std::move(axes), info.measures = std::move(measures),
  info.draws_contents = draws;
  return info;
}

}  // namespace

data::Catalogue catalogue() {
  const std::int64_t l = 128;
  const Quantity length = quantity("length", Kind::integer, l, {1, 65536});
  Quantity limit = quantity("limit", Kind::integer, {}, at_least(1));
  limit.may_be_unset = true;
  data::Catalogue c;
  c.schemes = {
      scheme("rope", {quantity("base", Kind::real, 1e4, above(1)),
                      quantity("style", Kind::choice, std::string("interleaved"), {}, {"interleaved", "half-split"}),
                      quantity("factors", Kind::list, std::vector<double>{1, 1}, above(0))}),
      scheme("sinusoidal",
             {quantity("base", Kind::real, 1e4, above(1)),
              quantity("layout", Kind::choice, std::string("interleaved"), {}, {"interleaved", "half-split"})}),
      scheme("learned", {quantity("max_length", Kind::integer, {}, at_least(1)), limit,
                         quantity("offset", Kind::integer, std::int64_t{0}, at_least(0)),
                         quantity("style", Kind::choice, std::string("rows"), {}, {"rows", "half-split"})}),
      scheme("none", {}),
  };
  c.experiments = {
      experiment(
          "uniqueness",
          {axis(length), axis(quantity("kind", Kind::choice, std::string("position"), {}, {"position", "offset"}))},
          {measure("min_distance"), measure("nearest_distance", {"position"}), measure("collisions"),
           measure("course", {"step"})},
          false),
      experiment(
          "relative-shift",
          {axis(length), axis(quantity("shift", Kind::list, std::vector<double>{1, 8}, {0, 1e6}), true)},
          {measure("content_error", {"shift"}), measure("toeplitz_residual"), measure("position_spread", {"offset"})},
          true),
      experiment("extrapolation",
                 {axis(quantity("multiple", Kind::list, std::vector<double>{1, 2, 4}, above(0)), true),
                  axis(quantity("train_length", Kind::integer, {}, at_least(1))),
                  axis(quantity("centred", Kind::flag, false))},
                 {measure("novelty", {"multiple", "position"})}, false),
  };
  c.experiments[0].dimensions = {{"position", "position", "p", {"length"}}, {"step", "1", "s", {"length"}, 1, true}};
  return c;
}

study::Study parse(const std::string& text, const study::Overrides& overrides) {
  return study::parse_study(text, "study.toml", catalogue(), overrides);
}

std::string mistakes(const std::string& text, const study::Overrides& overrides) {
  try {
    parse(text, overrides);
  } catch (const study::StudyErrors& errors) {
    return errors.what();
  }
  return "";
}

std::string study_with(const std::string& more) {
  return "format = 1\ntitle = \"t\"\n[model]\nd_model = 128\nheads = 8\n[[scheme]]\nuse = \"rope\"\n[[experiment]]\n"
         "use = \"uniqueness\"\n" +
         more;
}

study::Forecaster each(const std::function<data::Forecast(const data::Cell&)>& one) {
  return [one](const std::vector<const data::Cell*>& cells) {
    std::vector<data::Forecast> all;
    for (const data::Cell* cell : cells) all.push_back(one(*cell));
    return all;
  };
}

study::Plan plan(const std::string& text, const study::Overrides& overrides) {
  const auto forecast = [](const data::Cell& cell) {
    data::Forecast result;
    result.draws_weights = cell.variant.scheme == "learned";
    result.estimate.bytes = 1;
    return result;
  };
  return study::make_plan(parse(text, overrides), catalogue(), each(forecast));
}

std::vector<std::string> cells(const study::Plan& plan) {
  std::vector<std::string> lines;
  for (const data::Cell& cell : plan.cells) {
    std::string line = cell.experiment + " " + cell.variant.label;
    for (const auto& [name, value] : cell.axes) line += " " + name + "=" + data::to_text(value);
    line += " #" + std::to_string(cell.repeat);
    if (cell.skip) line += " skipped: " + cell.skip->reason;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace fake
