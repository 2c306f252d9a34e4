// SPDX-License-Identifier: Apache-2.0
// The claim unique up to n: positions 0 .. n - 1 have different signatures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims.hpp"
#include "poslab/base/text.hpp"
#include "tolerances.hpp"

namespace poslab::check {
namespace {

// Positions 0 .. n - 1: the first, the last, and some between; where there are several axes, points of a grid.
Block positions_up_to(const Subject& subject, double n) {
  constexpr Index each = 128;
  const double end = std::min(n, 1048576.0);
  const base::Stream stream("unique/positions");
  std::vector<std::vector<double>> points;
  const auto place = [&](Index i) {
    if (i < each) return static_cast<double>(i);
    if (i < 2 * each) return end - 1 - static_cast<double>(i - each);
    return std::floor(stream.uniform(static_cast<std::uint64_t>(i)) * end);
  };
  for (Index i = 0; i < 3 * each; ++i) {
    std::vector<double> point;
    for (int a = 0; a < subject.axes(); ++a)
      point.push_back(a == 0
                          ? place(i)
                          : std::floor(stream.uniform(static_cast<std::uint64_t>(1000 * a + i)) * std::min(end, 16.0)));
    const bool is_served = std::all_of(point.begin(), point.end(), [&](double p) {
      return p >= 0 && p < end && subject.scheme().why_not_positions(p, p).empty();
    });
    if (is_served) points.push_back(point);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  Block positions({static_cast<Index>(points.size()), subject.axes()});
  for (Index i = 0; i < positions.shape[0]; ++i)
    for (Index a = 0; a < positions.shape[1]; ++a)
      positions.at(i, a) = points[static_cast<std::size_t>(i)][static_cast<std::size_t>(a)];
  return positions;
}

// What is added for the pair (query at `row`, key at the first position): logits of all heads, and mixed values.
void append_pair(const Subject& subject, const Block& positions, Index row, const std::vector<Block>& weights,
                 Index length, std::vector<double>& signature) {
  Block pair({2, positions.shape[1]});
  for (Index a = 0; a < positions.shape[1]; ++a)
    pair.at(0, a) = positions.at(0, a), pair.at(1, a) = positions.at(row, a);
  Scene scene = attack_scene(subject, pair, weights);
  scene.contents = attack_contents(subject, 2, 1);
  scene.length = length;
  scene.first_query = 1;
  scene.queries = 1;
  for (const Operation operation : {Operation::bias, Operation::score, Operation::mix}) {
    if (!subject.has(operation)) continue;
    Call call = forward_call(subject, scene, operation);
    if (operation == Operation::mix)
      for (Index h = 0; h < subject.H(); ++h) call.attention.at(h, 0, 0) = 1, call.attention.at(h, 0, 1) = 0;
    subject.perform(call);
    if (operation == Operation::mix)
      signature.insert(signature.end(), call.output.numbers.begin(), call.output.numbers.end());
    else
      for (Index h = 0; h < subject.H(); ++h) signature.push_back(call.output.at(h, 0, 0));
  }
}

std::vector<std::vector<double>> signatures_of(const Subject& subject, const Block& positions) {
  const Index N = positions.shape[0];
  const std::vector<Block> weights = weights_of(subject.scheme(), WeightScale::drawn, "unique");
  Scene scene = attack_scene(subject, positions, weights);
  scene.contents = attack_contents(subject, N, 1);
  std::vector<std::vector<double>> signatures(static_cast<std::size_t>(N));
  if (subject.has(Operation::encode)) {
    Call call = forward_call(subject, scene, Operation::encode);
    subject.perform(call);
    for (Index n = 0; n < N; ++n)
      for (Index d = 0; d < subject.D(); ++d) signatures[static_cast<std::size_t>(n)].push_back(call.output.at(n, d));
  }
  if (subject.has(Operation::transform)) {
    Call call = forward_call(subject, scene, Operation::transform, POSLAB_F64, POSLAB_KEY);
    subject.perform(call);
    for (Index n = 0; n < N; ++n)
      for (Index h = 0; h < subject.H(); ++h)
        for (Index k = 0; k < subject.K(); ++k)
          signatures[static_cast<std::size_t>(n)].push_back(call.output.at(h, n, k));
  }
  for (Index n = 0; n < N; ++n)
    append_pair(subject, positions, n, weights, scene.length, signatures[static_cast<std::size_t>(n)]);
  return signatures;
}

int attack_unique(const Subject& subject) {
  const Block positions = positions_up_to(subject, subject.scheme().unique_up_to());
  const auto signatures = signatures_of(subject, positions);
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
        const double apart = signatures[q][i] == signatures[p][i] ? 0 : signatures[q][i] - signatures[p][i];
        distance += apart * apart;
      }
      if (distance <= near)
        throw Failed(
            fmt::format("refuted: positions {} and {} are {:.2g} apart, over a norm of {:.2g}: they cannot be told "
                        "apart, although it claims that positions below {} differ",
                        point_text(positions, static_cast<Index>(p)), point_text(positions, static_cast<Index>(q)),
                        std::sqrt(distance), std::sqrt(squares / static_cast<double>(signatures.size())),
                        base::shortest(subject.scheme().unique_up_to())));
    }
  return pairs;
}

}  // namespace

std::string check_unique(Trial& trial) {
  return attack_claim(
      trial, [](const Subject& subject) { return subject.scheme().unique_up_to() > 1; }, attack_unique);
}

}  // namespace poslab::check
