// SPDX-License-Identifier: Apache-2.0
// The claim unique up to n: positions 0 .. n - 1 have different signatures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "claims/attack.hpp"
#include "claims/unique_positions.hpp"
#include "poslab/base/text.hpp"

namespace poslab::check {
namespace {

using Signature = std::vector<double>;

bool append(const Instance& instance, Call call, Signature& signature) {
  if (!instance.invoke(call).ok()) return false;
  signature.insert(signature.end(), call.output.numbers.begin(), call.output.numbers.end());
  return true;
}

// What is added for the pair (query at `row`, key at the first position): logits of all heads, and mixed values.
bool append_pair(const Instance& instance, const Tensor& positions, Index row, const std::vector<Tensor>& weights,
                 Index length, Signature& signature) {
  Tensor pair({2, positions.shape[1]});
  for (Index a = 0; a < positions.shape[1]; ++a)
    pair.at(0, a) = positions.at(0, a), pair.at(1, a) = positions.at(row, a);
  Inputs inputs = attack_inputs(instance, {pair, {}, instance.causal_only()}, weights, 1);
  inputs.length = length;
  inputs.first_query = 1;
  inputs.queries = 1;
  for (const Operation operation : {Operation::bias, Operation::score, Operation::mix}) {
    if (!instance.has(operation)) continue;
    Call call = forward_call(instance, inputs, operation);
    if (operation == Operation::mix) {
      for (Index h = 0; h < instance.H(); ++h) call.attention.at(h, 0, 0) = 1, call.attention.at(h, 0, 1) = 0;
      if (!append(instance, call, signature)) return false;
      continue;
    }
    if (!instance.invoke(call).ok()) return false;
    for (Index h = 0; h < instance.H(); ++h) signature.push_back(call.output.at(h, 0, 0));
  }
  return true;
}

// By what the position of a row can be known; nothing where a call is refused or fails, or a number is none.
std::optional<Signature> signature_of(const Instance& instance, const Tensor& positions, Index row,
                                      const std::vector<Tensor>& weights, Index length) {
  Signature signature;
  Inputs inputs = attack_inputs(instance, {positions.rows(0, row, 1), {}, instance.causal_only()}, weights, 1);
  inputs.length = length;
  if (instance.has(Operation::encode) &&
      !append(instance, forward_call(instance, inputs, Operation::encode), signature))
    return std::nullopt;
  for (const int side : instance.sides())
    if (!append(instance, forward_call(instance, inputs, Operation::transform, POSLAB_F64, side), signature))
      return std::nullopt;
  if (!append_pair(instance, positions, row, weights, length, signature)) return std::nullopt;
  if (std::any_of(signature.begin(), signature.end(), [](double x) { return std::isnan(x); })) return std::nullopt;
  return signature;
}

struct Known {
  Index row;
  Signature signature;
};

// The square of how far apart two are; a number is infinitely far from an infinity, and an infinity not from itself.
double squared_distance(const Signature& a, const Signature& b) {
  double distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double step = a[i] == b[i] ? 0 : a[i] - b[i];
    distance += step * step;
  }
  return distance;
}

// Throws Failed at the first pair, by the greater of the two, that cannot be told apart; else how many pairs there are.
int require_apart(const Tensor& positions, const std::vector<Known>& known, double end) {
  double squares = 0;
  for (const Known& each_known : known)
    for (const double x : each_known.signature) squares += std::isfinite(x) ? x * x : 0;
  squares /= static_cast<double>(known.size());
  int pairs = 0;
  for (std::size_t q = 0; q < known.size(); ++q)
    for (std::size_t p = 0; p < q; ++p, ++pairs) {
      const double distance = squared_distance(known[q].signature, known[p].signature);
      if (!(distance <= collision * collision * squares)) continue;
      throw Failed(fmt::format(
          "refuted: positions {} and {} are {:.2g} apart in float64, which is within {:.2g} of a norm of {:.2g}: "
          "they cannot be told apart, but positions below {} are claimed to differ",
          point_text(positions, known[p].row), point_text(positions, known[q].row), std::sqrt(distance), collision,
          std::sqrt(squares), base::shortest(end)));
    }
  return pairs;
}

void attack_unique(Attacker& attacker) {
  const Instance& instance = attacker.instance;
  if (!attacker.is_claimed) return;  // up to which position would be anybody's guess
  const double claimed = instance.scheme().unique_up_to(), end = end_of_positions(claimed);
  const Tensor positions = positions_up_to(instance, end);
  const std::vector<Tensor> weights = weights_of(instance.scheme(), WeightScale::drawn, "unique");
  const Index length = std::max<Index>(64, static_cast<Index>(largest_magnitude(positions.numbers)) + 1);
  std::vector<Known> known;
  for (Index row = 0; row < positions.shape[0]; ++row)
    if (auto signature = signature_of(instance, positions, row, weights, length))
      known.push_back({row, std::move(*signature)});
  const auto left_out = static_cast<int>(positions.shape[0]) - static_cast<int>(known.size());
  if (known.size() < 2) {
    attacker.count_impossible(left_out);
    return;
  }
  attacker.count(require_apart(positions, known, claimed));
  std::string note = fmt::format("{} positions below {}", known.size(), base::shortest(end));
  if (end < claimed) note += fmt::format(" of {}", base::shortest(claimed));
  if (left_out > 0) note += fmt::format(", and {} at which a call is refused or fails, or gives no number", left_out);
  attacker.note(note);
}

}  // namespace

std::string check_unique(Trial& trial) {
  return attack_claim(
      trial, {"unique", [](const Instance& instance) { return instance.scheme().unique_up_to() > 1; }, attack_unique});
}

}  // namespace poslab::check
