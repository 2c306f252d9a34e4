// SPDX-License-Identifier: Apache-2.0
// Logits from every operation, in the order of the model.
#include <algorithm>
#include <cmath>

#include "claims/attack.hpp"

namespace poslab::check {
namespace {

bool usable(const Tensor& tensor) {
  return std::none_of(tensor.numbers.begin(), tensor.numbers.end(),
                      [](double x) { return std::isnan(x) || (std::isinf(x) && x > 0); });
}

// Logits arrive finite (plugin.h): for -infinity `score` finds 0, and the logit stays hidden.
bool add_score(const Instance& instance, const Inputs& rotated, Tensor& logits) {
  Call score = forward_call(instance, rotated, Operation::score);
  score.output = logits;
  for (double& logit : score.output.numbers)
    if (std::isinf(logit) && logit < 0) logit = 0;
  if (!score.output.finite() || !instance.invoke(score).ok()) return false;
  for (std::size_t i = 0; i < logits.numbers.size(); ++i)
    if (std::isfinite(logits.numbers[i])) logits.numbers[i] = score.output.numbers[i];
  return true;
}

// What `mix` adds to `mixed` [H, N, K] where each query attends to key j alone; to itself where a causal mask hides j.
bool add_mix(const Instance& instance, const Inputs& inputs, Index j, Tensor& mixed) {
  if (!instance.has(Operation::mix)) return true;
  Call mix = forward_call(instance, inputs, Operation::mix);
  std::fill(mix.attention.numbers.begin(), mix.attention.numbers.end(), 0.0);
  for (Index h = 0; h < mix.attention.shape[0]; ++h)
    for (Index i = 0; i < mix.attention.shape[1]; ++i) mix.attention.at(h, i, is_hidden(mix, i, j) ? i : j) = 1;
  mix.output = mixed;
  if (!instance.invoke(mix).ok() || !usable(mix.output)) return false;
  mixed = mix.output;
  return true;
}

// One head more: the logits of embeddings with their codes.
bool append_encoded(const Instance& instance, const Inputs& inputs, Tensor& logits) {
  Call call = forward_call(instance, inputs, Operation::encode);
  if (!instance.invoke(call).ok()) return false;
  const Index N = inputs.positions.shape[0], D = instance.D();
  const Tensor query = inputs.contents.layer_input, key = normal_tensor({N, D}, "claims/other embedding");
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

std::optional<Tensor> logits_of(const Instance& instance, const Inputs& inputs) {
  const Index N = inputs.positions.shape[0], H = instance.H();
  Inputs rotated = inputs;
  for (const int side : instance.sides()) {
    if (side != POSLAB_QUERY && side != POSLAB_KEY) continue;
    Call call = forward_call(instance, inputs, Operation::transform, POSLAB_F64, side);
    if (!instance.invoke(call).ok()) return std::nullopt;
    (side == POSLAB_QUERY ? rotated.contents.query : rotated.contents.key) = call.output;
  }
  Tensor bias({H, N, N});
  if (instance.has(Operation::bias)) {
    Call call = forward_call(instance, rotated, Operation::bias);
    if (!instance.invoke(call).ok()) return std::nullopt;
    bias = call.output;
  }
  const Tensor &query = rotated.contents.query, &key = rotated.contents.key;
  const double scale = instance.scheme().logit_scale();
  Tensor logits({H, N, N});
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j) {
        for (Index k = 0; k < instance.K(); ++k) logits.at(h, i, j) += query.at(h, i, k) * key.at(h, j, k);
        logits.at(h, i, j) = scale * logits.at(h, i, j) + bias.at(h, i, j);
      }
  if (instance.has(Operation::score) && !add_score(instance, rotated, logits)) return std::nullopt;
  if (instance.has(Operation::encode) && !append_encoded(instance, inputs, logits)) return std::nullopt;
  if (!usable(logits)) return std::nullopt;
  return logits;
}

// The value of key j, transformed, goes alone to query i, with what `mix` adds; that is transformed, and read along a
// drawn vector.
std::optional<Tensor> reads_of(const Instance& instance, const Inputs& inputs) {
  const Index N = inputs.positions.shape[0], H = instance.H(), K = instance.K();
  const host::Scheme& scheme = instance.scheme();
  const bool has_part = scheme.transforms(host::Side::value) || scheme.transforms(host::Side::output);
  if (!has_part && !instance.has(Operation::mix)) return Tensor({H, N, N});
  const auto transformed = [&](int side, const Tensor& x) -> std::optional<Tensor> {
    if (!scheme.transforms(static_cast<host::Side>(side))) return x;
    Call call = forward_call(instance, inputs, Operation::transform, POSLAB_F64, side);
    call.output = x;
    if (!instance.invoke(call).ok() || !usable(call.output)) return std::nullopt;
    return call.output;
  };
  const auto values = transformed(POSLAB_VALUE, inputs.contents.value);
  if (!values) return std::nullopt;
  Tensor reads({H, N, N});
  for (Index j = 0; j < N; ++j) {
    Tensor mixed({H, N, K});
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < N; ++i)
        for (Index k = 0; k < K; ++k) mixed.at(h, i, k) = values->at(h, j, k);
    if (!add_mix(instance, inputs, j, mixed)) return std::nullopt;
    const auto outputs = transformed(POSLAB_OUTPUT, mixed);
    if (!outputs) return std::nullopt;
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < N; ++i)
        for (Index k = 0; k < K; ++k) reads.at(h, i, j) += outputs->at(h, i, k) * inputs.contents.mixed.at(h, i, k);
  }
  return reads;
}

}  // namespace poslab::check
