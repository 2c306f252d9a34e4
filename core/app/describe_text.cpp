// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/describe_text.hpp"

#include <fmt/format.h>

#include "poslab/base/text.hpp"
#include "poslab/base/value.hpp"

namespace poslab::app {
namespace {

std::string json(const std::string& text) { return base::to_json(base::Value{text}); }

std::string allowed(const base::Quantity& quantity) {
  std::string text;
  switch (quantity.kind) {
    case base::Kind::choice: text = "one of " + base::enumerate(quantity.choices); break;
    case base::Kind::flag: text = "true or false"; break;
    case base::Kind::integer: text = "integer, " + quantity.range.text(); break;
    case base::Kind::real: text = "real, " + quantity.range.text(); break;
    case base::Kind::list: text = "list, each " + quantity.range.text(); break;
  }
  return quantity.may_be_unset ? text + ", or unset" : text;
}

std::string quantity_text(const base::Quantity& quantity) {
  const std::string unit = quantity.unit == "1" || quantity.unit.empty() ? "" : " " + quantity.unit;
  return fmt::format("  {} = {}{}\n      {}\n      {}\n", quantity.name, base::to_text(quantity.default_value), unit,
                     quantity.sentence, allowed(quantity));
}

std::string quantity_json(const base::Quantity& quantity) {
  std::string choices;
  for (const std::string& choice : quantity.choices) choices += (choices.empty() ? "" : ", ") + json(choice);
  return fmt::format(
      R"("name": {}, "kind": "{}", "unit": {}, "default": {}, "allowed": {}, "choices": [{}], "sentence": {})",
      json(quantity.name), base::to_text(quantity.kind), json(quantity.unit), base::to_json(quantity.default_value),
      json(allowed(quantity)), choices, json(quantity.sentence));
}

std::string dimensions_text(const base::MeasureInfo& measure) {
  return measure.dimensions.empty() ? "" : fmt::format(" by {}", base::enumerate(measure.dimensions));
}

std::string line(const char* name, const std::string& text) {
  return text.empty() ? "" : fmt::format("{:<10} {}\n", name, text);
}

}  // namespace

std::string scheme_text(const base::SchemeInfo& scheme) {
  std::string text = fmt::format("{}: {}, version {}\n\n", scheme.id, scheme.title, scheme.version);
  if (!scheme.summary.empty()) text += scheme.summary + "\n\n";
  text += line("formula", scheme.formula) + line("paper", scheme.paper) + line("family", base::to_text(scheme.family)) +
          line("used in", scheme.used_in);
  const std::string axes = scheme.least_axes == scheme.most_axes
                               ? std::to_string(scheme.least_axes)
                               : fmt::format("{} to {}", scheme.least_axes, scheme.most_axes);
  text += line("positions", fmt::format("{}, {} number{} each", scheme.real_positions ? "real" : "integer", axes,
                                        axes == "1" ? "" : "s"));
  text += line("library", scheme.file);
  text += scheme.parameters.empty() ? "\nno parameters\n" : "\nparameters\n";
  for (const base::Quantity& parameter : scheme.parameters) text += quantity_text(parameter);
  return text;
}

std::string experiment_text(const base::ExperimentInfo& experiment) {
  std::string text = fmt::format("{}: {}, version {}\n\n{}\n\naxes (beside d_model and heads)\n", experiment.id,
                                 experiment.title, experiment.version, experiment.question);
  for (const base::AxisInfo& axis : experiment.axes)
    text += (axis.inner ? "  (inner: one cell takes the whole list)\n" : "") + quantity_text(axis);
  text += "\nmeasures\n";
  for (const base::MeasureInfo& measure : experiment.measures)
    text += fmt::format("  {}{} [{}]\n      {}\n      {}\n      without positions: {}; tolerance: {}\n", measure.name,
                        dimensions_text(measure), measure.unit, measure.sentence, measure.definition,
                        measure.null_value, measure.tolerance.text());
  return text;
}

std::string scheme_json(const base::SchemeInfo& scheme) {
  std::string parameters;
  for (const base::Quantity& parameter : scheme.parameters)
    parameters += (parameters.empty() ? "{" : ", {") + quantity_json(parameter) + "}";
  return fmt::format(
      R"({{"id": {}, "title": {}, "version": {}, "family": {}, "summary": {}, "formula": {}, "paper": {}, "used_in": {}, "real_positions": {}, "least_axes": {}, "most_axes": {}, "file": {}, "sha256": {}, "parameters": [{}]}})",
      json(scheme.id), json(scheme.title), json(scheme.version), json(base::to_text(scheme.family)),
      json(scheme.summary), json(scheme.formula), json(scheme.paper), json(scheme.used_in), scheme.real_positions,
      scheme.least_axes, scheme.most_axes, json(scheme.file), json(scheme.file_hash), parameters);
}

std::string experiment_json(const base::ExperimentInfo& experiment) {
  std::string axes, measures;
  for (const base::AxisInfo& axis : experiment.axes)
    axes += fmt::format("{}{{{}, \"inner\": {}}}", axes.empty() ? "" : ", ", quantity_json(axis), axis.inner);
  for (const base::MeasureInfo& measure : experiment.measures) {
    std::string dimensions;
    for (const std::string& dimension : measure.dimensions)
      dimensions += (dimensions.empty() ? "" : ", ") + json(dimension);
    measures += fmt::format(
        R"({}{{"name": {}, "dimensions": [{}], "unit": {}, "sentence": {}, "definition": {}, "null_value": {}, "tolerance": {}}})",
        measures.empty() ? "" : ", ", json(measure.name), dimensions, json(measure.unit), json(measure.sentence),
        json(measure.definition), json(measure.null_value), json(measure.tolerance.text()));
  }
  return fmt::format(R"({{"id": {}, "title": {}, "version": {}, "question": {}, "axes": [{}], "measures": [{}]}})",
                     json(experiment.id), json(experiment.title), json(experiment.version), json(experiment.question),
                     axes, measures);
}

}  // namespace poslab::app
