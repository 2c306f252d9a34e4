// SPDX-License-Identifier: Apache-2.0
// The claim unique up to n: positions 0 .. n - 1 have different signatures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims/attack.hpp"
#include "poslab/base/text.hpp"

namespace poslab::check {
using base::at;
namespace {

// Positions 0 .. n - 1: the first, the last, and some between; where there are several axes, points of a grid.
Tensor positions_up_to(const Instance& instance, double n) {
  constexpr Index each = 128;
  const double end = std::min(n, 1048576.0);
  const base::Stream stream("unique/positions");
  std::vector<std::vector<double>> points;
  const auto number_at = [&](Index i) {
    if (i < each) return static_cast<double>(i);
    if (i < 2 * each) return end - 1 - static_cast<double>(i - each);
    return std::floor(stream.uniform(static_cast<std::uint64_t>(i)) * end);
  };
  for (Index i = 0; i < 3 * each; ++i) {
    std::vector<double> point;
    for (int a = 0; a < instance.axes(); ++a)
      point.push_back(a == 0
                          ? number_at(i)
                          : std::floor(stream.uniform(static_cast<std::uint64_t>(1000 * a + i)) * std::min(end, 16.0)));
    const bool is_served = std::all_of(point.begin(), point.end(), [&](double p) {
      return p >= 0 && p < end && !instance.scheme().why_not_positions(p, p);
    });
    if (is_served) points.push_back(point);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  Tensor positions({static_cast<Index>(points.size()), instance.axes()});
  for (Index i = 0; i < positions.shape[0]; ++i)
    for (Index a = 0; a < positions.shape[1]; ++a) positions.at(i, a) = points[at(i)][at(a)];
  return positions;
}

// What is added for the pair (query at `row`, key at the first position): logits of all heads, and mixed values.
void append_pair(const Instance& instance, const Tensor& positions, Index row, const std::vector<Tensor>& weights,
                 Index length, std::vector<double>& signature) {
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
    if (operation == Operation::mix)
      for (Index h = 0; h < instance.H(); ++h) call.attention.at(h, 0, 0) = 1, call.attention.at(h, 0, 1) = 0;
    instance.invoke(call);
    if (operation == Operation::mix)
      signature.insert(signature.end(), call.output.numbers.begin(), call.output.numbers.end());
    else
      for (Index h = 0; h < instance.H(); ++h) signature.push_back(call.output.at(h, 0, 0));
  }
}

std::vector<std::vector<double>> signatures_of(const Instance& instance, const Tensor& positions) {
  const Index N = positions.shape[0];
  const std::vector<Tensor> weights = weights_of(instance.scheme(), WeightScale::drawn, "unique");
  const Inputs inputs = attack_inputs(instance, {positions, {}, instance.causal_only()}, weights, 1);
  std::vector<std::vector<double>> signatures(static_cast<std::size_t>(N));
  if (instance.has(Operation::encode)) {
    Call call = forward_call(instance, inputs, Operation::encode);
    instance.invoke(call);
    for (Index n = 0; n < N; ++n)
      for (Index d = 0; d < instance.D(); ++d) signatures[at(n)].push_back(call.output.at(n, d));
  }
  if (instance.has(Operation::transform)) {
    Call call = forward_call(instance, inputs, Operation::transform, POSLAB_F64, POSLAB_KEY);
    instance.invoke(call);
    for (Index n = 0; n < N; ++n)
      for (Index h = 0; h < instance.H(); ++h)
        for (Index k = 0; k < instance.K(); ++k) signatures[at(n)].push_back(call.output.at(h, n, k));
  }
  for (Index n = 0; n < N; ++n) append_pair(instance, positions, n, weights, inputs.length, signatures[at(n)]);
  return signatures;
}

void attack_unique(Attacker& attacker) {
  const Instance& instance = attacker.instance;
  if (!attacker.is_claimed) return;  // up to which position would be anybody's guess
  const double end = instance.scheme().unique_up_to();
  const Tensor positions = positions_up_to(instance, end);
  const auto signatures = signatures_of(instance, positions);
  double squares = 0;
  for (const auto& signature : signatures)
    for (const double x : signature) squares += x * x;
  const double near = collision * collision * squares / static_cast<double>(signatures.size());
  int pairs = 0;
  // By the greater of the two, so that the first collision is the smallest.
  for (std::size_t q = 0; q < signatures.size(); ++q)
    for (std::size_t p = 0; p < q; ++p, ++pairs) {
      double distance = 0;
      for (std::size_t i = 0; i < signatures[q].size(); ++i) {
        const double step = signatures[q][i] == signatures[p][i] ? 0 : signatures[q][i] - signatures[p][i];
        distance += step * step;
      }
      if (distance <= near)
        throw Failed(fmt::format(
            "refuted: positions {} and {} are {:.2g} apart, over a norm of {:.2g}: they cannot be told "
            "apart, but positions below {} are claimed to differ",
            point_text(positions, static_cast<Index>(p)), point_text(positions, static_cast<Index>(q)),
            std::sqrt(distance), std::sqrt(squares / static_cast<double>(signatures.size())), base::shortest(end)));
    }
  attacker.count(pairs);
}

}  // namespace

std::string check_unique(Trial& trial) {
  return attack_claim(
      trial, {"unique", [](const Instance& instance) { return instance.scheme().unique_up_to() > 1; }, attack_unique});
}

}  // namespace poslab::check
