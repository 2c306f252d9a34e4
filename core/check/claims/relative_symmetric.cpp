// SPDX-License-Identifier: Apache-2.0
// Claims about logits: that they depend on positions through their difference, and alike for both its signs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims/attack.hpp"

namespace poslab::check {
namespace {

// Over axes the numbers of a position add up, as their angles do.
double largest_position(const Tensor& positions) {
  double largest = 0;
  for (Index n = 0; n < positions.shape[0]; ++n) {
    double sum = 0;
    for (Index a = 0; a < positions.shape[1]; ++a) sum += std::abs(positions.at(n, a));
    largest = std::max(largest, sum);
  }
  return largest;
}

// The first pair of a query and a key, before and after all positions moved, that is not the same: "NAME(head, query,
// key) is ONE, but OTHER".
template <class Name>
AttackResult refute_moved(const Attack& attack, int contents, const Tensor& before, const Tensor& after, double most,
                          const Name& name) {
  const Index N = attack.positions.shape[0];
  for (Index h = 0; h < before.shape[0]; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < (attack.causal ? i + 1 : N); ++j)
        if (differ(before.at(h, i, j), after.at(h, i, j), most))
          return refuted(fmt::format("{} is {} when all positions move by {}; {}{}{}",
                                     name(h, point_text(attack.positions, i), point_text(attack.positions, j)),
                                     one_but_other(before.at(h, i, j), after.at(h, i, j)), point_text(attack.shift),
                                     content_text(contents), circumstances(attack),
                                     gap_text(before.at(h, i, j), after.at(h, i, j), most)));
  return stood();
}

AttackResult refute_relative(const Instance& instance, const Attack& attack, int contents,
                             const std::vector<Tensor>& weights) {
  const Tensor positions = moved(attack.positions, attack.shift);
  Inputs before = attack_inputs(instance, attack, weights, contents),
         after = attack_inputs(instance, {positions, {}, attack.causal, attack.layer}, weights, contents);
  before.length = after.length = std::max(before.length, after.length);
  const auto logits = logits_of(instance, before), logits_after = logits_of(instance, after);
  const auto reads = reads_of(instance, before), reads_after = reads_of(instance, after);
  if (!logits || !logits_after || !reads || !reads_after) return not_possible();
  const double largest = std::max(largest_position(attack.positions), largest_position(positions));
  const AttackResult of_logits =
      refute_moved(attack, contents, *logits, *logits_after, logit_tolerance(*logits, *logits_after, largest),
                   [&](Index h, const std::string& query, const std::string& key) {
                     return fmt::format("the logit of query {} and key {} ({})", query, key,
                                        h < instance.H() ? fmt::format("head {}", h) : "embeddings with codes");
                   });
  if (of_logits.kind != AttackResult::Kind::stood) return of_logits;
  return refute_moved(attack, contents, *reads, *reads_after, logit_tolerance(*reads, *reads_after, largest),
                      [](Index h, const std::string& query, const std::string& key) {
                        return fmt::format("what query {} reads of the value at {} (head {})", query, key, h);
                      });
}

// Two positions, and the same two in exchange; the same contents at the same rows. Without a mask: a causal one hides
// one of the two.
AttackResult refute_symmetric(const Instance& instance, const Attack& attack, int contents,
                              const std::vector<Tensor>& weights) {
  Tensor exchanged = attack.positions;
  for (Index a = 0; a < exchanged.shape[1]; ++a) std::swap(exchanged.at(0, a), exchanged.at(1, a));
  const Attack one{attack.positions, {}, false, attack.layer}, other{exchanged, {}, false, attack.layer};
  const auto a = logits_of(instance, attack_inputs(instance, one, weights, contents));
  const auto b = logits_of(instance, attack_inputs(instance, other, weights, contents));
  if (!a || !b) return not_possible();
  const double most = logit_tolerance(*a, *b, largest_position(exchanged));
  for (Index h = 0; h < a->shape[0]; ++h)
    if (differ(a->at(h, 1, 0), b->at(h, 1, 0), most))
      return refuted(fmt::format(
          "head {}: with the query at {} and the key at {} the logit is {}; {}{}{}", h, point_text(attack.positions, 1),
          point_text(attack.positions, 0), one_but_other(a->at(h, 1, 0), b->at(h, 1, 0), ", the other way round "),
          content_text(contents), circumstances(one), gap_text(a->at(h, 1, 0), b->at(h, 1, 0), most)));
  return stood();
}

// Whether logits have a part of the scheme in them at all.
bool has_logits(const Instance& instance) {
  for (const Operation operation : instance.operations())
    if (operation != Operation::mix) return true;
  return false;
}

template <class RefuteOne>
void attack_logits(Attacker& attacker, Index rows, Index min_rows, bool moves, const char* key, RefuteOne refute) {
  const Instance& instance = attacker.instance;
  for (const WeightScale scale : {WeightScale::drawn, WeightScale::normal}) {
    const std::vector<Tensor> weights =
        scale == WeightScale::drawn ? weights_of(instance.scheme(), scale, key) : normal_but_frequencies(instance, key);
    if (scale == WeightScale::normal && weights.empty()) continue;
    const bool sees_contents = instance.operations() != std::vector{Operation::bias};
    for (int contents = 0; contents < (sees_contents ? content_kinds : 1); ++contents)
      attacker.attack_all(
          attacks_on(instance, rows, moves, fmt::format("{}/{}", key, contents)),
          [&](const Attack& attack) { return refute(instance, attack, contents, weights); }, min_rows);
  }
}

void attack_relative(Attacker& attacker) {
  if (!attacker.is_claimed && attacker.instance.operations().empty()) return;
  attack_logits(attacker, 6, 1, true, "relative", refute_relative);
}

void attack_symmetric(Attacker& attacker) {
  if (attacker.instance.causal_only()) return;  // only one sign of the offset is ever seen
  if (!attacker.is_claimed && !has_logits(attacker.instance)) return;
  attack_logits(attacker, 2, 2, false, "symmetric", refute_symmetric);
}

}  // namespace

std::string check_relative(Trial& trial) { return attack_claim(trial, "relative", POSLAB_RELATIVE, attack_relative); }

std::string check_symmetric(Trial& trial) {
  return attack_claim(trial, "symmetric", POSLAB_SYMMETRIC, attack_symmetric);
}

}  // namespace poslab::check
