// SPDX-License-Identifier: Apache-2.0
// Logits with every operation at its place.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims.hpp"

namespace poslab::check {
namespace {

bool usable(const Block& block) {
  for (const double x : block.numbers)
    if (std::isnan(x) || (std::isinf(x) && x > 0)) return false;
  return true;
}

// One head more: the logits of embeddings with their codes.
bool append_encoded(const Subject& subject, const Scene& scene, Block& logits) {
  Call call = forward_call(subject, scene, Operation::encode);
  if (!subject.perform(call).ok()) return false;
  const Index N = scene.positions.shape[0], D = subject.D();
  const Block query = scene.contents.layer_input, key = normal_block({N, D}, "claims/other embedding");
  ++logits.shape[0];
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j < N; ++j) {
      double product = 0;
      for (Index d = 0; d < D; ++d)
        product += (query.at(i, d) + call.output.at(i, d)) * (key.at(j, d) + call.output.at(j, d));
      logits.numbers.push_back(product / std::sqrt(static_cast<double>(D)));
    }
  return true;
}

}  // namespace

std::optional<Block> logits_of(const Subject& subject, const Scene& scene) {
  const Index N = scene.positions.shape[0], H = subject.H();
  Scene turned = scene;
  if (subject.has(Operation::transform))
    for (const int side : {POSLAB_QUERY, POSLAB_KEY}) {
      Call call = forward_call(subject, scene, Operation::transform, POSLAB_F64, side);
      if (!subject.perform(call).ok()) return std::nullopt;
      (side == POSLAB_QUERY ? turned.contents.query : turned.contents.key) = call.output;
    }
  Block bias({H, N, N});
  if (subject.has(Operation::bias)) {
    Call call = forward_call(subject, turned, Operation::bias);
    if (!subject.perform(call).ok()) return std::nullopt;
    bias = call.output;
  }
  Call call;
  call.query = turned.contents.query;
  call.key = turned.contents.key;
  call.scale = subject.scheme().logit_scale();
  Block logits({H, N, N});
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j) {
        for (Index k = 0; k < subject.K(); ++k) logits.at(h, i, j) += call.query.at(h, i, k) * call.key.at(h, j, k);
        logits.at(h, i, j) = call.scale * logits.at(h, i, j) + bias.at(h, i, j);
      }
  if (subject.has(Operation::score)) {
    Call score = forward_call(subject, turned, Operation::score);
    score.output = logits;
    if (!logits.finite()) return std::nullopt;
    if (!subject.perform(score).ok()) return std::nullopt;
    logits = score.output;
  }
  if (subject.has(Operation::encode) && !append_encoded(subject, scene, logits)) return std::nullopt;
  if (!usable(logits)) return std::nullopt;
  return logits;
}

}  // namespace poslab::check
