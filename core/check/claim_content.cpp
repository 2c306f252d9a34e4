// SPDX-License-Identifier: Apache-2.0
// The claim content-free: what `score` adds does not depend on x, q or k.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims.hpp"

namespace poslab::check {
namespace {

// What `score` makes of logits beyond scale * q.k, for given contents and incoming logits that are `offset` higher.
std::optional<Block> score_part(const Subject& subject, const Scene& scene, double offset) {
  Call call = forward_call(subject, scene, Operation::score);
  for (double& logit : call.output.numbers) logit += offset;
  const Block before = call.output;
  if (!subject.perform(call).ok()) return std::nullopt;
  Block part = call.output;
  for (std::size_t i = 0; i < part.numbers.size(); ++i) part.numbers[i] -= before.numbers[i];
  return part;
}

std::optional<std::string> refute_content_free(const Subject& subject, const Attack& attack, const Scene& base_scene) {
  Scene one = base_scene, other = base_scene;
  const Index N = attack.positions.shape[0];
  one.positions = other.positions = attack.positions;
  one.queries = other.queries = N;
  one.contents = normal_contents(subject, N, "one", 1);
  for (const double factor : {0.0, 1.0, 30.0}) {
    other.contents = normal_contents(subject, N, "other", factor);
    const auto a = score_part(subject, one, 0), b = score_part(subject, other, factor);
    if (!a || !b) return std::nullopt;
    const double rounding = logit_tolerance(*a, *b) + 1e-13 * (1 + factor * factor);  // of the logits that they came in
    for (Index h = 0; h < subject.H(); ++h)
      for (Index i = 0; i < N; ++i)
        for (Index j = 0; j < (one.causal ? i + 1 : N); ++j)
          if (apart(a->at(h, i, j), b->at(h, i, j), rounding))
            return fmt::format("head {}, query {}, key {}: score adds {:.9g} for some contents and {:.9g} for {}", h,
                               point_text(attack.positions, i), point_text(attack.positions, j), a->at(h, i, j),
                               b->at(h, i, j), factor == 0 ? "zeros" : "others");
  }
  return std::nullopt;
}

}  // namespace

std::string check_content_free(Trial& trial) {
  return attack_claim(
      trial, [](const Subject& subject) { return subject.claims(POSLAB_CONTENT_FREE); },
      [](const Subject& subject) {
        if (!subject.has(Operation::score))
          return 0;  // nothing else ever sees x, q or k: `linear` says so of transform
        const auto attacks = attacks_on(subject, 5, false, "content-free");
        Scene scene = scene_of(subject, attacks.front().positions, "content-free", WeightScale::normal);
        return attack_all(
            subject, attacks, [&](const Attack& attack) { return refute_content_free(subject, attack, scene); }, 1);
      });
}

}  // namespace poslab::check
