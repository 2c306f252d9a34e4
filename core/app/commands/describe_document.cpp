// SPDX-License-Identifier: Apache-2.0
#include "commands/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/description.hpp"
#include "poslab/data/value.hpp"
#include "poslab/host/description.hpp"
#include "poslab/host/python.hpp"

namespace poslab::app {
namespace {

std::string usual_text(const data::Quantity& quantity) {
  constexpr std::size_t max_shown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(max_shown, quantity.usual.size()); ++i)
    text += (i == 0 ? "\n      usual: " : ", ") + data::to_text(quantity.usual[i]);
  return quantity.usual.size() > max_shown ? text + " ..." : text;
}

std::string quantity_text(const data::Quantity& quantity) {
  const std::string unit = quantity.unit == "1" || quantity.unit.empty() ? "" : " " + quantity.unit;
  return fmt::format("  {} = {}{}\n      {}\n      {}{}", quantity.name, data::to_text(quantity.default_value), unit,
                     quantity.sentence, data::allowed_text(quantity), usual_text(quantity));
}

std::string dimensions_text(const data::MeasureInfo& measure) {
  return measure.dimensions.empty() ? "" : fmt::format(" by {}", base::enumerate(measure.dimensions));
}

void say_named(Document& document, const char* name, const std::string& text) {
  if (!text.empty()) document.say({fmt::format("{:<10} {}", name, text)});
}

std::string initialisation_text(const host::WeightInfo& weight) {
  const std::string first = base::shortest(weight.first), second = base::shortest(weight.second);
  switch (weight.initialisation) {
    case POSLAB_NORMAL: return fmt::format("normal, mean {}, standard deviation {}", first, second);
    case POSLAB_UNIFORM: return fmt::format("uniform from {} to {}", first, second);
    default: return "all " + first;
  }
}

std::string operations_text(const host::Scheme& scheme) {
  std::vector<std::string> names;
  for (const host::Operation operation : host::all_operations)
    if (scheme.has(operation)) names.emplace_back(host::to_text(operation));
  return names.empty() ? "none" : base::enumerate(names);
}

std::string limits_text(const host::Scheme& scheme) {
  const bool below = std::isfinite(scheme.lowest_position()), above = std::isfinite(scheme.highest_position());
  std::string text = !below && !above ? "all"
                     : !above         ? "from " + base::shortest(scheme.lowest_position())
                     : !below         ? "up to " + base::shortest(scheme.highest_position())
                                      : fmt::format("{} to {}", base::shortest(scheme.lowest_position()),
                                                    base::shortest(scheme.highest_position()));
  if (scheme.most_axes() > 1)
    text += scheme.least_axes() == scheme.most_axes()
                ? fmt::format("; {} numbers each", scheme.most_axes())
                : fmt::format("; {} to {} numbers each", scheme.least_axes(), scheme.most_axes());
  if (scheme.unique_up_to() > 0)
    text += std::isfinite(scheme.unique_up_to())
                ? fmt::format("; codes of 0 to {} differ", base::shortest(scheme.unique_up_to() - 1))
                : "; codes of all integers differ";
  return text;
}

}  // namespace

Document scheme_document(const data::SchemeInfo& scheme) {
  Document document;
  document.add("", data::json_of(scheme),
               {fmt::format("{}: {}, version {}\n", scheme.id, scheme.title, scheme.version)});
  if (!scheme.summary.empty()) document.say({scheme.summary, ""});
  say_named(document, "formula", scheme.formula);
  say_named(document, "paper", scheme.paper);
  say_named(document, "family", data::to_text(scheme.family));
  say_named(document, "used in", scheme.used_in);
  const std::string axes = scheme.least_axes == scheme.most_axes
                               ? std::to_string(scheme.least_axes)
                               : fmt::format("{} to {}", scheme.least_axes, scheme.most_axes);
  say_named(
      document, "positions",
      fmt::format("{}, {} number{} each", scheme.real_positions ? "real" : "integer", axes, axes == "1" ? "" : "s"));
  say_named(document, host::is_python(scheme.file) ? "file" : "library", base::printable(scheme.file));
  document.say({scheme.parameters.empty() ? "\nno parameters" : "\nparameters"});
  for (const data::Quantity& parameter : scheme.parameters) document.say({quantity_text(parameter)});
  return document;
}

Document experiment_document(const data::ExperimentInfo& experiment) {
  Document document;
  document.add("", data::json_of(experiment),
               {fmt::format("{}: {}, version {}\n", experiment.id, experiment.title, experiment.version),
                experiment.question, "\naxes (beside d_model and heads)"});
  for (const data::AxisInfo& axis : experiment.axes)
    document.say({(axis.inner ? "  (inner: one cell takes the whole list)\n" : "") + quantity_text(axis)});
  document.heading("files, where its axes ask for them");
  for (const data::FileInfo& file : experiment.files)
    document.say({fmt::format("  --data {}=FILE\n      {}", file.name, file.sentence)});
  document.heading("measures");
  for (const data::MeasureInfo& measure : experiment.measures)
    document.say({fmt::format("  {}{} [{}]\n      {}\n      {}\n      without positions: {}; tolerance: {}",
                              measure.name, dimensions_text(measure), measure.unit, measure.sentence,
                              measure.definition, measure.null_value, measure.tolerance_text())});
  return document;
}

void add_variant(Document& document, const host::Scheme& scheme) {
  const host::Model& model = scheme.model();
  document.add("variant", host::json_of(scheme),
               {fmt::format("\nwith these parameters, on a model of width {} with {}", model.model_width,
                            base::counted(model.heads, "head"))});
  std::string set;
  for (const auto& [name, value] : scheme.parameters()) set += fmt::format(" {}={}", name, data::to_text(value));
  if (!set.empty()) document.say({"  parameters:" + set});
  document.say({"  operations: " + operations_text(scheme),
                std::string("  mask:       ") + host::mask_text(scheme.mask()), "  positions:  " + limits_text(scheme),
                fmt::format("  logits:     q.k times {}{}", base::shortest(scheme.logit_scale()),
                            scheme.score_writes_logits() ? ", written anew by the scheme" : "")});
  if (scheme.embedding_scale() != 1)
    document.say({fmt::format("  training:   embeddings times {}", base::shortest(scheme.embedding_scale()))});
  if (scheme.initial_query_scale() != 1)
    document.say(
        {fmt::format("  training:   begins with queries times {}", base::shortest(scheme.initial_query_scale()))});
  document.say({"  claims"});
  for (const host::Claim& claim : host::claims_of(scheme))
    document.say({fmt::format("    {:<14} {}", claim.name, claim.sentence)});
  document.say({scheme.weights().empty() ? "  no weights" : "  weights"});
  for (const host::WeightInfo& weight : scheme.weights())
    document.say({fmt::format("    {} [{}] {}; {}{}\n      {}", weight.name,
                              fmt::join(weight.shape.begin(), weight.shape.begin() + weight.rank, ", "),
                              weight.per_layer ? "for each layer" : "for all layers", initialisation_text(weight),
                              weight.frozen ? "; frozen" : "", weight.sentence)});
}

void add_refusal(Document& document, const std::string& reason) {
  document.add("variant", {{"refused", reason}}, {"\nwith these parameters: " + reason});
}

}  // namespace poslab::app
