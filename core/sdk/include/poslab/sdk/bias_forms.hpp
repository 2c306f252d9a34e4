// SPDX-License-Identifier: Apache-2.0
// The four ways in which an author may write `bias`: for one offset = key - query or for a pair, and one head at a time
// or all heads in a row; and the same four for a hand-written gradient.
#pragma once

#include <array>
#include <cstddef>

#include "poslab/sdk/arguments.hpp"
#include "poslab/sdk/members.hpp"
#include "poslab/sdk/mistakes.hpp"
#include "poslab/sdk/model.hpp"
#include "poslab/sdk/tape.hpp"
#include "poslab/sdk/tensor.hpp"

namespace poslab::sdk {

/// key - query, axis by axis.
class Difference {
 public:
  Difference(Point query, Point key) : axes_(query.axes()) {
    for (int axis = 0; axis < axes_; ++axis) numbers_[static_cast<std::size_t>(axis)] = key[axis] - query[axis];
  }
  Point point() const { return {numbers_.data(), axes_}; }

 private:
  std::array<double, most_axes> numbers_{};
  int axes_;
};

/// What the bias of one head may return: double will do, but on the tape it would lose the weights.
template <class S>
struct Biases : Returning<S, double> {};
template <>
struct Biases<Variable> : Returning<Variable> {};

template <class T>
struct BiasForms {
  // Context and weights may be left out.
  static constexpr Optional optional = 0b1100, pair_optional = 0b11000;
  template <class S>
  static constexpr Arguments head_offset =
      taken<optional, members::bias, Biases<S>, T, int, Point, Context, Weights<const S>>;
  template <class S>
  static constexpr Arguments row_offset =
      taken<optional, members::bias, Returning<void>, T, Point, Row<S>, Context, Weights<const S>>;
  template <class S>
  static constexpr Arguments head_pair =
      taken<pair_optional, members::bias, Biases<S>, T, int, Point, Point, Context, Weights<const S>>;
  template <class S>
  static constexpr Arguments row_pair =
      taken<pair_optional, members::bias, Returning<void>, T, Point, Point, Row<S>, Context, Weights<const S>>;

  template <class S>
  static constexpr bool any_form = (head_offset<S> | row_offset<S> | head_pair<S> | row_pair<S>) != 0;
  static constexpr bool of_offset = (head_offset<double> | row_offset<double>) != 0;
  static constexpr bool any_on_tape =
      (of_offset ? head_offset<Variable> | row_offset<Variable> : head_pair<Variable> | row_pair<Variable>) != 0;
  static constexpr bool takes_weights = ((head_offset<double> | row_offset<double>) >> 3U & 1U) != 0 ||
                                        ((head_pair<double> | row_pair<double>) >> 4U & 1U) != 0;
  template <class S>
  static constexpr Mistake mistake_for = [] {
    if constexpr (any_form<S>) {
      return Mistake::none;
    } else {
      constexpr Mistake forms[] = {
          mistake<optional, members::bias, Biases<S>, T, int, Point, Context, Weights<const S>>,
          mistake<optional, members::bias, Returning<void>, T, Point, Row<S>, Context, Weights<const S>>,
          mistake<pair_optional, members::bias, Biases<S>, T, int, Point, Point, Context, Weights<const S>>,
          mistake<pair_optional, members::bias, Returning<void>, T, Point, Point, Row<S>, Context, Weights<const S>>};
      for (const Mistake form : forms)
        if (form != Mistake::other) return form;
      return Mistake::other;
    }
  }();
  POSLAB_SDK_SIGNATURE("bias", of_both(mistake_for<float>, mistake_for<double>),
                       "template <class S> S bias(int head, double offset, Context, Weights<const S>) const, or S "
                       "bias(int head, double query, double key, Context, Weights<const S>) const; or, for all heads "
                       "at once, void bias(double offset, Row<S> heads, ...) const, void bias(double query, double "
                       "key, Row<S> heads, ...) const. Context and Weights may be left out; without Weights, "
                       "double bias(int head, double offset) const will do. It must be public.");
  static_assert((head_offset<double> != 0) + (row_offset<double> != 0) + (head_pair<double> != 0) +
                            (row_pair<double> != 0) <=
                        1 ||
                    requires { &T::bias; },  // one function, whose argument may have a default
                "bias is written in more than one form, and only one of them would be called: write it for an offset "
                "or for query and key, and for one head or for a row of heads.");

  /// heads[h]: what is added to the logits of head h at one offset.
  template <class S>
  static void at_offset(const T& scheme, const Context& context, Point offset, Row<S> heads, Weights<const S> weights) {
    if constexpr (row_offset<S> != 0)
      call_with<members::bias, row_offset<S>>(scheme, offset, heads, context, weights);
    else
      for (std::size_t h = 0; h < heads.size(); ++h)
        heads[h] = static_cast<S>(
            call_with<members::bias, head_offset<S>>(scheme, static_cast<int>(h), offset, context, weights));
  }

  /// The same at a pair.
  template <class S>
  static void at_pair(const T& scheme, const Context& context, Point query, Point key, Row<S> heads,
                      Weights<const S> weights) {
    if constexpr (of_offset)
      at_offset<S>(scheme, context, Difference(query, key).point(), heads, weights);
    else if constexpr (row_pair<S> != 0)
      call_with<members::bias, row_pair<S>>(scheme, query, key, heads, context, weights);
    else
      for (std::size_t h = 0; h < heads.size(); ++h)
        heads[h] = static_cast<S>(
            call_with<members::bias, head_pair<S>>(scheme, static_cast<int>(h), query, key, context, weights));
  }
};

template <class T>
struct BiasGradientForms {
  // As above, with the gradient by the bias after the offset, and where to add the weights' gradients at the end.
  static constexpr Optional optional = 0b1000, row_optional = 0b100, pair_optional = 0b10000,
                            row_pair_optional = 0b1000;
  template <class S>
  static constexpr Arguments head_offset =
      taken<optional, members::bias_gradient, Returning<void>, T, int, Point, S, Context, Weights<const S>, Weights<S>>;
  template <class S>
  static constexpr Arguments row_offset = taken<row_optional, members::bias_gradient, Returning<void>, T, Point,
                                                Row<const S>, Context, Weights<const S>, Weights<S>>;
  template <class S>
  static constexpr Arguments head_pair = taken<pair_optional, members::bias_gradient, Returning<void>, T, int, Point,
                                               Point, S, Context, Weights<const S>, Weights<S>>;
  template <class S>
  static constexpr Arguments row_pair = taken<row_pair_optional, members::bias_gradient, Returning<void>, T, Point,
                                              Point, Row<const S>, Context, Weights<const S>, Weights<S>>;

  static constexpr bool of_offset = (head_offset<double> | row_offset<double>) != 0;
  static constexpr bool of_pair = (head_pair<double> | row_pair<double>) != 0;
  static constexpr bool any = of_offset || of_pair;
  static_assert(
      !members::bias_gradient::named_in<T> || (BiasForms<T>::of_offset ? of_offset : of_pair),
      "bias_gradient has another signature than: template <class S> void bias_gradient(int head, double offset, S "
      "gradient, Context, Weights<const S>, Weights<S> weight_gradients) const (or query and key instead of "
      "offset, as bias has them); or for all heads, (double offset, Row<const S> gradients, Context, "
      "Weights<const S>, Weights<S> weight_gradients). Context may be left out. It must be public.");

  template <class S>
  static void at_offset(const T& scheme, const Context& context, Point offset, Row<const S> given,
                        Weights<const S> weights, Weights<S> weight_gradients) {
    if constexpr (row_offset<S> != 0)
      call_with<members::bias_gradient, row_offset<S>>(scheme, offset, given, context, weights, weight_gradients);
    else
      for (std::size_t h = 0; h < given.size(); ++h)
        call_with<members::bias_gradient, head_offset<S>>(scheme, static_cast<int>(h), offset, given[h], context,
                                                          weights, weight_gradients);
  }

  template <class S>
  static void at_pair(const T& scheme, const Context& context, Point query, Point key, Row<const S> given,
                      Weights<const S> weights, Weights<S> weight_gradients) {
    if constexpr (row_pair<S> != 0)
      call_with<members::bias_gradient, row_pair<S>>(scheme, query, key, given, context, weights, weight_gradients);
    else
      for (std::size_t h = 0; h < given.size(); ++h)
        call_with<members::bias_gradient, head_pair<S>>(scheme, static_cast<int>(h), query, key, given[h], context,
                                                        weights, weight_gradients);
  }
};

}  // namespace poslab::sdk
