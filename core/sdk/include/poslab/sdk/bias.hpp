// SPDX-License-Identifier: Apache-2.0
// The operation `bias`: an author writes one number, bias(head, offset, ...) with offset = key - query, or
// bias(head, query, key, ...); or the numbers of all heads at once, with a Row<S> in the place of the head.
#pragma once

#include <algorithm>
#include <cmath>

#include "poslab/sdk/arguments.hpp"
#include "poslab/sdk/instance.hpp"
#include "poslab/sdk/offsets.hpp"

namespace poslab::sdk {

template <class T>
struct Bias {
  // Context and weights may be left out.
  static constexpr Optional optional = 0b1100, pair_optional = 0b11000;
  template <class S>
  static constexpr unsigned head_offset = taken<optional, Calls_bias<T>, int, Point, Context, Weights<const S>>;
  template <class S>
  static constexpr unsigned row_offset = taken<optional, Calls_bias<T>, Point, Row<S>, Context, Weights<const S>>;
  template <class S>
  static constexpr unsigned head_pair = taken<pair_optional, Calls_bias<T>, int, Point, Point, Context, Weights<const S>>;
  template <class S>
  static constexpr unsigned row_pair = taken<pair_optional, Calls_bias<T>, Point, Point, Row<S>, Context, Weights<const S>>;

  template <class S>
  static constexpr bool any_form = head_offset<S> || row_offset<S> || head_pair<S> || row_pair<S>;
  static constexpr bool of_offset = head_offset<double> != 0 || row_offset<double> != 0;
  static_assert(any_form<float> && any_form<double>,
                "bias has another signature than: template <class S> S bias(int head, double offset, Context, "
                "Weights<const S>) const, or (int head, double query, double key, Context, Weights<const S>); or void "
                "with Row<S> heads: (double offset, Row<S> heads, ...), (double query, double key, Row<S> heads, ...). "
                "Context and Weights may be left out; without Weights, double bias(int head, double offset) will do.");

  /// What is added to the logits of all heads, `heads[h]`, at one offset = key - query.
  template <class S>
  static void at_offset(const T& scheme, const Context& context, Point offset, Row<S> heads, Weights<const S> weights) {
    if constexpr (row_offset<S> != 0)
      call_with_taken<optional>(calls_bias(scheme), offset, heads, context, weights);
    else
      for (std::size_t h = 0; h < heads.size(); ++h)
        heads[h] = static_cast<S>(
            call_with_taken<optional>(calls_bias(scheme), static_cast<int>(h), offset, context, weights));
  }

  template <class S>
  static void at_pair(const T& scheme, const Context& context, Point query, Point key, Row<S> heads,
                      Weights<const S> weights) {
    if constexpr (of_offset) {
      std::array<double, most_axes> difference{};
      for (int axis = 0; axis < query.axes(); ++axis)
        difference[static_cast<std::size_t>(axis)] = key[axis] - query[axis];
      at_offset<S>(scheme, context, Point(difference.data(), query.axes()), heads, weights);
    } else if constexpr (row_pair<S> != 0) {
      call_with_taken<pair_optional>(calls_bias(scheme), query, key, heads, context, weights);
    } else {
      for (std::size_t h = 0; h < heads.size(); ++h)
        heads[h] = static_cast<S>(
            call_with_taken<pair_optional>(calls_bias(scheme), static_cast<int>(h), query, key, context, weights));
    }
  }

  template <class S>
  static void forward(const Instance<T>& self, const poslab_call& call) {
    const Points queries = checked_positions(call.query_positions, "query_positions", self.rule);
    const Points keys = checked_positions(call.key_positions, "key_positions", self.rule);
    const Index H = self.model.H, Nq = queries.size(), Nk = keys.size();
    const Tensor<S> out = checked<S>(call.output, "output", {H, Nq, Nk});
    const auto arrays = weight_tensors<const S>(call.weights, call.weight_count, self.weight_rows);
    const Weights<const S> weights(arrays);
    const Context context = context_of(call);
    std::vector<S> heads(static_cast<std::size_t>(H));
    if (const Offsets offsets(queries, keys); of_offset && offsets.worth_a_table()) {
      std::vector<S> table(static_cast<std::size_t>(H * offsets.count()));
      for (Index r = 0; r < offsets.count(); ++r) {
        const double offset = offsets.at(r);
        if constexpr (of_offset) at_offset<S>(self.scheme, context, Point(&offset, 1), heads, weights);
        for (Index h = 0; h < H; ++h) table[static_cast<std::size_t>(h * offsets.count() + r)] = heads[static_cast<std::size_t>(h)];
      }
      for (Index h = 0; h < H; ++h)
        for (Index i = 0; i < Nq; ++i) offsets.gather(table.data() + h * offsets.count(), i, &out(h, i, 0));
      return;
    }
    for (Index i = 0; i < Nq; ++i)
      for (Index j = 0; j < Nk; ++j) {
        at_pair<S>(self.scheme, context, queries[i], keys[j], heads, weights);
        for (Index h = 0; h < H; ++h) out(h, i, j) = heads[static_cast<std::size_t>(h)];
      }
  }

  template <class S>
  static void gradient(const Instance<T>&, const poslab_call&) {}

 private:
  static constexpr std::size_t most_axes = 8;
};

}  // namespace poslab::sdk
