// SPDX-License-Identifier: Apache-2.0
// The claim length-free: nothing depends on how long the context is, or was in training.
#include <fmt/format.h>

#include "calls/make_call.hpp"
#include "claims/attack.hpp"

namespace poslab::check {
namespace {

// A table with as many rows as the train length is another table for another one, not another result.
bool same_shapes(const Instance& a, const Instance& b) {
  for (std::size_t w = 0; w < a.scheme().weights().size(); ++w)
    if (a.scheme().weights()[w].shape != b.scheme().weights()[w].shape) return false;
  return true;
}

AttackResult refute_length_free(const Instance& instance, const Instance& otherwise_trained, const Attack& attack,
                                const std::string& key) {
  Inputs inputs = inputs_of(instance, attack.positions, key);
  inputs.causal = attack.causal;
  for (const Call& call : all_calls(instance, inputs, Include::forward)) {
    if (call.scalar != POSLAB_F64) continue;
    Call first = call;
    if (!instance.invoke(first).ok()) return not_possible();
    struct Other {
      Index length, train_length;
      const Instance* instance;
    };
    const Index length = call.length;
    for (const Other& other :
         {Other{length + 1, 64, &instance}, Other{2 * length, 64, &instance}, Other{1000000, 64, &instance},
          Other{length, 1, &instance}, Other{length, 100000, &instance}, Other{length, 512, &otherwise_trained}}) {
      if (!same_shapes(instance, *other.instance)) continue;
      Call second = call;
      second.length = other.length;
      second.train_length = other.train_length;
      const CallResult result = other.instance->invoke(second);
      const std::string change = fmt::format("length {} and train length {} instead of {} and {}", other.length,
                                             other.train_length, length, call.train_length);
      if (!result.ok())
        return refuted(
            fmt::format("{}{} with {} {}", name_of(call), conditions_text(call), change, result.text_of_status()));
      if (const std::string found = difference(first, second); !found.empty())
        return refuted(fmt::format("{}{} at positions from {} differs with {}: {}", name_of(call),
                                   conditions_text(call), point_text(attack.positions, 0), change, found));
    }
  }
  return stood();
}

void attack_length_free(Attacker& attacker) {
  const Instance& instance = attacker.instance;
  if (instance.operations().empty()) return;
  Variant trained = instance.variant();
  trained.model.train_length = 512;
  const Instance otherwise(instance.plugin(), trained, instance.axes());
  if (!attacker.is_claimed && !same_shapes(instance, otherwise)) return;
  attacker.attack_all(
      every(3, attacks_on(instance, 5, false, "length-free")),
      [&](const Attack& attack) { return refute_length_free(instance, otherwise, attack, "length-free"); }, 1);
}

}  // namespace

std::string check_length_free(Trial& trial) {
  return attack_claim(trial, "length-free", POSLAB_LENGTH_FREE, attack_length_free);
}

}  // namespace poslab::check
