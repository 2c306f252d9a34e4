// SPDX-License-Identifier: Apache-2.0
// How a call behaves, whatever its numbers are.
#include <fmt/format.h>

#include <cfenv>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "list.hpp"
#include "scene.hpp"

namespace poslab::check {
namespace {

// What the floating-point unit is set to: rounding, traps, denormals.
struct Mode {
  int rounding = std::fegetround();
  int traps = fegetexcept();
#if defined(__SSE__)
  unsigned vector = _mm_getcsr() & ~0x3FU;  // without the flags of what has happened
#else
  unsigned vector = 0;
#endif
  bool operator==(const Mode&) const = default;
  std::string text() const {
    const char* name = rounding == FE_TONEAREST    ? "to nearest"
                       : rounding == FE_DOWNWARD   ? "down"
                       : rounding == FE_UPWARD     ? "up"
                       : rounding == FE_TOWARDZERO ? "towards zero"
                                                   : "strange";
    return fmt::format("rounding {}, traps {:#x}, MXCSR {:#x}", name, static_cast<unsigned>(traps), vector);
  }
};

Call emptied(const Call& call, const Subject& subject, bool no_queries) {
  const Scene scene = [&] {
    Scene empty = scene_of(subject, consecutive(subject, no_queries ? few_positions : 0), "empty");
    empty.queries = 0;
    return empty;
  }();
  return call.gradient ? gradient_call(subject, scene, call.operation, call.scalar, call.side)
                       : forward_call(subject, scene, call.operation, call.scalar, call.side);
}

}  // namespace

std::string check_returns(Trial& trial) {
  int calls = 0;
  trial.for_each_subject([&](const Subject& subject) {
    for (Call& call : all_calls(subject, usual_scene(subject))) {
      trial.at(fmt::format("{}: {}", subject.label(), where(call)));
      succeed(subject, call);
      ++calls;
    }
  });
  return fmt::format("{} calls in {} came back", calls, trial.scope());
}

std::string check_quiet(Trial& trial) {
  trial.for_each_subject([&](const Subject& subject) {
    for (Call& call : all_calls(subject, usual_scene(subject))) subject.perform(call);
  });
  return fmt::format("{} said nothing on stdout or stderr", trial.scope());
}

std::string check_floating_point(Trial& trial) {
  const Mode before;
  const auto require_same = [&](const std::string& what) {
    if (const Mode now; !(now == before))
      throw Failed(fmt::format("{} changed the floating-point mode from {} to {}", what, before.text(), now.text()));
  };
  trial.plugin();
  require_same("loading");
  trial.for_each_subject([&](const Subject& subject) {
    require_same("create");
    for (Call& call : all_calls(subject, usual_scene(subject))) {
      subject.perform(call);
      require_same(where(call));
    }
  });
  return fmt::format("{} left it at {}", trial.scope(), before.text());
}

std::string check_empty(Trial& trial) {
  int calls = 0;
  trial.for_each_subject([&](const Subject& subject) {
    for (const Call& call : all_calls(subject, usual_scene(subject))) {
      for (const bool no_queries : {false, true}) {
        Call empty = emptied(call, subject, no_queries);
        trial.at(fmt::format("{}: {} of no {}", subject.label(), where(call), no_queries ? "queries" : "positions"));
        succeed(subject, empty);
        ++calls;
      }
      if (!call.gradient) continue;
      Call unwanted = call;
      unwanted.weight_gradients.clear();
      unwanted.layer_input_gradient = unwanted.query_gradient = unwanted.key_gradient =
          unwanted.attention_gradient = {};
      trial.at(fmt::format("{}: {}, no gradient wanted", subject.label(), where(call)));
      succeed(subject, unwanted);
      ++calls;
    }
  });
  return fmt::format("{} calls with nothing to do in {} were answered", calls, trial.scope());
}

}  // namespace poslab::check
