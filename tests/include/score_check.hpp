// SPDX-License-Identifier: Apache-2.0
// What the tests of schemes with `score` share: a tile with contents, the logits that a scheme leaves, and all its
// gradients against central differences.
// Dimension letters: Nq queries, Nk keys, D model width, H heads, K head width.
#pragma once

#include "scheme_check.hpp"

namespace check {

/// first, first + 1, ...
inline std::vector<double> counted(Index first, Index count) {
  std::vector<double> numbers;
  for (Index n = 0; n < count; ++n) numbers.push_back(static_cast<double>(first + n));
  return numbers;
}

/// Random contents at given positions. The query at index i has the position of the key at index
/// first + i.
template <class S = double>
struct Scored {
  poslab::host::Model model;
  Array<double> queries, keys;  // positions
  Index first;
  Array<S> q, k, x;  // [H, Nq, K], [H, Nk, K], [Nk, D]
  double scale;
  poslab::host::Context context;

  Scored(const poslab::host::Model& m, const std::vector<double>& query_positions,
         const std::vector<double>& key_positions, Index first_query = 0, double factor = 0.4)
      : model(m),
        queries(positions(query_positions)),
        keys(positions(key_positions)),
        first(first_query),
        q(random<S>({m.heads, queries.extent(0), m.head_width()}, "q")),
        k(random<S>({m.heads, keys.extent(0), m.head_width()}, "k")),
        x(random<S>({keys.extent(0), m.model_width}, "x")),
        scale(factor),
        context{keys.extent(0), m.train_length, true} {}

  Index Nq() const { return queries.extent(0); }
  Index Nk() const { return keys.extent(0); }
  double query_at(Index i) const { return queries(i, 0); }
  double key_at(Index j) const { return keys(j, 0); }
  poslab::host::Tile tile() const { return {queries.view(), keys.view(), first}; }

  /// scale q.k, as the scheme finds it.
  double product(Index h, Index i, Index j) const {
    double sum = 0;
    for (Index c = 0; c < model.head_width(); ++c) sum += static_cast<double>(q(h, i, c)) * k(h, j, c);
    return scale * sum;
  }
  Array<S> products() const {
    Array<S> out({model.heads, Nq(), Nk()});
    for (Index h = 0; h < model.heads; ++h)
      for (Index i = 0; i < Nq(); ++i)
        for (Index j = 0; j < Nk(); ++j) out(h, i, j) = static_cast<S>(product(h, i, j));
    return out;
  }
  /// The logits after `score`.
  Array<S> logits(const poslab::host::Scheme& scheme, const poslab::host::Weights<S>& weights) const {
    Array<S> out = products();
    scheme.score<S>(context, tile(), {x, q, k, scale}, weights.layer(0), out);
    return out;
  }
  /// Every logit against wanted(h, i, j).
  template <class Wanted>
  void compare(const Array<S>& found, Wanted wanted, double allowed) const {
    for (Index h = 0; h < model.heads; ++h)
      for (Index i = 0; i < Nq(); ++i)
        for (Index j = 0; j < Nk(); ++j) {
          INFO("head " << h << ", query at " << query_at(i) << ", key at " << key_at(j));
          CHECK_THAT(static_cast<double>(found(h, i, j)), WithinAbs(wanted(h, i, j), allowed));
        }
  }
};

/// Whether the gradients by x, q, k and every weight are those of central differences: within 1e-6 of the
/// largest of that array, and rounding.
inline bool score_gradients_hold(const poslab::host::Scheme& scheme, Scored<double>& at,
                                 poslab::host::Weights<double>& weights) {
  const auto by_logits = random({at.model.heads, at.Nq(), at.Nk()}, "by logits");
  const auto given = std::as_const(weights).layer(0);
  const auto loss = [&] {  // a scheme that adds has no part in the gradient of what it finds
    const double after = inner(at.logits(scheme, weights), by_logits);
    return scheme.score_writes_logits() ? after : after - inner(at.products(), by_logits);
  };
  poslab::host::Weights<double> by_weights(scheme.weights(), 1);
  Array<double> by_x = at.x.copy(), by_q = at.q.copy(), by_k = at.k.copy();
  by_x.fill(0), by_q.fill(0), by_k.fill(0);
  scheme.score_gradient<double>(at.context, at.tile(), {at.x, at.q, at.k, at.scale}, given, by_logits,
                                {by_x, by_q, by_k}, by_weights.layer(0));
  const double magnitude = magnitude_of(at.logits(scheme, weights), by_logits) + magnitude_of(at.products(), by_logits);
  const auto holds = [&](Array<double>& input, const Array<double>& gradient, const std::string& name) {
    const bool right = is_gradient_or_rounding(loss, input, gradient, magnitude);
    if (!right) UNSCOPED_INFO("it is the gradient by " << name);
    return right;
  };
  bool good = holds(at.x, by_x, "x") & holds(at.q, by_q, "q") & holds(at.k, by_k, "k");
  for (std::size_t w = 0; w < weights.arrays().size(); ++w)
    good = good & holds(weights.arrays()[w][0], by_weights.arrays()[w][0], scheme.weights()[w].name);
  return good;
}

}  // namespace check
