// SPDX-License-Identifier: Apache-2.0
// From an attack that refutes to the smallest one that still does.
#include <algorithm>
#include <cmath>

#include "claims/attack.hpp"

namespace poslab::check {
namespace {

Tensor without_row(const Tensor& positions, Index row) {
  Tensor fewer({positions.shape[0] - 1, positions.shape[1]});
  for (Index n = 0, to = 0; n < positions.shape[0]; ++n) {
    if (n == row) continue;
    for (Index a = 0; a < positions.shape[1]; ++a) fewer.at(to, a) = positions.at(n, a);
    ++to;
  }
  return fewer;
}

double size_of(const Attack& attack) {
  double sum = 0;
  for (const double p : attack.positions.numbers) sum += std::abs(p);
  return sum;
}

// Attacks that are a little smaller, the boldest first.
std::vector<Attack> smaller(const Attack& attack, Index min_rows) {
  std::vector<Attack> candidates;
  if (attack.positions.shape[0] > min_rows)
    for (Index row = 0; row < attack.positions.shape[0]; ++row)
      candidates.push_back({without_row(attack.positions, row), attack.shift, attack.causal, attack.layer});
  if (attack.layer > 0) candidates.push_back({attack.positions, attack.shift, attack.causal, 0});
  const auto lessen = [&](auto number_of) {
    Attack copy = attack;
    const double x = number_of(copy);
    for (const double less : {0.0, std::trunc(x / 2), x - std::copysign(1.0, x)}) {
      if (std::abs(less) >= std::abs(x)) continue;
      candidates.push_back(attack);
      number_of(candidates.back()) = less;
    }
  };
  // All positions together, so that those that must be equal, or apart by something, stay so.
  for (std::size_t i = 0; i < attack.positions.numbers.size(); ++i)
    for (const double by : {attack.positions.numbers[i], std::copysign(1.0, attack.positions.numbers[i])}) {
      Attack nearer = attack;
      const auto axis = static_cast<Index>(i) % attack.positions.shape[1];
      for (Index n = 0; n < nearer.positions.shape[0]; ++n) nearer.positions.at(n, axis) -= by;
      if (size_of(nearer) < size_of(attack)) candidates.push_back(std::move(nearer));
    }
  for (std::size_t a = 0; a < attack.shift.size(); ++a) lessen([a](Attack& of) -> double& { return of.shift[a]; });
  for (std::size_t i = 0; i < attack.positions.numbers.size(); ++i)
    lessen([i](Attack& of) -> double& { return of.positions.numbers[i]; });
  return candidates;
}

}  // namespace

std::string smallest_refutation(const Instance& instance, Attack attack, const Refute& refute, Index min_rows) {
  std::string counter_example = refute(attack).counter_example;
  for (int round = 0; round < 200; ++round) {
    bool found = false;
    for (const Attack& candidate : smaller(attack, min_rows)) {
      if (!is_served(instance, candidate)) continue;
      if (AttackResult result = refute(candidate); result.is_refuted()) {
        attack = candidate;
        counter_example = std::move(result.counter_example);
        found = true;
        break;
      }
    }
    if (!found) break;
  }
  return counter_example;
}

}  // namespace poslab::check
