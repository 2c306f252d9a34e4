// SPDX-License-Identifier: Apache-2.0
#include "sample_catalogue.hpp"

#include <string>
#include <utility>

namespace poslab::sample {
namespace {

using data::Kind;

data::Quantity quantity(const char* name, Kind kind, const char* unit, const char* sentence) {
  data::Quantity result;
  result.name = name;
  result.kind = kind;
  result.unit = unit;
  result.sentence = sentence;
  return result;
}

data::AxisInfo axis(const char* name, Kind kind, const char* unit, const char* sentence, bool inner = false) {
  data::AxisInfo result;
  static_cast<data::Quantity&>(result) = quantity(name, kind, unit, sentence);
  result.inner = inner;
  return result;
}

}  // namespace

data::ExperimentInfo uniqueness() {
  data::ExperimentInfo info;
  info.id = "uniqueness";
  info.version = "1";
  info.title = "Uniqueness";
  info.question = "Does every position have its own code?";
  info.axes = {axis("length", Kind::integer, "position", "number of positions"),
               axis("kind", Kind::choice, "1", "which signatures")};
  info.dimensions = {{"position", "position", "position of the signature"}};
  info.measures = {{"min_distance",
                    {},
                    "1",
                    "least distance of two signatures",
                    "min |phi(p) - phi(q)|",
                    "0",
                    {0, 1e-12, 0, 0, false}},
                   {"collisions", {}, "pairs", "pairs of equal signatures", "#{p < q : ...}", "N(N-1)/2", {}},
                   {"nearest_distance",
                    {"position"},
                    "1",
                    "distance to the nearest signature",
                    "min over q",
                    "0",
                    {0, 1e-12, 0, 0, false}}};
  return info;
}

data::ExperimentInfo relative_shift() {
  data::ExperimentInfo info;
  info.id = "relative-shift";
  info.version = "1";
  info.title = "Relative shift";
  info.question = "Do scores depend on m - n only?";
  info.axes = {axis("length", Kind::integer, "position", "number of positions"),
               axis("residual", Kind::flag, "1", "whether the input is added"),
               axis("shift", Kind::list, "position", "by how much both positions are moved", true),
               axis("step", Kind::list, "position", "step of the linear map", true)};
  info.dimensions = {{"offset", "position", "query position minus key position"}};
  info.draws_contents = true;
  info.measures = {{"toeplitz_residual",
                    {},
                    "1",
                    "largest spread along a diagonal",
                    "max of position_spread",
                    "0",
                    {0, 0, 0, 1e-12, false}},
                   {"content_error",
                    {"shift"},
                    "1",
                    "change of the logits",
                    "max |s(m + t, n + t) - s(m, n)|",
                    "0",
                    {1e-13, 0, 4e-16, 0, false}},
                   {"position_spread",
                    {"offset"},
                    "1",
                    "spread of the score along a diagonal",
                    "max - min",
                    "0",
                    {0, 0, 0, 1e-12, false}},
                   {"share", {"shift", "step"}, "1", "a curve over two dimensions", "made up", "0", {0, 0, 0, 0, true}},
                   {"sink", {}, "1", "a statistical measure with a bound", "made up", "0", {1e-12, 0, 0, 0, true}}};
  return info;
}

std::vector<data::SchemeInfo> schemes() {
  const auto scheme = [](const char* id, data::Family family, std::vector<data::Quantity> parameters) {
    data::SchemeInfo info;
    info.id = id;
    info.version = "1";
    info.family = family;
    info.parameters = std::move(parameters);
    return info;
  };
  return {
      scheme("none", data::Family::none, {}),
      scheme("sinusoidal", data::Family::additive, {quantity("base", Kind::real, "1", "base of the wavelengths")}),
      scheme(
          "rope", data::Family::rotary,
          {quantity("base", Kind::real, "1", "base of the angles"), quantity("style", Kind::choice, "1", "pairing")}),
      scheme("learned", data::Family::additive, {quantity("length", Kind::integer, "position", "rows of the table")})};
}

std::vector<data::Variant> variants() {
  return {{"none", "none", {}, {}},
          {"sinusoidal", "sinusoidal", {{"base", 10000.0}}, {}},
          {"rope",
           "rope(style=half-split, base=10000.0)",
           {{"base", 1e4}, {"style", std::string("half-split")}},
           {"style", "base"}},
          {"rope",
           "rope(style=half-split, base=500000.0)",
           {{"base", 5e5}, {"style", std::string("half-split")}},
           {"style", "base"}},
          {"learned", "learned(length=8)", {{"length", std::int64_t{8}}}, {"length"}}};
}

}  // namespace poslab::sample
