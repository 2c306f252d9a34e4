// SPDX-License-Identifier: Apache-2.0
// Claims about single vectors: isometry of transform, constant norm of encode.
#include <fmt/format.h>

#include <cmath>

#include "claims/attack.hpp"

namespace poslab::check {
namespace {

// x and y of row n, head h: inner product.
double inner(const Tensor& x, const Tensor& y, Index h, Index n) {
  double sum = 0;
  for (Index k = 0; k < x.shape[2]; ++k) sum += x.at(h, n, k) * y.at(h, n, k);
  return sum;
}

// Pairs of vectors: random ones, and one vector with itself (its norm).
AttackResult refute_isometry(const Instance& instance, const Attack& attack, const std::vector<Tensor>& weights) {
  const Inputs inputs = attack_inputs(instance, attack, weights);
  for (const int side : instance.sides()) {
    Call x = forward_call(instance, inputs, Operation::transform, POSLAB_F64, side), y = x;
    y.output = inputs.contents.of_side(side == POSLAB_QUERY ? POSLAB_KEY : POSLAB_QUERY);
    const Tensor before_x = x.output, before_y = y.output;
    if (!instance.invoke(x).ok() || !instance.invoke(y).ok()) return not_possible();
    if (!x.output.finite() || !y.output.finite()) return not_possible();
    for (Index h = 0; h < instance.H(); ++h)
      for (Index n = 0; n < attack.positions.shape[0]; ++n)
        for (const bool itself : {true, false}) {
          const double norms = std::sqrt(inner(before_x, before_x, h, n)) *
                               std::sqrt(itself ? inner(before_x, before_x, h, n) : inner(before_y, before_y, h, n));
          const double before = inner(before_x, itself ? before_x : before_y, h, n);
          const double after = inner(x.output, itself ? x.output : y.output, h, n);
          if (std::abs(after - before) <= norms * isometry_rounding.allowed(0, 0, 0, 0)) continue;
          return refuted(fmt::format("at position {}, {}, head {}: {} is {}{}{}", point_text(attack.positions, n),
                                     host::to_text(static_cast<host::Side>(side)), h,
                                     itself ? "a squared norm" : "an inner product",
                                     one_but_other(before, after, " before, and afterwards "), circumstances(attack),
                                     gap_text(before, after, norms * isometry_rounding.allowed(0, 0, 0, 0))));
        }
  }
  return stood();
}

double norm_of_row(const Tensor& rows, Index n) {
  double squares = 0;
  for (Index d = 0; d < rows.shape[1]; ++d) squares += rows.at(n, d) * rows.at(n, d);
  return std::sqrt(squares);
}

AttackResult refute_constant_norm(const Instance& instance, const Attack& attack, const std::vector<Tensor>& weights) {
  Call call = forward_call(instance, attack_inputs(instance, attack, weights), Operation::encode);
  if (!instance.invoke(call).ok()) return not_possible();
  const double first = norm_of_row(call.output, 0);
  for (Index n = 1; n < attack.positions.shape[0]; ++n) {
    const double norm = norm_of_row(call.output, n);
    if (!(std::abs(norm - first) <= first * norm_rounding.allowed(0, 0, 0, 0)))
      return refuted(fmt::format("the norms at positions {} and {} are {}{}", point_text(attack.positions, 0),
                                 point_text(attack.positions, n), one_but_other(first, norm, " and "),
                                 gap_text(first, norm, first * norm_rounding.allowed(0, 0, 0, 0))));
  }
  return stood();
}

// Attacks with drawn weights, then with others that training could reach.
void attack_vectors(Attacker& attacker, const std::string& key, Index min_rows,
                    AttackResult (*refute)(const Instance&, const Attack&, const std::vector<Tensor>&)) {
  const Instance& instance = attacker.instance;
  for (const WeightScale scale : {WeightScale::drawn, WeightScale::normal}) {
    const std::vector<Tensor> weights = weights_of(instance.scheme(), scale, key);
    if (scale == WeightScale::normal && weights.empty()) continue;
    const auto with_weights = [&](const Attack& attack) { return refute(instance, attack, weights); };
    attacker.attack_all(attacks_on(instance, 8, false, key), with_weights, min_rows);
    if (scale == WeightScale::drawn) attacker.attack_all(dense_attacks(instance), with_weights, min_rows);
  }
}

void attack_isometry(Attacker& attacker) {
  if (attacker.instance.has(Operation::transform)) attack_vectors(attacker, "isometry", 1, refute_isometry);
}

void attack_constant_norm(Attacker& attacker) {
  if (attacker.instance.has(Operation::encode)) attack_vectors(attacker, "constant norm", 2, refute_constant_norm);
}

}  // namespace

std::string check_isometry(Trial& trial) { return attack_claim(trial, "isometry", POSLAB_ISOMETRY, attack_isometry); }

std::string check_constant_norm(Trial& trial) {
  return attack_claim(trial, "constant-norm", POSLAB_CONSTANT_NORM, attack_constant_norm);
}

}  // namespace poslab::check
