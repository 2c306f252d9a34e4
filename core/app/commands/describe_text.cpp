// SPDX-License-Identifier: Apache-2.0
#include "commands/describe.hpp"

#include <fmt/format.h>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/description.hpp"
#include "poslab/data/value.hpp"
#include "poslab/host/python.hpp"

namespace poslab::app {
namespace {

std::string quantity_text(const data::Quantity& quantity) {
  const std::string unit = quantity.unit == "1" || quantity.unit.empty() ? "" : " " + quantity.unit;
  return fmt::format("  {} = {}{}\n      {}\n      {}\n", quantity.name, data::to_text(quantity.default_value), unit,
                     quantity.sentence, data::allowed_text(quantity));
}

std::string dimensions_text(const data::MeasureInfo& measure) {
  return measure.dimensions.empty() ? "" : fmt::format(" by {}", base::enumerate(measure.dimensions));
}

std::string line(const char* name, const std::string& text) {
  return text.empty() ? "" : fmt::format("{:<10} {}\n", name, text);
}

}  // namespace

std::string scheme_text(const data::SchemeInfo& scheme) {
  std::string text = fmt::format("{}: {}, version {}\n\n", scheme.id, scheme.title, scheme.version);
  if (!scheme.summary.empty()) text += scheme.summary + "\n\n";
  text += line("formula", scheme.formula) + line("paper", scheme.paper) + line("family", data::to_text(scheme.family)) +
          line("used in", scheme.used_in);
  const std::string axes = scheme.least_axes == scheme.most_axes
                               ? std::to_string(scheme.least_axes)
                               : fmt::format("{} to {}", scheme.least_axes, scheme.most_axes);
  text += line("positions", fmt::format("{}, {} number{} each", scheme.real_positions ? "real" : "integer", axes,
                                        axes == "1" ? "" : "s"));
  text += line(host::is_python(scheme.file) ? "file" : "library", base::printable(scheme.file));
  text += scheme.parameters.empty() ? "\nno parameters\n" : "\nparameters\n";
  for (const data::Quantity& parameter : scheme.parameters) text += quantity_text(parameter);
  return text;
}

std::string experiment_text(const data::ExperimentInfo& experiment) {
  std::string text = fmt::format("{}: {}, version {}\n\n{}\n\naxes (beside d_model and heads)\n", experiment.id,
                                 experiment.title, experiment.version, experiment.question);
  for (const data::AxisInfo& axis : experiment.axes)
    text += (axis.inner ? "  (inner: one cell takes the whole list)\n" : "") + quantity_text(axis);
  if (!experiment.files.empty()) text += "\nfiles, where its axes ask for them\n";
  for (const data::FileInfo& file : experiment.files)
    text += fmt::format("  --data {}=FILE\n      {}\n", file.name, file.sentence);
  text += "\nmeasures\n";
  for (const data::MeasureInfo& measure : experiment.measures)
    text += fmt::format("  {}{} [{}]\n      {}\n      {}\n      without positions: {}; tolerance: {}\n", measure.name,
                        dimensions_text(measure), measure.unit, measure.sentence, measure.definition,
                        measure.null_value, measure.tolerance_text());
  return text;
}

}  // namespace poslab::app
