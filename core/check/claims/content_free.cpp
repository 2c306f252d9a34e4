// SPDX-License-Identifier: Apache-2.0
// The claim content-free: what `score` adds does not depend on x, q or k.
#include <fmt/format.h>

#include "claims/attack.hpp"

namespace poslab::check {
namespace {

// What `score` makes of logits beyond scale * q.k, for given contents and incoming logits that are `offset` higher.
std::optional<Tensor> score_part(const Instance& instance, const Inputs& inputs, double offset) {
  Call call = forward_call(instance, inputs, Operation::score);
  for (double& logit : call.output.numbers) logit += offset;
  const Tensor before = call.output;
  if (!instance.invoke(call).ok()) return std::nullopt;
  Tensor part = call.output;
  for (std::size_t i = 0; i < part.numbers.size(); ++i) part.numbers[i] -= before.numbers[i];
  return part;
}

AttackResult refute_content_free(const Instance& instance, const Attack& attack, const Inputs& base_inputs) {
  Inputs one = base_inputs, other = base_inputs;
  const Index N = attack.positions.shape[0];
  one.positions = other.positions = attack.positions;
  one.queries = other.queries = N;
  one.causal = other.causal = attack.causal;
  one.layer = other.layer = attack.layer;
  one.contents = normal_contents(instance, N, "one", 1);
  for (const double factor : {0.0, 1.0, 30.0}) {
    other.contents = normal_contents(instance, N, "other", factor);
    const auto a = score_part(instance, one, 0), b = score_part(instance, other, factor);
    if (!a || !b) return not_possible();
    const double rounding = logit_tolerance(*a, *b) + 1e-13 * (1 + factor * factor);  // of the logits that they came in
    for (Index h = 0; h < instance.H(); ++h)
      for (Index i = 0; i < N; ++i)
        for (Index j = 0; j < (one.causal ? i + 1 : N); ++j)
          if (differ(a->at(h, i, j), b->at(h, i, j), rounding))
            return refuted(fmt::format("head {}, query {}, key {}: score adds {} for {}{}{}", h,
                                       point_text(attack.positions, i), point_text(attack.positions, j),
                                       one_but_other(a->at(h, i, j), b->at(h, i, j), " for some contents and "),
                                       factor == 0 ? "zeros" : "others", circumstances(attack),
                                       gap_text(a->at(h, i, j), b->at(h, i, j), rounding)));
  }
  return stood();
}

// Nothing else than `score` ever sees x, q or k; of transform, `linear` says as much.
void attack_content_free(Attacker& attacker) {
  const Instance& instance = attacker.instance;
  if (!instance.has(Operation::score)) return;
  const std::vector<Attack> attacks = attacks_on(instance, 5, false, "content-free");
  if (attacks.empty()) return;
  for (const WeightScale scale : {WeightScale::drawn, WeightScale::normal}) {
    const Inputs inputs = inputs_of(instance, attacks.front().positions, "content-free", scale);
    if (scale == WeightScale::normal && inputs.weights.empty()) continue;
    attacker.attack_all(
        attacks, [&](const Attack& attack) { return refute_content_free(instance, attack, inputs); }, 1);
  }
}

}  // namespace

std::string check_content_free(Trial& trial) {
  return attack_claim(trial, "content-free", POSLAB_CONTENT_FREE, attack_content_free);
}

}  // namespace poslab::check
