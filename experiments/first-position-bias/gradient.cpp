// SPDX-License-Identifier: Apache-2.0
// The stack of stack.hpp once more, keeping what its gradient needs; then back, layer by layer.
#include "gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "poslab/attention/batch.hpp"
#include "poslab/attention/heads.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/numerics/inner_product.hpp"
#include "poslab/numerics/products.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::first_position_bias {
namespace {

// What a layer leaves for its gradient.
template <class S>
struct LayerState {
  const Projections<S>& projections;
  Array<S> x, normed;                           // [N, D]
  Array<S> query = {}, key = {}, value = {};    // [H, N, K]; query and key as transformed
  Array<S> query_before = {}, key_before = {};  // and before that
};

// The rounding of a sum over N tokens, relative to it.
template <class S>
double rounding(Index N) {
  return static_cast<double>(N) * static_cast<double>(std::numeric_limits<S>::epsilon());
}

template <class S>
class Differentiable {
 public:
  Differentiable(const FirstPositionBias& at, const ExperimentInput& input, const Array<double>& content,
                 bool with_positions, Index layers)
      : scheme_(with_positions ? &input.scheme : nullptr),
        N_(content.extent(0)),
        D_(content.extent(1)),
        H_(input.scheme.model().heads),
        residual_(at.residual),
        positions_(input.positions(N_)),
        x_(as<S>(content)),
        attention_(scheme_, {1, H_, N_, D_ / H_}, true) {
    const Index K = D_ / H_;
    const double usual = 1 / std::sqrt(static_cast<double>(K)), own = scheme_ ? scheme_->logit_scale() : usual;
    query_factor_ = static_cast<S>(at.query_gain * usual / own);
    if (scheme_) weights_ = draw_weights<S>(input, layers);
    if (scheme_ && scheme_->has(host::Operation::encode)) {
      Array<S> codes{N_, D_};
      scheme_->encode<S>({N_, N_, true}, positions_, std::as_const(weights_).of_layer(0), codes);
      for (Index i = 0; i < x_.size(); ++i) x_.data()[i] += codes.data()[i];
    }
    if (scheme_)
      for (const host::WeightInfo& weight : scheme_->weights()) thrown_away_.emplace_back(weight.rank, weight.shape);
  }

  // The next layer takes what the one before gives; what the last one gives nobody asks for.
  void step(const Projections<S>& projections) {
    if (!layers_.empty()) forward();
    const auto l = static_cast<Index>(layers_.size());
    LayerState<S>& kept = *layers_.emplace_back(
        std::unique_ptr<LayerState<S>>(new LayerState<S>{projections, x_.copy(), normed_rows(x_)}));
    kept.query = heads_of(kept.normed, projections.query, query_factor_);
    kept.key = heads_of(kept.normed, projections.key, 1);
    kept.value = heads_of(kept.normed, projections.value, 1);
    kept.query_before = kept.query.copy(), kept.key_before = kept.key.copy();
    attention_.transform(layer_at(l), as_batch(kept.query), as_batch(kept.key));
  }

  // Share of token 0 in the gradient of <direction, last token> by the input of all layers so far; 0 where it cannot be
  // told from rounding.
  double share(const Array<double>& direction) {
    Array<S> gradient{1, N_, D_};
    for (Index c = 0; c < D_; ++c) gradient(0, N_ - 1, c) = static_cast<S>(direction(c));
    for (Index l = static_cast<Index>(layers_.size()); l-- > 0;) gradient = back(l, gradient);
    std::vector<double> norms;
    double sum = 0;
    for (Index n = 0; n < N_; ++n) {
      norms.push_back(std::sqrt(numerics::sum_of_squares(&gradient(0, n, 0), D_)));
      sum += norms.back();
    }
    const double share = numerics::ratio_or_zero(norms.front(), sum);
    return share < rounding<S>(N_) ? 0 : share;
  }

 private:
  void forward() {
    Array<S> out{1, N_, D_};
    attention_.forward(layer_at(static_cast<Index>(layers_.size()) - 1), contents(*layers_.back()), out);
    for (Index i = 0; i < x_.size(); ++i) x_.data()[i] = (residual_ ? x_.data()[i] : S(0)) + out.data()[i];
  }
  attention::Layer<S> layer_at(Index l) const {
    attention::Layer<S> layer{scheme_, {N_, N_, true}, positions_, {}, l};
    if (scheme_) layer.weights = weights_.of_layer(l);
    return layer;
  }
  static View<S> as_batch(Array<S>& heads) {
    return {heads.data(), {1, heads.extent(0), heads.extent(1), heads.extent(2)}};
  }
  attention::BatchContents<S> contents(LayerState<S>& kept) const {
    return {as_batch(kept.query),        as_batch(kept.key),
            as_batch(kept.value),        View<S>(kept.normed.data(), {1, N_, D_}),
            as_batch(kept.query_before), as_batch(kept.key_before)};
  }

  double inverse_rms(View<const S> x, Index n) const {
    const double squares = numerics::sum_of_squares(&x(n, 0), D_);
    return squares > 0 ? 1 / std::sqrt(squares / static_cast<double>(D_)) : 0;
  }
  Array<S> normed_rows(View<const S> x) const {
    Array<S> normed{N_, D_};
    for (Index n = 0; n < N_; ++n)
      for (Index c = 0; c < D_; ++c) normed(n, c) = static_cast<S>(inverse_rms(x, n)) * x(n, c);
    return normed;
  }
  Array<S> heads_of(const Array<S>& normed, const Array<S>& projection, S factor) const {
    Array<S> rows{N_, D_};
    numerics::multiply_scaled<S>(normed.view(), projection.view(), factor, rows.data());
    return attention::split_heads<S>(rows, H_);
  }

  // From the gradient by a layer's output [1, N, D] to that by its input.
  Array<S> back(Index l, const Array<S>& gradient) {
    LayerState<S>& kept = *layers_[static_cast<std::size_t>(l)];
    Array<S> query{H_, N_, D_ / H_}, key{H_, N_, D_ / H_}, value{H_, N_, D_ / H_}, normed{1, N_, D_}, out{1, N_, D_};
    std::vector<View<S>> thrown_away(thrown_away_.begin(), thrown_away_.end());
    attention_.backward(layer_at(l), contents(kept), gradient,
                        {as_batch(query), as_batch(key), as_batch(value), normed}, thrown_away);
    for (S& number : query.flat()) number *= query_factor_;
    const auto add = [&](const Array<S>& heads, const Array<S>& projection) {
      const Array<S> rows = attention::join_heads<S>(heads);
      numerics::add_products_of_rows<S>(rows.view(), projection.view(), normed.data());
    };
    add(query, kept.projections.query);
    add(key, kept.projections.key);
    add(value, kept.projections.value);
    for (Index n = 0; n < N_; ++n) {
      const double factor = inverse_rms(kept.x, n),
                   along = numerics::inner_product(&normed(0, n, 0), &kept.normed(n, 0), D_) / static_cast<double>(D_);
      for (Index c = 0; c < D_; ++c)
        out(0, n, c) = static_cast<S>(factor) * (normed(0, n, c) - static_cast<S>(along) * kept.normed(n, c)) +
                       (residual_ ? gradient(0, n, c) : S(0));
    }
    return out;
  }

  const host::Scheme* scheme_;
  Index N_, D_, H_;
  bool residual_;
  S query_factor_ = 1;
  Array<double> positions_;
  host::Weights<S> weights_;
  Array<S> x_;  // [N, D]
  attention::BatchAttention<S> attention_;
  std::vector<std::unique_ptr<LayerState<S>>> layers_;
  std::vector<Array<S>> thrown_away_;  // gradients by the scheme's weights, which nobody asked for
};

}  // namespace

template <class S>
std::vector<double> gradient_shares(const FirstPositionBias& at, const ExperimentInput& input,
                                    const Array<double>& content, const std::vector<Projections<S>>& projections,
                                    bool with_positions, const std::vector<double>& depths) {
  const auto deepest = static_cast<Index>(depths.back());
  const Array<double> direction = input.draws.normal("direction of the output", {content.extent(1)});
  Differentiable<S> stack(at, input, content, with_positions, deepest);
  std::vector<double> shares;
  for (Index layer = 0; layer < deepest; ++layer) {
    stack.step(projections[static_cast<std::size_t>(layer)]);
    if (std::find(depths.begin(), depths.end(), static_cast<double>(layer + 1)) != depths.end())
      shares.push_back(stack.share(direction));
  }
  return shares;
}

template std::vector<double> gradient_shares(const FirstPositionBias&, const ExperimentInput&, const Array<double>&,
                                             const std::vector<Projections<float>>&, bool, const std::vector<double>&);
template std::vector<double> gradient_shares(const FirstPositionBias&, const ExperimentInput&, const Array<double>&,
                                             const std::vector<Projections<double>>&, bool, const std::vector<double>&);

}  // namespace poslab::experiments::first_position_bias
