// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene.hpp"

namespace poslab::check {
namespace {

bool hidden(const Call& call, Index i, Index j) { return call.causal && j > call.first_query + i; }

// Rows that sum to one, nothing on hidden keys.
Block attention_of(const Call& call, Index H, const std::string& key) {
  const Index Nq = call.query_positions.shape[0], Nk = call.key_positions.shape[0];
  Block attention = normal_block({H, Nq, Nk}, key + "/attention");
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < Nq; ++i) {
      double sum = 0;
      for (Index j = 0; j < Nk; ++j) {
        double& entry = attention.at(h, i, j);
        entry = hidden(call, i, j) ? 0 : std::exp(entry);
        sum += entry;
      }
      for (Index j = 0; j < Nk; ++j) attention.at(h, i, j) /= sum;
    }
  return attention;
}

Call bare_call(const Scene& scene, Operation operation, int scalar, int side) {
  Call call;
  call.operation = operation;
  call.scalar = scalar;
  call.side = side;
  call.causal = scene.causal;
  call.length = scene.length;
  call.train_length = scene.train_length;
  call.weights = scene.weights;
  if (operation == Operation::encode || operation == Operation::transform) {
    call.positions = scene.positions;
  } else {
    call.query_positions = scene.positions.rows(0, scene.first_query, scene.queries);
    call.key_positions = scene.positions;
    call.first_query = scene.first_query;
  }
  return call;
}

}  // namespace

Block plain_logits(const Subject& subject, const Call& call) {
  const Index H = subject.H(), K = subject.K(), Nq = call.query.shape[1], Nk = call.key.shape[1];
  Block logits({H, Nq, Nk});
  if (subject.has(Operation::bias)) {
    Call bias = call;
    bias.operation = Operation::bias;
    bias.gradient = false;
    bias.scalar = POSLAB_F64;
    bias.layer_input = bias.query = bias.key = bias.output_gradient = {};
    bias.layer_input_gradient = bias.query_gradient = bias.key_gradient = {};
    bias.weight_gradients.clear();
    bias.output = Block({H, Nq, Nk});
    if (subject.perform(bias).ok()) logits = bias.output;
  }
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < Nq; ++i)
      for (Index j = 0; j < Nk; ++j) {
        double product = 0;
        for (Index k = 0; k < K; ++k) product += call.query.at(h, i, k) * call.key.at(h, j, k);
        double& logit = logits.at(h, i, j);
        if (!std::isfinite(logit)) logit = 0;  // logits arrive finite
        logit += call.scale * product;
      }
  return logits;
}

Call forward_call(const Subject& subject, const Scene& scene, Operation operation, int scalar, int side) {
  const Index N = scene.positions.shape[0], Nq = scene.queries, D = subject.D(), H = subject.H(), K = subject.K();
  Call call = bare_call(scene, operation, scalar, side);
  switch (operation) {
    case Operation::encode: call.output = Block({N, D}, std::nan("")); break;
    case Operation::transform: call.output = side == POSLAB_QUERY ? scene.contents.query : scene.contents.key; break;
    case Operation::bias: call.output = Block({H, Nq, N}, std::nan("")); break;
    case Operation::score:
      call.scale = subject.scheme().logit_scale();
      call.layer_input = scene.contents.layer_input;
      call.query = scene.contents.query.rows(1, scene.first_query, Nq);
      call.key = scene.contents.key;
      call.output = plain_logits(subject, call);
      break;
    case Operation::mix:
      call.attention = attention_of(call, H, scene.key);
      call.output = normal_block({H, Nq, K}, scene.key + "/mixed");
      break;
  }
  if (scalar == POSLAB_F32) round_to_float(call);
  return call;
}

Call gradient_call(const Subject& subject, const Scene& scene, Operation operation, int scalar, int side) {
  Call call = forward_call(subject, scene, operation, scalar, side);
  call.gradient = true;
  Block loss = call.output;
  const base::Stream stream(scene.key + "/loss");
  for (std::size_t i = 0; i < loss.numbers.size(); ++i) loss.numbers[i] = stream.normal(i);
  if (operation == Operation::bias || operation == Operation::score)
    for (Index h = 0; h < loss.shape[0]; ++h)
      for (Index i = 0; i < loss.shape[1]; ++i)
        for (Index j = 0; j < loss.shape[2]; ++j)
          if (hidden(call, i, j)) loss.at(h, i, j) = 0;
  const auto zeros = [](Block like) {
    std::fill(like.numbers.begin(), like.numbers.end(), 0.0);
    return like;
  };
  for (const Block& weight : call.weights) call.weight_gradients.push_back(zeros(weight));
  if (operation == Operation::transform) {
    (side == POSLAB_QUERY ? call.query : call.key) = call.output;
    call.output = loss;
  } else {
    call.output = {};
    call.output_gradient = loss;
  }
  if (operation == Operation::score) {
    call.layer_input_gradient = zeros(call.layer_input);
    call.query_gradient = zeros(call.query);
    call.key_gradient = zeros(call.key);
  }
  if (operation == Operation::mix) call.attention_gradient = zeros(call.attention);
  if (scalar == POSLAB_F32) round_to_float(call);
  return call;
}

std::vector<Call> all_calls(const Subject& subject, const Scene& scene, Which which) {
  std::vector<Call> calls;
  Scene few = scene;
  few.queries = std::min<Index>(scene.queries, 2);
  for (const Operation operation : subject.operations())
    for (const int scalar : {POSLAB_F64, POSLAB_F32})
      for (const int side : {POSLAB_QUERY, POSLAB_KEY}) {
        if (side == POSLAB_KEY && operation != Operation::transform) continue;
        calls.push_back(forward_call(subject, scene, operation, scalar, side));
        if (which == Which::all && subject.has_gradient(operation))
          calls.push_back(gradient_call(subject, few, operation, scalar, side));
      }
  return calls;
}

}  // namespace poslab::check
