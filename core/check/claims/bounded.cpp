// SPDX-License-Identifier: Apache-2.0
// The claim bounded: no output grows without limit as positions grow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims/attack.hpp"

namespace poslab::check {
namespace {

// The largest output of any operation when positions are about `far`.
double largest_output(const Instance& instance, double far, const std::vector<Tensor>& weights) {
  double largest = 0;
  for (const double sign : {1.0, -1.0}) {
    Tensor positions({6, instance.axes()});
    const double distances[] = {0, 1, far - 1, far, far + 1, 3 * far};
    for (Index n = 0; n < 6; ++n)
      for (int a = 0; a < instance.axes(); ++a)
        positions.at(n, a) = std::clamp(sign * distances[n], instance.lowest(1e17), instance.highest(1e17));
    if (!instance.causal_only() || sign > 0) {
      Inputs inputs = inputs_of(instance, positions, "bounded");
      inputs.weights = weights;
      inputs.length = 64;
      for (Call& call : all_calls(instance, inputs, Include::forward)) {
        if (call.scalar != POSLAB_F64) continue;
        const Tensor before = call.output;
        if (!instance.invoke(call).ok()) continue;
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

void attack_bounded(Attacker& attacker) {
  const Instance& instance = attacker.instance;
  constexpr int decades = 15, last = 6;
  constexpr double growth = 1.02;  // even a logarithm grows by 7 % from 10^14 to 10^15
  if (instance.scheme().highest_position() < 1e15 || instance.operations().empty()) return;  // there is no beyond
  const std::vector<Tensor> weights = weights_of(instance.scheme(), WeightScale::normal, "bounded");
  std::vector<double> largest;
  for (int d = 0; d <= decades; ++d) largest.push_back(largest_output(instance, std::pow(10.0, d), weights));
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
  attacker.count(decades + 1);
}

}  // namespace

std::string check_bounded(Trial& trial) { return attack_claim(trial, "bounded", POSLAB_BOUNDED, attack_bounded); }

}  // namespace poslab::check
