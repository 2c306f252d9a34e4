// SPDX-License-Identifier: Apache-2.0
// Dimension letters: D model width, H heads.
#include "commands/describe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/value.hpp"
#include "poslab/host/description.hpp"

namespace poslab::app {
namespace {

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

std::string variant_text(const host::Scheme& scheme) {
  const host::Model& model = scheme.model();
  std::string text = fmt::format("\nwith these parameters, on a model of width {} with {}\n", model.model_width,
                                 base::counted(model.heads, "head"));
  std::string set;
  for (const auto& [name, value] : scheme.parameters()) set += fmt::format(" {}={}", name, data::to_text(value));
  if (!set.empty()) text += "  parameters:" + set + "\n";
  text += "  operations: " + operations_text(scheme) + "\n  mask:       " + host::mask_text(scheme.mask()) +
          "\n  positions:  " + limits_text(scheme) + "\n";
  text += fmt::format("  logits:     q.k times {}{}\n", base::shortest(scheme.logit_scale()),
                      scheme.score_writes_logits() ? ", written anew by the scheme" : "");
  if (scheme.embedding_scale() != 1)
    text += fmt::format("  training:   embeddings times {}\n", base::shortest(scheme.embedding_scale()));
  if (scheme.initial_query_scale() != 1)
    text += fmt::format("  training:   begins with queries times {}\n", base::shortest(scheme.initial_query_scale()));
  text += "  claims\n";
  for (const host::Claim& claim : host::claims_of(scheme))
    text += fmt::format("    {:<14} {}\n", claim.name, claim.sentence);
  text += scheme.weights().empty() ? "  no weights\n" : "  weights\n";
  for (const host::WeightInfo& weight : scheme.weights())
    text += fmt::format("    {} [{}] {}; {}{}\n      {}\n", weight.name,
                        fmt::join(weight.shape.begin(), weight.shape.begin() + weight.rank, ", "),
                        weight.per_layer ? "for each layer" : "for all layers", initialisation_text(weight),
                        weight.frozen ? "; frozen" : "", weight.sentence);
  return text;
}

}  // namespace poslab::app
