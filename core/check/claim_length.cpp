// SPDX-License-Identifier: Apache-2.0
// The claim length-free: nothing depends on how long the context is, or was in training.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims.hpp"
#include "sameness.hpp"

namespace poslab::check {
namespace {

// A table with as many rows as the train length is another table for another one, not another answer.
bool same_shapes(const Subject& a, const Subject& b) {
  for (std::size_t w = 0; w < a.scheme().weights().size(); ++w)
    if (a.scheme().weights()[w].shape != b.scheme().weights()[w].shape) return false;
  return true;
}

std::optional<std::string> refute_length_free(const Subject& subject, const Subject& otherwise_trained,
                                              const Attack& attack, const std::string& key) {
  const Scene scene = scene_of(subject, attack.positions, key);
  for (const Call& call : all_calls(subject, scene, Which::forward)) {
    if (call.scalar != POSLAB_F64) continue;
    Call first = call;
    if (!subject.perform(first).ok()) return std::nullopt;
    struct Other {
      Index length, train_length;
      const Subject* subject;
    };
    const Index length = call.length;
    for (const Other& other :
         {Other{length + 1, 64, &subject}, Other{2 * length, 64, &subject}, Other{1000000, 64, &subject},
          Other{length, 1, &subject}, Other{length, 100000, &subject}, Other{length, 512, &otherwise_trained}}) {
      if (!same_shapes(subject, *other.subject)) continue;
      Call second = call;
      second.length = other.length;
      second.train_length = other.train_length;
      const Answer answer = other.subject->perform(second);
      const std::string change = fmt::format("length {} and train length {} instead of {} and {}", other.length,
                                             other.train_length, length, call.train_length);
      if (!answer.ok()) return fmt::format("{} with {} {}", name_of(call), change, answer.words());
      if (const std::string found = difference(first, second); !found.empty())
        return fmt::format("{} at positions from {} differs with {}: {}", name_of(call),
                           point_text(attack.positions, 0), change, found);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string check_length_free(Trial& trial) {
  return attack_claim(
      trial, [](const Subject& subject) { return subject.claims(POSLAB_LENGTH_FREE); },
      [&](const Subject& subject) {
        Variant trained = subject.variant();
        trained.model.train_length = 512;
        const Subject otherwise(trial.plugin(), trained, subject.axes());
        std::vector<Attack> attacks = every(3, attacks_on(subject, 5, false, "length-free"));
        return attack_all(
            subject, attacks,
            [&](const Attack& attack) { return refute_length_free(subject, otherwise, attack, "length-free"); }, 1);
      });
}

}  // namespace poslab::check
