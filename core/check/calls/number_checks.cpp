// SPDX-License-Identifier: Apache-2.0
// The numbers themselves: as precise as their type, linear where they must be.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calls/make_call.hpp"
#include "calls/place.hpp"
#include "list.hpp"
#include "poslab/base/count.hpp"

namespace poslab::check {

std::string check_precision(Trial& trial) {
  int outputs = 0;
  double worst = 0;
  trial.for_each_instance([&](const Instance& instance) {
    const bool fractions = instance.plugin()->info().real_positions;
    for (const double reach : {64.0, 4096.0}) {
      const std::string key = fmt::format("precision {}", reach);
      const Inputs inputs = inputs_of(instance, scattered(instance, few_positions, reach, key, fractions), key);
      const double largest_position = largest_magnitude(inputs.positions.numbers);
      for (const Call& call : all_calls(instance, inputs, reach == 64 ? Include::gradients : Include::forward)) {
        if (call.scalar != POSLAB_F32) continue;
        Call narrow = call, wide = call;
        wide.scalar = POSLAB_F64;
        if (!instance.invoke(narrow).ok() || !instance.invoke(wide).ok()) continue;
        const std::vector<Member> ours = members_of(narrow), theirs = members_of(wide);
        for (std::size_t m = 0; m < ours.size(); ++m) {
          if (!ours[m].is_output || !ours[m].tensor->exists()) continue;
          ++outputs;
          const std::vector<double>&x = ours[m].tensor->numbers, &y = theirs[m].tensor->numbers;
          const double most = (1e-6 + 6e-8 * largest_position) * std::max(1.0, largest_magnitude(y));
          for (std::size_t i = 0; i < x.size(); ++i) {
            if (x[i] == y[i]) continue;
            const double distance = std::abs(x[i] - y[i]);
            worst = std::max(worst, distance / most);
            if (!(distance <= most))
              throw Failed(fmt::format(
                  "{}: {} is {:.9g} in float32 and {:.9g} in float64, {:.2g} apart, where {:.2g} is allowed",
                  name_of(call), entry_text(narrow, ours[m], i), x[i], y[i], distance, most));
          }
        }
      }
    }
  });
  return fmt::format("{} in {} agree, at worst {:.2g} of what is allowed", base::counted(outputs, "output"),
                     trial.scope(), worst);
}

std::string check_linear(Trial& trial) {
  int calls = 0;
  trial.for_each_instance([&](const Instance& instance) {
    if (!instance.has(Operation::transform)) return;
    const Inputs inputs = inputs_of(instance, scattered(instance, few_positions, 1000, "linear"), "linear");
    for (const int side : instance.sides()) {
      Call x = forward_call(instance, inputs, Operation::transform, POSLAB_F64, side), y = x, sum = x;
      y.output = normal_tensor({instance.H(), few_positions, instance.K()}, "linear/other");
      for (std::size_t i = 0; i < sum.output.numbers.size(); ++i)
        sum.output.numbers[i] = 2 * x.output.numbers[i] - 3 * y.output.numbers[i];
      for (Call* call : {&x, &y, &sum}) instance.invoke(*call);
      const double most = 1e-14 * (largest_magnitude(sum.output.numbers) + 3 * largest_magnitude(y.output.numbers) + 1);
      for (std::size_t i = 0; i < sum.output.numbers.size(); ++i) {
        const double expected = 2 * x.output.numbers[i] - 3 * y.output.numbers[i];
        if (!(std::abs(sum.output.numbers[i] - expected) <= most))
          throw Failed(fmt::format("T(2x - 3y) is {:.17g} at {}, but 2 T(x) - 3 T(y) is {:.17g}{}",
                                   sum.output.numbers[i], entry_text(sum, {"output", &sum.output, true}, i), expected,
                                   gap_text(sum.output.numbers[i], expected, most)));
      }
      ++calls;
    }
  });
  if (calls == 0) throw NotPerformed("it has no transform");
  return fmt::format("T(2x - 3y) = 2 T(x) - 3 T(y) in {}", trial.scope());
}

}  // namespace poslab::check
