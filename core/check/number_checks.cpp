// SPDX-License-Identifier: Apache-2.0
// The numbers themselves: finite, as precise as their type, linear where they must be.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "list.hpp"
#include "poslab/base/text.hpp"
#include "scene.hpp"

namespace poslab::check {
namespace {

constexpr Index count = few_positions;

}  // namespace

std::string check_finite(Trial& trial) {
  int calls = 0;
  trial.for_each_subject([&](const Subject& subject) {
    const bool fractions = subject.plugin()->info().real_positions;
    for (const double reach : {0.0, 16.0, 1024.0, 65536.0})
      for (const bool zero : {false, true}) {
        const std::string key = fmt::format("finite {}", reach);
        Scene scene = scene_of(
            subject, reach == 0 ? consecutive(subject, count) : scattered(subject, count, reach, key, fractions), key);
        if (zero) scene.contents = normal_contents(subject, count, key, 0);
        const Which which = zero || (reach > 0 && reach < 65536) ? Which::forward : Which::all;
        for (Call& call : all_calls(subject, scene, which)) {
          trial.at(fmt::format("{}: {}, {}, {}", subject.label(), name_of(call), positions_text(call),
                               zero ? "contents of zeros" : "random contents"));
          const Answer answer = subject.perform(call);
          if (is_named_refusal(subject, answer)) continue;
          if (!answer.ok())
            throw Failed(fmt::format("{} at {} {}", name_of(call), positions_text(call), answer.words()));
          require_finite(subject, call);
          ++calls;
        }
      }
  });
  return fmt::format("{} calls in {} gave finite numbers", calls, trial.scope());
}

std::string check_precision(Trial& trial) {
  int outputs = 0;
  double worst = 0;
  trial.for_each_subject([&](const Subject& subject) {
    const bool fractions = subject.plugin()->info().real_positions;
    for (const double reach : {64.0, 4096.0}) {
      const std::string key = fmt::format("precision {}", reach);
      const Scene scene = scene_of(subject, scattered(subject, count, reach, key, fractions), key);
      const double largest_position = largest_magnitude(scene.positions.numbers);
      for (const Call& asked : all_calls(subject, scene, reach == 64 ? Which::all : Which::forward)) {
        if (asked.scalar != POSLAB_F32) continue;
        Call narrow = asked, wide = asked;
        wide.scalar = POSLAB_F64;
        if (!subject.perform(narrow).ok() || !subject.perform(wide).ok()) continue;
        const std::vector<Member> ours = members_of(narrow), theirs = members_of(wide);
        for (std::size_t m = 0; m < ours.size(); ++m) {
          if (!ours[m].is_output || !ours[m].block->there()) continue;
          ++outputs;
          const std::vector<double>&x = ours[m].block->numbers, &y = theirs[m].block->numbers;
          const double most = (1e-6 + 6e-8 * largest_position) * std::max(1.0, largest_magnitude(y));
          for (std::size_t i = 0; i < x.size(); ++i) {
            if (x[i] == y[i]) continue;
            const double apart = std::abs(x[i] - y[i]);
            worst = std::max(worst, apart / most);
            if (!(apart <= most))
              throw Failed(fmt::format(
                  "{}: entry {} of `{}` is {:.9g} in float32 and {:.9g} in float64, {:.2g} apart and not {:.2g}",
                  name_of(asked), i, ours[m].name, x[i], y[i], apart, most));
          }
        }
      }
    }
  });
  return fmt::format("{} outputs in {} agree, at worst {:.2g} of what is allowed", outputs, trial.scope(), worst);
}

std::string check_linear(Trial& trial) {
  int calls = 0;
  trial.for_each_subject([&](const Subject& subject) {
    if (!subject.has(Operation::transform)) return;
    const Scene scene = scene_of(subject, scattered(subject, count, 1000, "linear"), "linear");
    for (const int side : {POSLAB_QUERY, POSLAB_KEY}) {
      Call x = forward_call(subject, scene, Operation::transform, POSLAB_F64, side), y = x, sum = x;
      y.output = normal_block({subject.H(), count, subject.K()}, "linear/other");
      for (std::size_t i = 0; i < sum.output.numbers.size(); ++i)
        sum.output.numbers[i] = 2 * x.output.numbers[i] - 3 * y.output.numbers[i];
      for (Call* call : {&x, &y, &sum}) subject.perform(*call);
      const double most = 1e-14 * (largest_magnitude(sum.output.numbers) + 3 * largest_magnitude(y.output.numbers) + 1);
      for (std::size_t i = 0; i < sum.output.numbers.size(); ++i) {
        const double expected = 2 * x.output.numbers[i] - 3 * y.output.numbers[i];
        if (!(std::abs(sum.output.numbers[i] - expected) <= most))
          throw Failed(fmt::format("T(2x - 3y) is {:.17g} at entry {}, but 2 T(x) - 3 T(y) is {:.17g}",
                                   sum.output.numbers[i], i, expected));
      }
      ++calls;
    }
  });
  if (calls == 0) throw NotPerformed("it has no transform");
  return fmt::format("T(2x - 3y) = 2 T(x) - 3 T(y) in {}", trial.scope());
}

}  // namespace poslab::check
