// SPDX-License-Identifier: Apache-2.0
// The layers of a network as plain functions of some rows, each with its gradient. Gradients of parameters are ADDED to
// theirs, in the order of the rows; all else is overwritten. One thread; float and double.
// Dimension letters: M rows (tokens), I and O widths, D model width, V vocabulary.
#pragma once

#include <cstdint>

#include "poslab/network/configuration.hpp"

namespace poslab::network {

/// y [M, O] = x [M, I] weight [O, I]^T + bias [O]; `bias` may be empty.
template <class S>
void linear(View<const S> x, View<const S> weight, View<const S> bias, View<S> y);
/// dx [M, I] = dy [M, O] weight [O, I], added to what is there if `add`.
template <class S>
void linear_input_gradient(View<const S> dy, View<const S> weight, View<S> dx, bool add = false);
/// Rows first .. first + count - 1 of dweight [O, I] += dy [M, O]^T x [M, I], and of dbias [O] += the sum of dy's rows.
template <class S>
void linear_weight_gradient(View<const S> dy, View<const S> x, Index first, Index count, View<S> dweight,
                            View<S> dbias);

/// Which norm, and what is added to the variance or the mean square before its root.
struct Normalisation {
  Norm norm = Norm::layer;
  double epsilon = norm_epsilon;
};

/// y = weight (x - mean) / sqrt(variance + epsilon) + bias (layer norm), or weight x / sqrt(mean square + epsilon) (RMS
/// norm, `mean` 0); `weight` and `bias` [D] may be empty. `mean` and `scale` [M] keep the mean and 1 / sqrt(...) of
/// each row of x [M, D]; without an epsilon, `scale` is 0 where the root is.
template <class S>
void normalise(const Normalisation& how, View<const S> x, View<const S> weight, View<const S> bias, View<S> y,
               View<S> mean, View<S> scale);
/// dx [M, D] += the gradient by x. `dweight`, `dbias` [D] may be empty, where they are not wanted.
template <class S>
void normalise_gradient(Norm norm, View<const S> x, View<const S> weight, View<const S> mean, View<const S> scale,
                        View<const S> dy, View<S> dx, View<S> dweight, View<S> dbias);

/// y may be x.
template <class S>
void activate(Activation kind, View<const S> x, View<S> y);
/// dy becomes dx in place.
template <class S>
void activation_gradient(Activation kind, View<const S> x, View<S> dy);

/// What the network says of one token.
struct TokenLoss {
  double loss = 0;       ///< cross entropy in nats
  bool correct = false;  ///< whether the target has the largest logit (the first of equals)
};

/// logits [M, V] become the gradient of sum_m factor[m] loss[m]: factor (softmax - one at the target). Rows of factor 0
/// become 0.
template <class S>
void cross_entropy(View<S> logits, const std::int32_t* targets, const double* factors, TokenLoss* losses,
                   bool with_gradient);

}  // namespace poslab::network
