// SPDX-License-Identifier: Apache-2.0
// Every number is finite, wherever it is asked for; and whether positions between integers mean something.
#include <fmt/format.h>

#include "calls/make_call.hpp"
#include "list.hpp"
#include "poslab/base/count.hpp"

namespace poslab::check {
namespace {

// Inputs of the check `finite`, and what is called with them.
struct NamedInputs {
  Inputs inputs;
  Include include;
  const char* contents;
};

// The first 1024 positions, so that a single one that is wrong is met; one query for the operations on pairs.
NamedInputs dense_inputs(const Instance& instance) {
  constexpr Index keys = 1024;
  Inputs inputs = inputs_of(instance, consecutive(instance, keys), "finite, dense");
  inputs.first_query = keys - 1;  // which sees all keys, whatever the mask
  inputs.queries = 1;
  return {std::move(inputs), Include::forward, "random contents"};
}

std::vector<NamedInputs> finite_inputs(const Instance& instance) {
  constexpr struct {
    double reach;
    Index layer;
    bool masked;
  } kinds[] = {{0, 0, false}, {16, 1, true}, {1024, 7, false}, {65536, 1, true}};
  const bool fractions = instance.plugin()->info().real_positions;
  std::vector<NamedInputs> all{dense_inputs(instance)};
  for (const auto& [reach, layer, masked] : kinds)
    for (const bool zero : {false, true}) {
      const std::string key = fmt::format("finite {}", reach);
      Inputs inputs = inputs_of(
          instance,
          reach == 0 ? consecutive(instance, few_positions) : scattered(instance, few_positions, reach, key, fractions),
          key);
      if (zero) inputs.contents = normal_contents(instance, few_positions, key, 0);
      inputs.layer = layer;
      if (masked) inputs.causal = instance.serves_causal();
      const Include include = zero || (reach > 0 && reach < 65536) ? Include::forward : Include::gradients;
      all.push_back({std::move(inputs), include, zero ? "contents of zeros" : "random contents"});
    }
  return all;
}

// Whether it gives the same at 0.25 and at 0.5 as at 0, but not at 1, though it says that fractions mean something.
bool drops_fractions(const Instance& instance) {
  if (!instance.plugin()->info().real_positions || instance.lowest(2) > 0 || instance.highest(2) < 1) return false;
  const auto outputs_at = [&](double position) {
    Tensor positions({2, instance.axes()});
    for (Index a = 0; a < instance.axes(); ++a) positions.at(1, a) = position;
    std::vector<double> numbers;
    for (Call& call : all_calls(instance, inputs_of(instance, positions, "fractions"), Include::forward)) {
      instance.invoke(call);
      numbers.insert(numbers.end(), call.output.numbers.begin(), call.output.numbers.end());
    }
    return numbers;
  };
  const std::vector<double> at_0 = outputs_at(0);
  return at_0 == outputs_at(0.25) && at_0 == outputs_at(0.5) && at_0 != outputs_at(1);
}

}  // namespace

std::string check_finite(Trial& trial) {
  int calls = 0, alike = 0;
  trial.for_each_instance([&](const Instance& instance) {
    for (const NamedInputs& each : finite_inputs(instance))
      for (Call& call : all_calls(instance, each.inputs, each.include)) {
        trial.at(fmt::format("{}: {}, {}, {}", instance.label(), name_of(call) + conditions_text(call),
                             positions_text(call), each.contents));
        const CallResult result = instance.invoke(call);
        if (is_named_refusal(instance, result)) continue;
        if (!result.ok())
          throw Failed(fmt::format("{}{} at {} {}", name_of(call), conditions_text(call), positions_text(call),
                                   result.text_of_status()));
        require_finite(instance, call);
        ++calls;
      }
    if (drops_fractions(instance) && ++alike == 1)
      trial.warn(
          fmt::format("{}: says real_positions, but at 0.25 and 0.5 gives what it gives at 0, and something else "
                      "at 1",
                      instance.label()));
  });
  return fmt::format("{} in {} gave finite numbers", base::counted(calls, "call"), trial.scope());
}

}  // namespace poslab::check
