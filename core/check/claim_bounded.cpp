// SPDX-License-Identifier: Apache-2.0
// The claim bounded: no output grows without limit as positions grow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims.hpp"

namespace poslab::check {
namespace {

// The largest output of any operation when positions are about `far`.
double largest_output(const Subject& subject, double far, const std::vector<Block>& weights) {
  double largest = 0;
  for (const double sign : {1.0, -1.0}) {
    Block positions({6, subject.axes()});
    const double places[] = {0, 1, far - 1, far, far + 1, 3 * far};
    for (Index n = 0; n < 6; ++n)
      for (int a = 0; a < subject.axes(); ++a)
        positions.at(n, a) = std::clamp(sign * places[n], subject.lowest(1e17), subject.highest(1e17));
    if (!subject.causal_only() || sign > 0) {
      Scene scene = scene_of(subject, positions, "bounded");
      scene.weights = weights;
      scene.length = 64;
      for (Call& call : all_calls(subject, scene, Which::forward)) {
        if (call.scalar != POSLAB_F64) continue;
        const Block before = call.output;
        if (!subject.perform(call).ok()) continue;
        const bool adds = call.operation == Operation::mix || call.operation == Operation::score;
        for (std::size_t i = 0; i < call.output.numbers.size(); ++i) {
          const double part = call.output.numbers[i] - (adds ? before.numbers[i] : 0);
          if (std::isfinite(part)) largest = std::max(largest, std::abs(part));
        }
      }
    }
  }
  return largest;
}

int attack_bounded(const Subject& subject) {
  constexpr int decades = 15, last = 6;
  constexpr double growth = 1.02;                            // even a logarithm grows by 7 % from 10^14 to 10^15
  if (subject.scheme().highest_position() < 1e15) return 0;  // there is no beyond
  const std::vector<Block> weights = weights_of(subject.scheme(), WeightScale::normal, "bounded");
  std::vector<double> largest;
  for (int d = 0; d <= decades; ++d) largest.push_back(largest_output(subject, std::pow(10.0, d), weights));
  int grown = 0;
  for (std::size_t d = decades - last + 1; d <= decades; ++d) grown += largest[d] > growth * largest[d - 1] ? 1 : 0;
  if (grown == last) {
    std::size_t first = decades;  // where the growth that never ends begins
    while (first > 1 && largest[first] > growth * largest[first - 1]) --first;
    throw Failed(
        fmt::format("refuted: the largest output grows with every tenfold distance: {:.3g} at 1e{}, {:.3g} at 1e{} and "
                    "{:.3g} at 1e{}",
                    largest[first], first, largest[std::min<std::size_t>(first + 1, decades)],
                    std::min<std::size_t>(first + 1, decades), largest[decades], decades));
  }
  return decades + 1;
}

}  // namespace

std::string check_bounded(Trial& trial) {
  return attack_claim(
      trial, [](const Subject& subject) { return subject.claims(POSLAB_BOUNDED); }, attack_bounded);
}

}  // namespace poslab::check
