// SPDX-License-Identifier: Apache-2.0
// The claim bounded: no output grows without limit as positions grow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "claims/attack.hpp"

namespace poslab::check {
namespace {

// The largest entry of each operation in each head, by "bias, head 0"; the codes of `encode` have one.
using Largest = std::map<std::string, double>;

void note_largest(const Call& call, const Tensor& before, Largest& largest) {
  const bool adds = call.operation == Operation::mix || call.operation == Operation::score;
  const bool has_heads = call.operation != Operation::encode;
  const Index heads = has_heads ? call.output.shape[0] : 1;
  const auto each = call.output.numbers.size() / static_cast<std::size_t>(heads);
  std::string name = name_of(call);
  if (call.operation == Operation::transform)
    name += fmt::format(" of {}", host::to_text(static_cast<host::Side>(call.side)));
  for (Index h = 0; h < heads; ++h) {
    double& most = largest[has_heads ? fmt::format("{}, head {}", name, h) : name];
    for (std::size_t i = base::at(h) * each; i < (base::at(h) + 1) * each; ++i) {
      const double part = call.output.numbers[i] - (adds ? before.numbers[i] : 0);
      if (std::isfinite(part)) most = std::max(most, std::abs(part));
    }
  }
}

// Adds what operations give when positions are about `far` to what they gave nearer.
void note_outputs(const Instance& instance, double far, const std::vector<Tensor>& weights, Largest& largest) {
  for (const double sign : {1.0, -1.0}) {
    if (instance.causal_only() && sign < 0) continue;
    Tensor positions({6, instance.axes()});
    const double distances[] = {0, 1, far - 1, far, far + 1, 3 * far};
    for (Index n = 0; n < 6; ++n)
      for (int a = 0; a < instance.axes(); ++a)
        positions.at(n, a) = std::clamp(sign * distances[n], instance.lowest(1e17), instance.highest(1e17));
    Inputs inputs = inputs_of(instance, positions, "bounded");
    inputs.weights = weights;
    inputs.length = 64;
    for (Call& call : all_calls(instance, inputs, Include::forward)) {
      if (call.scalar != POSLAB_F64) continue;
      const Tensor before = call.output;
      if (instance.invoke(call).ok()) note_largest(call, before, largest);
    }
  }
}

constexpr std::size_t max_decades = 15, grown_decades = 6;
constexpr double min_growth = 1.02;  // even a logarithm grows by 7 % from 10^14 to 10^15

// Throws Failed where one grows with each of the last decades; largest[d]: up to 10^d.
void require_no_growth(const std::vector<Largest>& largest) {
  for (const auto& [name, end] : largest.back()) {
    const auto at = [&, &of = name](std::size_t d) {
      const auto found = largest[d].find(of);
      return found == largest[d].end() ? 0 : found->second;
    };
    std::size_t first = max_decades;  // where the growth that never ends begins
    while (first > 0 && at(first) > min_growth * at(first - 1)) --first;
    if (max_decades - first < grown_decades) continue;
    first = std::max<std::size_t>(first, 1);
    const std::size_t next = std::min<std::size_t>(first + 1, max_decades);
    throw Failed(
        fmt::format("refuted: {} grows with every tenfold distance: at most {:.3g} at 1e{}, {:.3g} at 1e{} and "
                    "{:.3g} at 1e{}",
                    name, at(first), first, at(next), next, end, max_decades));
  }
}

void attack_bounded(Attacker& attacker) {
  const Instance& instance = attacker.instance;
  if (instance.scheme().highest_position() < 1e15 || instance.operations().empty()) return;  // there is no beyond
  for (const WeightScale scale : {WeightScale::drawn, WeightScale::normal}) {
    const std::vector<Tensor> weights = weights_of(instance.scheme(), scale, "bounded");
    if (scale == WeightScale::normal && weights.empty()) continue;
    Largest so_far;
    std::vector<Largest> largest;
    for (std::size_t d = 0; d <= max_decades; ++d) {
      note_outputs(instance, std::pow(10.0, static_cast<double>(d)), weights, so_far);
      largest.push_back(so_far);
    }
    require_no_growth(largest);
    attacker.count(max_decades + 1);
  }
  attacker.note("in no head did an operation grow by 2 % or more with each of the last six decades up to 1e15");
}

}  // namespace

std::string check_bounded(Trial& trial) { return attack_claim(trial, "bounded", POSLAB_BOUNDED, attack_bounded); }

}  // namespace poslab::check
