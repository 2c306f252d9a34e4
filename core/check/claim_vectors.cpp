// SPDX-License-Identifier: Apache-2.0
// Claims about single vectors: isometry of transform, constant norm of encode.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims.hpp"
#include "tolerances.hpp"

namespace poslab::check {
namespace {

// x and y of row n, head h: inner product.
double inner(const Block& x, const Block& y, Index h, Index n) {
  double sum = 0;
  for (Index k = 0; k < x.shape[2]; ++k) sum += x.at(h, n, k) * y.at(h, n, k);
  return sum;
}

// Pairs of vectors: random ones, and one vector with itself (its norm).
std::optional<std::string> refute_isometry(const Subject& subject, const Attack& attack,
                                           const std::vector<Block>& weights) {
  const Scene scene = attack_scene(subject, attack.positions, weights);
  for (const int side : {POSLAB_QUERY, POSLAB_KEY}) {
    Call x = forward_call(subject, scene, Operation::transform, POSLAB_F64, side), y = x;
    y.output = side == POSLAB_QUERY ? scene.contents.key : scene.contents.query;
    const Block before_x = x.output, before_y = y.output;
    if (!subject.perform(x).ok() || !subject.perform(y).ok()) return std::nullopt;
    if (!x.output.finite() || !y.output.finite()) return std::nullopt;
    for (Index h = 0; h < subject.H(); ++h)
      for (Index n = 0; n < attack.positions.shape[0]; ++n)
        for (const bool itself : {true, false}) {
          const double norms = std::sqrt(inner(before_x, before_x, h, n)) *
                               std::sqrt(itself ? inner(before_x, before_x, h, n) : inner(before_y, before_y, h, n));
          const double before = inner(before_x, itself ? before_x : before_y, h, n);
          const double after = inner(x.output, itself ? x.output : y.output, h, n);
          if (std::abs(after - before) <= norms * isometry_rounding.allowed(0, 0, 0, 0)) continue;
          return fmt::format("at position {}, {} side, head {}: {} is {:.9g} before and {:.9g} after",
                             point_text(attack.positions, n), side == POSLAB_QUERY ? "query" : "key", h,
                             itself ? "a squared norm" : "an inner product", before, after);
        }
  }
  return std::nullopt;
}

double norm_of_row(const Block& rows, Index n) {
  double squares = 0;
  for (Index d = 0; d < rows.shape[1]; ++d) squares += rows.at(n, d) * rows.at(n, d);
  return std::sqrt(squares);
}

std::optional<std::string> refute_constant_norm(const Subject& subject, const Attack& attack,
                                                const std::vector<Block>& weights) {
  Call call = forward_call(subject, attack_scene(subject, attack.positions, weights), Operation::encode);
  if (!subject.perform(call).ok()) return std::nullopt;
  const double first = norm_of_row(call.output, 0);
  for (Index n = 1; n < attack.positions.shape[0]; ++n) {
    const double norm = norm_of_row(call.output, n);
    if (!(std::abs(norm - first) <= first * norm_rounding.allowed(0, 0, 0, 0)))
      return fmt::format("the norm is {:.17g} at position {} and {:.17g} at {}", first, point_text(attack.positions, 0),
                         norm, point_text(attack.positions, n));
  }
  return std::nullopt;
}

// Attacks with drawn weights, then with others that training could reach.
int attack_vectors(const Subject& subject, const std::string& key, const std::vector<Attack>& attacks, Index least_rows,
                   std::optional<std::string> (*refute)(const Subject&, const Attack&, const std::vector<Block>&)) {
  int stood = 0;
  for (const WeightScale scale : {WeightScale::drawn, WeightScale::normal}) {
    const std::vector<Block> weights = weights_of(subject.scheme(), scale, key);
    if (scale == WeightScale::normal && weights.empty()) continue;
    stood += attack_all(
        subject, attacks, [&](const Attack& attack) { return refute(subject, attack, weights); }, least_rows);
  }
  return stood;
}

}  // namespace

std::string check_isometry(Trial& trial) {
  return attack_claim(
      trial, [](const Subject& subject) { return subject.claims(POSLAB_ISOMETRY); },
      [](const Subject& subject) {
        if (!subject.has(Operation::transform)) return 0;
        return attack_vectors(subject, "isometry", attacks_on(subject, 8, false, "isometry"), 1, refute_isometry);
      });
}

std::string check_constant_norm(Trial& trial) {
  return attack_claim(
      trial, [](const Subject& subject) { return subject.claims(POSLAB_CONSTANT_NORM); },
      [](const Subject& subject) {
        if (!subject.has(Operation::encode)) return 0;
        return attack_vectors(subject, "constant norm", attacks_on(subject, 8, false, "constant norm"), 2,
                              refute_constant_norm);
      });
}

}  // namespace poslab::check
