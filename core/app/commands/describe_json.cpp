// SPDX-License-Identifier: Apache-2.0
#include "commands/describe.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "poslab/base/text.hpp"
#include "poslab/data/value.hpp"

namespace poslab::app {
namespace {

using base::Json;

// JSON has no infinities and no NaN: they become text.
Json json_of(double number) { return std::isfinite(number) ? Json(number) : Json(base::shortest(number)); }

Json json_of(const data::Value& value) { return Json::parse(data::to_json(value)); }

Json json_of_quantity(const data::Quantity& quantity) {
  return {{"name", quantity.name},
          {"kind", data::to_text(quantity.kind)},
          {"unit", quantity.unit},
          {"default", json_of(quantity.default_value)},
          {"allowed", allowed_text(quantity)},
          {"choices", quantity.choices},
          {"sentence", quantity.sentence}};
}

Json json_of(const data::MeasureInfo& measure) {
  return {{"name", measure.name},
          {"dimensions", measure.dimensions},
          {"unit", measure.unit},
          {"sentence", measure.sentence},
          {"definition", measure.definition},
          {"null_value", measure.null_value},
          {"tolerance", measure.tolerance_text()}};
}

Json json_of(const host::WeightInfo& weight) {
  Json shape = Json::array();
  for (int axis = 0; axis < weight.rank; ++axis) shape.push_back(weight.shape[static_cast<std::size_t>(axis)]);
  return {{"name", weight.name},
          {"shape", shape},
          {"per_layer", weight.per_layer},
          {"frozen", weight.frozen},
          {"initialisation", initialisation_word(weight)},
          {"first", json_of(weight.first)},
          {"second", json_of(weight.second)},
          {"sentence", weight.sentence}};
}

}  // namespace

base::Json scheme_json(const data::SchemeInfo& scheme) {
  Json parameters = Json::array();
  for (const data::Quantity& parameter : scheme.parameters) parameters.push_back(json_of_quantity(parameter));
  return {{"id", scheme.id},
          {"title", scheme.title},
          {"version", scheme.version},
          {"family", data::to_text(scheme.family)},
          {"summary", scheme.summary},
          {"formula", scheme.formula},
          {"paper", scheme.paper},
          {"used_in", scheme.used_in},
          {"real_positions", scheme.real_positions},
          {"least_axes", scheme.least_axes},
          {"most_axes", scheme.most_axes},
          {"file", scheme.file},
          {"sha256", scheme.file_hash},
          {"parameters", parameters}};
}

base::Json experiment_json(const data::ExperimentInfo& experiment) {
  Json axes = Json::array(), measures = Json::array(), files = Json::array();
  for (const data::AxisInfo& axis : experiment.axes) {
    axes.push_back(json_of_quantity(axis));
    axes.back()["inner"] = axis.inner;
  }
  for (const data::MeasureInfo& measure : experiment.measures) measures.push_back(json_of(measure));
  for (const data::FileInfo& file : experiment.files)
    files.push_back({{"name", file.name}, {"sentence", file.sentence}});
  return {{"id", experiment.id},
          {"title", experiment.title},
          {"version", experiment.version},
          {"question", experiment.question},
          {"axes", axes},
          {"files", files},
          {"measures", measures}};
}

base::Json variant_json(const host::Scheme& scheme) {
  Json operations = Json::array(), weights = Json::array();
  for (const host::Operation operation : host::all_operations)
    if (scheme.has(operation)) operations.push_back(host::to_text(operation));
  for (const host::WeightInfo& weight : scheme.weights()) weights.push_back(json_of(weight));
  return {{"values", Json::parse(scheme.parameters().to_json())},
          {"model_width", scheme.model().model_width},
          {"heads", scheme.model().heads},
          {"operations", operations},
          {"mask", mask_text(scheme.mask())},
          {"least_axes", scheme.least_axes()},
          {"most_axes", scheme.most_axes()},
          {"lowest_position", json_of(scheme.lowest_position())},
          {"highest_position", json_of(scheme.highest_position())},
          {"unique_up_to", json_of(scheme.unique_up_to())},
          {"logit_scale", json_of(scheme.logit_scale())},
          {"score_writes_logits", scheme.score_writes_logits()},
          {"claims", claims_of(scheme)},
          {"weights", weights}};
}

}  // namespace poslab::app
