// SPDX-License-Identifier: Apache-2.0
// The claim length-free: nothing depends on how long the context is, or was in training.
#include <fmt/format.h>

#include <memory>

#include "calls/make_call.hpp"
#include "claims/attack.hpp"
#include "poslab/data/refusal.hpp"

namespace poslab::check {
namespace {

// A table with as many rows as the train length is another table for another one, not another result.
bool same_shapes(const Instance& a, const Instance& b) {
  for (std::size_t w = 0; w < a.scheme().weights().size(); ++w)
    if (a.scheme().weights()[w].shape != b.scheme().weights()[w].shape) return false;
  return true;
}

// The variant for a model of another train length; null where the scheme refuses every one that is tried.
std::unique_ptr<Instance> otherwise_trained(const Instance& instance) {
  Variant variant = instance.variant();
  for (const Index train_length : {512, 32}) try {
      variant.model.train_length = train_length;
      return std::make_unique<Instance>(instance.plugin(), variant, instance.axes());
    } catch (const data::Refused&) {
      continue;
    }
  return nullptr;
}

// The same call with other lengths must give the same bits.
AttackResult refute_lengths(const Instance& instance, const Instance* otherwise, const Attack& attack,
                            const Call& call) {
  Call first = call;
  if (!instance.invoke(first).ok()) return not_possible();
  struct Other {
    Index length, train_length;
    const Instance* instance;
  };
  const Index length = call.length, N = attack.positions.shape[0];
  std::vector<Other> others{{N, 64, &instance},          {N + 1, 64, &instance},   {length + 1, 64, &instance},
                            {2 * length, 64, &instance}, {1000000, 64, &instance}, {length, 1, &instance},
                            {length, 100000, &instance}};
  if (otherwise && same_shapes(instance, *otherwise))
    others.push_back({length, otherwise->variant().model.train_length, otherwise});
  for (const Other& other : others) {
    Call second = call;
    second.length = other.length;
    second.train_length = other.train_length;
    const CallResult result = other.instance->invoke(second);
    const std::string change = fmt::format("length {} and train length {} instead of {} and {}", other.length,
                                           other.train_length, length, call.train_length);
    if (!result.ok())
      return refuted(
          fmt::format("{}{} with {} {}", name_of(call), conditions_text(call), change, result.text_of_status()));
    if (const std::string found = difference(first, second); !found.empty())
      return refuted(fmt::format("{}{} at positions from {} differs with {}: {}", name_of(call), conditions_text(call),
                                 point_text(attack.positions, 0), change, found));
  }
  return stood();
}

// The positions with the first of them again, `more` times, as keys to the right of all queries.
Inputs with_more_keys(const Instance& instance, const Inputs& inputs, Index more) {
  const Index N = inputs.positions.shape[0];
  Tensor positions({N + more, inputs.positions.shape[1]});
  for (Index n = 0; n < N + more; ++n)
    for (Index a = 0; a < positions.shape[1]; ++a) positions.at(n, a) = inputs.positions.at(n < N ? n : 0, a);
  Inputs longer = inputs;
  longer.positions = positions;
  longer.queries = N;
  longer.contents = normal_contents(instance, N + more, "more keys");
  return longer;
}

// Without a mask a context that is longer has more keys: the biases of those before may not change.
AttackResult refute_keys(const Instance& instance, const Attack& attack, const Inputs& inputs) {
  if (attack.causal || !instance.has(Operation::bias)) return stood();
  constexpr Index more = 3;
  Call few = forward_call(instance, inputs, Operation::bias);
  Call many = forward_call(instance, with_more_keys(instance, inputs, more), Operation::bias);
  if (!instance.invoke(few).ok() || !instance.invoke(many).ok()) return not_possible();
  const double most = logit_tolerance(few.output, many.output);
  for (Index h = 0; h < few.output.shape[0]; ++h)
    for (Index i = 0; i < few.output.shape[1]; ++i)
      for (Index j = 0; j < few.output.shape[2]; ++j)
        if (differ(few.output.at(h, i, j), many.output.at(h, i, j), most))
          return refuted(fmt::format("head {}: the bias of query {} and key {} is {} when {} more keys follow{}{}", h,
                                     point_text(attack.positions, i), point_text(attack.positions, j),
                                     one_but_other(few.output.at(h, i, j), many.output.at(h, i, j)), more,
                                     circumstances(attack),
                                     gap_text(few.output.at(h, i, j), many.output.at(h, i, j), most)));
  return stood();
}

AttackResult refute_length_free(const Instance& instance, const Instance* otherwise, const Attack& attack,
                                const std::vector<Tensor>& weights) {
  Inputs inputs = inputs_of(instance, attack.positions, "length-free");
  inputs.causal = attack.causal;
  inputs.layer = attack.layer;
  inputs.weights = weights;
  for (const Call& call : all_calls(instance, inputs, Include::forward)) {
    if (call.scalar != POSLAB_F64) continue;
    AttackResult result = refute_lengths(instance, otherwise, attack, call);
    if (result.kind != AttackResult::Kind::stood) return result;
  }
  return refute_keys(instance, attack, inputs);
}

void attack_length_free(Attacker& attacker) {
  const Instance& instance = attacker.instance;
  if (instance.operations().empty()) return;
  const auto otherwise = otherwise_trained(instance);
  if (!otherwise) attacker.note("train lengths 512 and 32 are refused, so that `create` was asked for one alone");
  if (!attacker.is_claimed && otherwise && !same_shapes(instance, *otherwise)) return;
  for (const WeightScale scale : {WeightScale::drawn, WeightScale::normal}) {
    const std::vector<Tensor> weights = weights_of(instance.scheme(), scale, "length-free");
    if (scale == WeightScale::normal && weights.empty()) continue;
    attacker.attack_all(
        every(3, attacks_on(instance, 5, false, "length-free")),
        [&](const Attack& attack) { return refute_length_free(instance, otherwise.get(), attack, weights); }, 1);
  }
}

}  // namespace

std::string check_length_free(Trial& trial) {
  return attack_claim(trial, "length-free", POSLAB_LENGTH_FREE, attack_length_free);
}

}  // namespace poslab::check
