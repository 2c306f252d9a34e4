// SPDX-License-Identifier: Apache-2.0
// What a call does to its arrays: outputs are written, inputs are not, and nothing lies outside.
#include <fmt/format.h>

#include <cmath>

#include "calls/make_call.hpp"
#include "calls/place.hpp"
#include "list.hpp"
#include "poslab/base/count.hpp"

namespace poslab::check {
namespace {

// A scheme may read the logits that it adds to, so that its part changes with them; but it cannot leave them out.
void require_incoming_logits_matter(const Instance& instance, const Call& call) {
  if (instance.scheme().score_writes_logits()) return;
  Call first = call, second = call;
  for (double& logit : second.output.numbers) logit += 1;
  require_success(instance, first);
  require_success(instance, second);
  for (std::size_t i = 0; i < first.output.numbers.size(); ++i)
    if (first.output.numbers[i] == second.output.numbers[i] && std::isfinite(first.output.numbers[i]))
      throw Failed(fmt::format("score leaves out the logit that it finds, {}, but does not say score_writes_logits",
                               entry_text(first, {"output", &first.output, true}, i)));
}

}  // namespace

std::string check_writing(Trial& trial) {
  int outputs = 0;
  const auto same = [](double a, double b, double scale) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= scale;
  };
  trial.for_each_instance([&](const Instance& instance) {
    for (const Call& call : all_calls(instance, usual_inputs(instance))) {
      if (call.scalar != POSLAB_F64 || call.operation == Operation::transform) continue;
      if (call.operation == Operation::score && !call.gradient) {
        require_incoming_logits_matter(instance, call);
        continue;
      }
      const bool overwrites = !call.gradient && call.operation != Operation::score && call.operation != Operation::mix;
      Call first = call, second = call;
      const base::Stream stream("writing");
      std::vector<Member> before = members_of(second), plain = members_of(first);
      std::vector<std::vector<double>> added(before.size());
      for (std::size_t m = 0; m < before.size(); ++m) {
        if (!before[m].is_output) continue;
        for (std::size_t i = 0; i < before[m].tensor->numbers.size(); ++i) {
          added[m].push_back(stream.normal(i));
          before[m].tensor->numbers[i] = overwrites ? added[m][i] : before[m].tensor->numbers[i] + added[m][i];
        }
      }
      require_success(instance, first);
      require_success(instance, second);
      for (std::size_t m = 0; m < before.size(); ++m) {
        if (!before[m].is_output || !before[m].tensor->exists()) continue;
        ++outputs;
        const std::vector<double>&one = plain[m].tensor->numbers, &other = before[m].tensor->numbers;
        const double rounding = overwrites ? 0 : 1e-13 * (4 + largest_magnitude(one));
        for (std::size_t i = 0; i < one.size(); ++i) {
          const double shift = overwrites ? 0 : added[m][i];
          if (same(one[i] + shift, other[i], rounding)) continue;
          throw Failed(fmt::format(
              "{} must {} `{}`, but {} was {:.17g} and, with other numbers there before, {:.17g}{}", call_text(call),
              overwrites ? "overwrite all of" : "add to", before[m].name, entry_text(first, plain[m], i), one[i],
              other[i] - shift, gap_text(one[i], other[i] - shift, rounding)));
        }
      }
    }
  });
  return fmt::format("of {} in {} each was overwritten or added to as plugin.h says", base::counted(outputs, "output"),
                     trial.scope());
}

std::string check_bounds(Trial& trial) {
  int calls = 0;
  const FaultReport on_fault = [&](const std::string& access) { trial.outside(access); };
  trial.for_each_instance([&](const Instance& instance) {
    for (const Inputs& inputs : inputs_of_layers(instance))
      for (const Operation operation : instance.operations())  // one by one: `bias` is guarded before `score` needs it
        for (const Call& call : calls_of(instance, inputs, operation))
          for (const Guard guard : {Guard::after, Guard::before}) {
            Call guarded = call;
            const std::string text = call_text(call) + conditions_text(call);
            trial.at(fmt::format("{}: {}", instance.label(), text));
            const CallResult result = require_success(instance, guarded, guard, on_fault);
            if (result.written_outside)
              throw Failed(fmt::format("{} wrote {}", text, to_text(*result.written_outside)));
            ++calls;
          }
  });
  return fmt::format("{} in {} touched nothing outside their arrays", base::counted(calls, "call"), trial.scope());
}

std::string check_inputs(Trial& trial) {
  int calls = 0;
  trial.for_each_instance([&](const Instance& instance) {
    for (Call& call : all_calls(instance, usual_inputs(instance))) {
      const CallResult result = require_success(instance, call);
      if (!result.changed_input.empty())
        throw Failed(fmt::format("{} changed its input `{}`", call_text(call), result.changed_input));
      ++calls;
    }
  });
  return fmt::format("{} in {} left their inputs as they were", base::counted(calls, "call"), trial.scope());
}

}  // namespace poslab::check
