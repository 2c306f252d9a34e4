// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/description.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::data {
namespace {

using base::Json;

Json json_of(const Value& value) { return Json::parse(to_json(value)); }

Json json_of_quantity(const Quantity& quantity) {
  return {{"name", quantity.name},
          {"kind", to_text(quantity.kind)},
          {"unit", quantity.unit},
          {"default", json_of(quantity.default_value)},
          {"allowed", allowed_text(quantity)},
          {"choices", quantity.choices},
          {"sentence", quantity.sentence}};
}

Json json_of(const MeasureInfo& measure) {
  return {{"name", measure.name},
          {"dimensions", measure.dimensions},
          {"unit", measure.unit},
          {"sentence", measure.sentence},
          {"definition", measure.definition},
          {"null_value", measure.null_value},
          {"tolerance", measure.tolerance_text()}};
}

}  // namespace

std::string allowed_text(const Quantity& quantity) {
  std::string text;
  switch (quantity.kind) {
    case Kind::choice: text = "one of " + base::enumerate(quantity.choices); break;
    case Kind::flag: text = "true or false"; break;
    case Kind::integer: text = "integer, " + quantity.range.text(); break;
    case Kind::real: text = "real, " + quantity.range.text(); break;
    case Kind::list: text = "list, each " + quantity.range.text(); break;
  }
  return quantity.may_be_unset ? text + ", or unset" : text;
}

std::string no_such_name(const std::string& name, const std::string& word, const std::string& owner,
                         const std::vector<std::string>& names) {
  std::string advice = base::did_you_mean(name, names);
  if (advice.empty() && names.empty()) advice = "; it has none";
  if (advice.empty()) advice = fmt::format("; it has {}", base::enumerate(names));
  return fmt::format("\"{}\" is not {} of {}{}", base::printable(base::shortened(name, 80)), word, owner, advice);
}

std::string no_such_parameter(const SchemeInfo& scheme, const std::string& name) {
  std::vector<std::string> names;
  for (const Quantity& parameter : scheme.parameters) names.push_back(parameter.name);
  return no_such_name(name, "a parameter", scheme.id, names);
}

base::Json json_of(const SchemeInfo& scheme) {
  Json parameters = Json::array();
  for (const Quantity& parameter : scheme.parameters) {
    parameters.push_back(json_of_quantity(parameter));
    Json& usual = parameters.back()["usual"] = Json::array();
    for (const Value& value : parameter.usual) usual.push_back(json_of(value));
    parameters.back()["role"] = to_text(parameter.role);
  }
  return {{"id", scheme.id},
          {"title", scheme.title},
          {"version", scheme.version},
          {"family", to_text(scheme.family)},
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

base::Json json_of(const ExperimentInfo& experiment) {
  Json axes = Json::array(), measures = Json::array(), files = Json::array();
  for (const AxisInfo& axis : experiment.axes) {
    axes.push_back(json_of_quantity(axis));
    axes.back()["inner"] = axis.inner;
  }
  for (const MeasureInfo& measure : experiment.measures) measures.push_back(json_of(measure));
  for (const FileInfo& file : experiment.files) files.push_back({{"name", file.name}, {"sentence", file.sentence}});
  return {{"id", experiment.id},
          {"title", experiment.title},
          {"version", experiment.version},
          {"question", experiment.question},
          {"axes", axes},
          {"files", files},
          {"measures", measures}};
}

}  // namespace poslab::data
