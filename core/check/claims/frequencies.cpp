// SPDX-License-Identifier: Apache-2.0
// The declared frequencies are those by which `transform` turns.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "calls/make_call.hpp"
#include "calls/place.hpp"
#include "list.hpp"

namespace poslab::check {
namespace {

constexpr Index max_steps = 3;

// [H, max_steps + 1]: the trace of T(m) T(0)^t of each head. It does not depend on which channels make a pair: a plane
// that turns by an angle adds twice its cosine, a channel that stays adds 1.
Tensor traces_of(const Instance& instance, int side) {
  const Index H = instance.H(), K = instance.K();
  Tensor positions({max_steps + 1, 1});
  for (Index m = 0; m <= max_steps; ++m) positions.at(m) = static_cast<double>(m);
  Inputs inputs = inputs_of(instance, positions, "frequencies");
  inputs.length = max_steps + 1;  // as long as no context lets frequencies change
  Tensor traces({H, max_steps + 1});
  for (Index k = 0; k < K; ++k) {
    Call call = forward_call(instance, inputs, Operation::transform, POSLAB_F64, side);
    call.output = Tensor({H, max_steps + 1, K});
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m <= max_steps; ++m) call.output.at(h, m, k) = 1;
    require_success(instance, call);
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m <= max_steps; ++m)
        for (Index c = 0; c < K; ++c) traces.at(h, m) += call.output.at(h, m, c) * call.output.at(h, 0, c);
  }
  return traces;
}

// Where no head turns as declared, the step at which the first does not.
void require_frequencies(const Instance& instance) {
  const auto declared = instance.scheme().inverse_frequency();
  const int side = instance.sides().front();
  const Tensor traces = traces_of(instance, side);
  const auto expected = [&](Index m) {
    return std::accumulate(declared.begin(), declared.end(), static_cast<double>(instance.K()),
                           [m](double sum, double w) { return sum + 2 * std::cos(static_cast<double>(m) * w) - 2; });
  };
  std::string first;
  for (Index h = 0; h < instance.H(); ++h) {
    bool turns_so = true;
    for (Index m = 1; m <= max_steps && turns_so; ++m) {
      turns_so = std::abs(traces.at(h, m) - expected(m)) <= 1e-9 * static_cast<double>(instance.K());
      if (!turns_so && first.empty())
        first = fmt::format(
            "by the declared frequencies a head's transform ({}) from position 0 to {} has the trace {:.9g}, but "
            "that of head {} has {:.9g}{}",
            host::to_text(static_cast<host::Side>(side)), m, expected(m), h, traces.at(h, m),
            gap_text(expected(m), traces.at(h, m), 1e-9 * static_cast<double>(instance.K())));
    }
    if (turns_so) return;
  }
  throw Failed(first);
}

// Others may declare frequencies of something else, stretch what they turn, or turn a plane along one axis of several.
bool can_be_held(const Instance& instance) {
  const auto planes = static_cast<Index>(instance.scheme().inverse_frequency().size());
  return instance.axes() == 1 && planes > 0 && 2 * planes <= instance.K() && instance.claims(POSLAB_ISOMETRY) &&
         !instance.sides().empty() && instance.lowest(0) <= 0 && instance.highest(max_steps) >= max_steps;
}

}  // namespace

std::string check_frequencies(Trial& trial) {
  int held = 0;
  trial.for_each_instance([&](const Instance& instance) {
    if (!can_be_held(instance)) return;
    require_frequencies(instance);
    ++held;
  });
  if (held == 0) throw NotPerformed("no variant with a transform that keeps norms declares frequencies");
  return fmt::format("{} of {} turn by those that they declare, in the trace of 1, 2 and 3 steps of a head", held,
                     trial.scope());
}

}  // namespace poslab::check
