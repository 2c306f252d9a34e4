// SPDX-License-Identifier: Apache-2.0
// Claims about logits: that they depend on positions through their difference, and alike for both its signs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims.hpp"

namespace poslab::check {
namespace {

Scene scene_for(const Subject& subject, const Block& positions, int contents, const std::vector<Block>& weights,
                Index length) {
  Scene scene;
  scene.positions = positions;
  scene.contents = attack_contents(subject, positions.shape[0], contents);
  scene.weights = weights;
  scene.queries = positions.shape[0];
  scene.causal = subject.causal_only();
  scene.train_length = subject.variant().model.train_length;
  scene.length = length;
  return scene;
}

// One length for both: the first that holds every position.
Index length_of(const Block& a, const Block& b) {
  return std::max<Index>(64,
                         static_cast<Index>(std::max(largest_magnitude(a.numbers), largest_magnitude(b.numbers))) + 1);
}

// Over axes the numbers of a position add up, as their angles do.
double largest_position(const Block& positions) {
  double largest = 0;
  for (Index n = 0; n < positions.shape[0]; ++n) {
    double sum = 0;
    for (Index a = 0; a < positions.shape[1]; ++a) sum += std::abs(positions.at(n, a));
    largest = std::max(largest, sum);
  }
  return largest;
}

std::optional<std::string> refute_relative(const Subject& subject, const Attack& attack, int contents,
                                           const std::vector<Block>& weights) {
  const Block after = moved(attack.positions, attack.shift);
  const Index length = length_of(attack.positions, after), N = after.shape[0];
  const auto a = logits_of(subject, scene_for(subject, attack.positions, contents, weights, length));
  const auto b = logits_of(subject, scene_for(subject, after, contents, weights, length));
  if (!a || !b) return std::nullopt;
  const double largest = std::max(largest_position(attack.positions), largest_position(after));
  const double most = logit_tolerance(*a, *b, largest);
  for (Index h = 0; h < a->shape[0]; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < (subject.causal_only() ? i + 1 : N); ++j)
        if (apart(a->at(h, i, j), b->at(h, i, j), most))
          return fmt::format(
              "the logit of query {} and key {} ({}) is {:.9g}, but {:.9g} when all positions move by {}; {}",
              point_text(attack.positions, i), point_text(attack.positions, j),
              h < subject.H() ? fmt::format("head {}", h) : "embeddings with codes", a->at(h, i, j), b->at(h, i, j),
              point_text(attack.shift), content_text(contents));
  return std::nullopt;
}

// Two positions, and the same two in exchange; the same contents at the same rows.
std::optional<std::string> refute_symmetric(const Subject& subject, const Attack& attack, int contents,
                                            const std::vector<Block>& weights) {
  Block exchanged = attack.positions;
  for (Index a = 0; a < exchanged.shape[1]; ++a) std::swap(exchanged.at(0, a), exchanged.at(1, a));
  const Index length = length_of(exchanged, exchanged);
  const auto a = logits_of(subject, scene_for(subject, attack.positions, contents, weights, length));
  const auto b = logits_of(subject, scene_for(subject, exchanged, contents, weights, length));
  if (!a || !b) return std::nullopt;
  const double most = logit_tolerance(*a, *b, largest_position(exchanged));
  for (Index h = 0; h < a->shape[0]; ++h)
    if (apart(a->at(h, 1, 0), b->at(h, 1, 0), most))
      return fmt::format(
          "head {}: with the query at {} and the key at {} the logit is {:.9g}, the other way round {:.9g}; {}", h,
          point_text(attack.positions, 1), point_text(attack.positions, 0), a->at(h, 1, 0), b->at(h, 1, 0),
          content_text(contents));
  return std::nullopt;
}

template <class RefuteOne>
int attack_logits(const Subject& subject, Index rows, Index least_rows, bool moves, const char* key, RefuteOne refute) {
  int attacks = 0;
  for (const WeightScale scale : {WeightScale::drawn, WeightScale::normal}) {
    const std::vector<Block> weights = weights_of(subject.scheme(), scale, key);
    // Weights that are frequencies turn by weight times position: the tolerance is for those of the scheme's own size.
    if (scale == WeightScale::normal && (weights.empty() || subject.has(Operation::transform))) continue;
    const bool sees_contents = subject.operations() != std::vector{Operation::bias};
    for (int contents = 0; contents < (sees_contents ? content_kinds : 1); ++contents)
      attacks += attack_all(
          subject, attacks_on(subject, rows, moves, fmt::format("{}/{}", key, contents)),
          [&](const Attack& attack) { return refute(subject, attack, contents, weights); }, least_rows);
  }
  return attacks;
}

}  // namespace

std::string check_relative(Trial& trial) {
  return attack_claim(
      trial, [](const Subject& subject) { return subject.claims(POSLAB_RELATIVE); },
      [](const Subject& subject) { return attack_logits(subject, 6, 1, true, "relative", refute_relative); });
}

std::string check_symmetric(Trial& trial) {
  return attack_claim(
      trial, [](const Subject& subject) { return subject.claims(POSLAB_SYMMETRIC); },
      [](const Subject& subject) {
        if (subject.causal_only()) return 0;  // only one sign of the offset is ever seen
        return attack_logits(subject, 2, 2, false, "symmetric", refute_symmetric);
      });
}

}  // namespace poslab::check
