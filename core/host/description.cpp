// SPDX-License-Identifier: Apache-2.0
#include "poslab/host/description.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "poslab/base/text.hpp"

namespace poslab::host {
namespace {

using base::Json;

// JSON has no infinities and no NaN: they become text.
Json json_of(double number) { return std::isfinite(number) ? Json(number) : Json(base::shortest(number)); }

const char* initialisation_word(const WeightInfo& weight) {
  switch (weight.initialisation) {
    case POSLAB_NORMAL: return "normal";
    case POSLAB_UNIFORM: return "uniform";
    default: return "constant";
  }
}

Json json_of(const WeightInfo& weight) {
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

constexpr const char* side_words[] = {"query", "key", "value", "output"};

constexpr Claim all_claims[] = {
    {POSLAB_ISOMETRY, "isometry", "keeps norms, and inner products at one position"},
    {POSLAB_RELATIVE, "relative", "logits depend on positions through query - key only"},
    {POSLAB_CONTENT_FREE, "content_free", "its part does not depend on what the tokens hold"},
    {POSLAB_LENGTH_FREE, "length_free", "nothing depends on the length of the sequence or of training"},
    {POSLAB_BOUNDED, "bounded", "nothing grows without limit as positions grow"},
    {POSLAB_SYMMETRIC, "symmetric", "the same for a key as far to the left as to the right"},
    {POSLAB_CONSTANT_NORM, "constant_norm", "every position's code has the same norm"},
    {POSLAB_MAY_BE_INFINITE, "may_be_infinite", "logits may be -infinity, as under a mask"}};

}  // namespace

std::vector<Claim> claims_of(const Scheme& scheme) {
  std::vector<Claim> claims;
  for (const Claim& claim : all_claims)
    if (scheme.claims(claim.bit)) claims.push_back(claim);
  return claims;
}

const char* mask_text(Mask mask) {
  switch (mask) {
    case Mask::causal_only: return "causal only";
    case Mask::bidirectional_only: return "bidirectional only";
    default: return "any";
  }
}

base::Json json_of(const Scheme& scheme) {
  Json operations = Json::array(), gradients = Json::array(), sides = Json::array(), weights = Json::array(),
       claims = Json::array(), frequencies = Json::array();
  for (const Operation operation : all_operations)
    if (scheme.has(operation)) {
      operations.push_back(to_text(operation));
      if (scheme.has_gradient(operation)) gradients.push_back(to_text(operation));
    }
  for (const Side side : all_sides)
    if (scheme.transforms(side)) sides.push_back(side_words[static_cast<std::size_t>(side)]);
  for (const WeightInfo& weight : scheme.weights()) weights.push_back(json_of(weight));
  for (const double frequency : scheme.inverse_frequency()) frequencies.push_back(json_of(frequency));
  for (const Claim& claim : claims_of(scheme)) claims.push_back(claim.name);
  return {{"values", Json::parse(scheme.parameters().to_json())},
          {"model_width", scheme.model().model_width},
          {"heads", scheme.model().heads},
          {"train_length", scheme.model().train_length},
          {"operations", operations},
          {"gradients", gradients},
          {"sides", sides},
          {"mask", mask_text(scheme.mask())},
          {"least_axes", scheme.least_axes()},
          {"most_axes", scheme.most_axes()},
          {"lowest_position", json_of(scheme.lowest_position())},
          {"highest_position", json_of(scheme.highest_position())},
          {"unique_up_to", json_of(scheme.unique_up_to())},
          {"logit_scale", json_of(scheme.logit_scale())},
          {"score_writes_logits", scheme.score_writes_logits()},
          {"embedding_scale", json_of(scheme.embedding_scale())},
          {"initial_query_scale", json_of(scheme.initial_query_scale())},
          {"inverse_frequency", frequencies},
          {"claims", claims},
          {"weights", weights}};
}

}  // namespace poslab::host
