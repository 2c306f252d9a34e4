// SPDX-License-Identifier: Apache-2.0
// The attention layer around a scheme's bias, score and mix, written plainly.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "inputs.hpp"

namespace poslab::golden {

/// One layer on the inputs of a case.
template <class S>
class Attention {
 public:
  explicit Attention(const Inputs<S>& inputs) : in_(inputs) {}

  Array<S> bias() const {
    Array<S> out({in_.scheme().model().heads, in_.query_positions().extent(0), in_.key_positions().extent(0)});
    if (in_.scheme().has(host::Operation::bias))
      in_.scheme().template bias<S>(in_.context(), in_.tile(), in_.weights(), out);
    return out;
  }

  // What `score` adds to what it finds.
  Numbers added() const {
    Numbers after = numbers_of(logits());
    const Numbers before = numbers_of(incoming_logits());
    for (std::size_t i = 0; i < after.numbers.size(); ++i) after.numbers[i] -= before.numbers[i];
    return after;
  }

  // How `score` rotates the dataset `of` on its `side`, for schemes whose logits are products of rotated vectors. K
  // more tokens come before the sequence; their layer input is zero, so that nothing rotates there. The other side
  // holds the unit vectors at them, and the logits with those are the channels of the rotated vector.
  Numbers rotated_by_score() const {
    const Index H = in_.scheme().model().heads, K = in_.scheme().model().head_width(), N = in_.positions().extent(0);
    const bool of_query = in_.side() == host::Side::query;
    const Array<S> given = in_.content(in_.spec().at("of"), N), input = in_.layer_input(N, K);
    Array<double> token_positions({K + N, 1});
    for (Index n = 0; n < K + N; ++n)
      token_positions(n, 0) = n < K ? in_.positions()(0, 0) - static_cast<double>(K - n) : in_.positions()(n - K, 0);
    Array<S> all_keys({H, K + N, K}), all_queries({H, of_query ? N : K, K});
    for (Index h = 0; h < H; ++h) {
      for (Index c = 0; c < K; ++c) (of_query ? all_keys : all_queries)(h, c, c) = 1;
      for (Index n = 0; n < N; ++n)
        for (Index c = 0; c < K; ++c) (of_query ? all_queries(h, n, c) : all_keys(h, K + n, c)) = given(h, n, c);
    }
    const Index first = of_query ? K : 0, Nq = all_queries.extent(1);
    Array<S> met({H, Nq, K + N});
    in_.scheme().template score<S>(in_.context(),
                                   {token_positions.view().rows(first, Nq), token_positions.view(), first},
                                   {input.view(), all_queries.view(), all_keys.view(), 1.0}, in_.weights(), met);
    Numbers out{{H, N, K}, {}};
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < N; ++n)
        for (Index c = 0; c < K; ++c) out.numbers.push_back(of_query ? met(h, n, c) : met(h, c, K + n));
    return out;
  }

  // The logits [H, Nq, Nk] as the attention layer makes them; with "causal", masked.
  Array<S> logits() const {
    const Array<S> q = queries(), k = keys(), input = in_.layer_input(in_.key_positions().extent(0));
    Array<S> out = incoming_logits();
    if (in_.scheme().has(host::Operation::score))
      in_.scheme().template score<S>(in_.context(), in_.tile(), {input.view(), q.view(), k.view(), scale()},
                                     in_.weights(), out);
    if (in_.context().causal)
      for (Index h = 0; h < out.extent(0); ++h)
        for (Index i = 0; i < out.extent(1); ++i)
          for (Index j = i + 1; j < out.extent(2); ++j) out(h, i, j) = -std::numeric_limits<S>::infinity();
    return out;
  }

  Array<S> weights() const {
    Array<S> out = logits();
    for (Index h = 0; h < out.extent(0); ++h)
      for (Index i = 0; i < out.extent(1); ++i) {
        S* row = &out(h, i, 0);
        const S largest = *std::max_element(row, row + out.extent(2));
        S total = 0;
        for (Index j = 0; j < out.extent(2); ++j) total += row[j] = std::exp(row[j] - largest);
        for (Index j = 0; j < out.extent(2); ++j) row[j] /= total;
      }
    return out;
  }

  Numbers values() const {
    const Array<S> shares = weights(), v = in_.content(in_.content_spec("value"), in_.key_positions().extent(0));
    Array<S> out({v.extent(0), shares.extent(1), v.extent(2)});
    for (Index h = 0; h < out.extent(0); ++h)
      for (Index i = 0; i < out.extent(1); ++i)
        for (Index j = 0; j < shares.extent(2); ++j)
          for (Index c = 0; c < out.extent(2); ++c) out(h, i, c) += shares(h, i, j) * v(h, j, c);
    if (in_.scheme().has(host::Operation::mix))
      in_.scheme().template mix<S>(in_.context(), in_.tile(), shares.view(), in_.weights(), out);
    return numbers_of(out);
  }

 private:
  Array<S> queries() const {
    return in_.transform(host::Side::query, in_.content(in_.content_spec("query"), in_.query_positions().extent(0)),
                         in_.query_positions());
  }
  Array<S> keys() const {
    return in_.transform(host::Side::key, in_.content(in_.content_spec("key"), in_.key_positions().extent(0)),
                         in_.key_positions());
  }

  double scale() const {
    const Json& spec = in_.content_spec("scale");
    return spec.is_null() ? in_.scheme().logit_scale() : in_.facts().number(spec.get<std::string>());
  }

  // What `score` finds, [H, Nq, Nk]: the dataset "logits" of the attention, else scale q.k + bias.
  Array<S> incoming_logits() const {
    const Index H = in_.scheme().model().heads, Nq = in_.query_positions().extent(0),
                Nk = in_.key_positions().extent(0);
    const Json& given = in_.content_spec("logits");
    if (!given.is_null())
      return shaped<S>(in_.facts().dataset(given.get<std::string>()), 3, {H, Nq, Nk, 1}, given.get<std::string>());
    const Array<S> q = queries(), k = keys();
    const S factor = static_cast<S>(scale());
    Array<S> out = bias();
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < Nq; ++i)
        for (Index j = 0; j < Nk; ++j) {
          double dot = 0;  // the host's part: its rounding is none of the scheme's
          for (Index c = 0; c < in_.scheme().model().head_width(); ++c)
            dot += static_cast<double>(q(h, i, c)) * k(h, j, c);
          out(h, i, j) += static_cast<S>(factor * dot);
        }
    return out;
  }

  const Inputs<S>& in_;
};

}  // namespace poslab::golden
