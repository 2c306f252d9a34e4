// SPDX-License-Identifier: Apache-2.0
// How a call behaves, whatever its numbers are.
#include <fmt/format.h>

#include "calls/make_call.hpp"
#include "list.hpp"
#include "poslab/base/count.hpp"
#include "poslab/host/floating_point_mode.hpp"

namespace poslab::check {
namespace {

Call emptied(const Call& call, const Instance& instance, bool no_queries) {
  const Inputs inputs = [&] {
    Inputs empty = inputs_of(instance, consecutive(instance, no_queries ? few_positions : 0), "empty");
    empty.queries = 0;
    return empty;
  }();
  return call.gradient ? gradient_call(instance, inputs, call.operation, call.scalar, call.side)
                       : forward_call(instance, inputs, call.operation, call.scalar, call.side);
}

}  // namespace

std::string check_returns(Trial& trial) {
  int calls = 0;
  trial.for_each_instance([&](const Instance& instance) {
    for (const Inputs& inputs : inputs_of_layers(instance))
      for (const Operation operation : instance.operations())  // one by one: `bias` is named before `score` needs it
        for (Call& call : calls_of(instance, inputs, operation)) {
          trial.at(fmt::format("{}: {}{}", instance.label(), call_text(call), conditions_text(call)));
          require_success(instance, call);
          ++calls;
        }
  });
  return fmt::format("{} in {} came back", base::counted(calls, "call"), trial.scope());
}

std::string check_quiet(Trial& trial) {
  trial.for_each_instance([&](const Instance& instance) {
    for (Call& call : all_calls(instance, usual_inputs(instance))) instance.invoke(call);
  });
  return fmt::format("{} said nothing on stdout or stderr", trial.scope());
}

std::string check_floating_point(Trial& trial) {
  const auto before = host::FloatingPointMode::now();
  const auto require_same = [&](const std::string& what) {
    if (const auto now = host::FloatingPointMode::now(); !(now == before))
      throw Failed(fmt::format("{} changed the floating-point mode from {} to {}", what, before.text(), now.text()));
  };
  trial.plugin();
  require_same("loading");
  trial.for_each_instance([&](const Instance& instance) {
    require_same("create");
    for (Call& call : all_calls(instance, usual_inputs(instance))) {
      instance.invoke(call);
      require_same(call_text(call));
    }
  });
  return fmt::format("{} left it at {}", trial.scope(), before.text());
}

std::string check_empty(Trial& trial) {
  int calls = 0;
  trial.for_each_instance([&](const Instance& instance) {
    for (const Call& call : all_calls(instance, usual_inputs(instance))) {
      for (const bool no_queries : {false, true}) {
        Call empty = emptied(call, instance, no_queries);
        trial.at(
            fmt::format("{}: {} of no {}", instance.label(), call_text(call), no_queries ? "queries" : "positions"));
        require_success(instance, empty);
        ++calls;
      }
      if (!call.gradient) continue;
      Call without = call;
      without.weight_gradients.clear();
      without.layer_input_gradient = without.query_gradient = without.key_gradient = without.attention_gradient = {};
      trial.at(fmt::format("{}: {}, no gradient asked for", instance.label(), call_text(call)));
      require_success(instance, without);
      ++calls;
    }
  });
  return fmt::format("{} calls with nothing to do in {} were answered", calls, trial.scope());
}

}  // namespace poslab::check
