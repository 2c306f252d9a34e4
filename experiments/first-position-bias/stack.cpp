// SPDX-License-Identifier: Apache-2.0
#include "stack.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "poslab/data/draws.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::experiments::first_position_bias {

// What the rows of one layer's attention give to position 0. Named, as a lambda of Stack holds it.
struct Reach {
  Array<double> first_column;                     // [H, N]: A_i0
  std::vector<double> context, residual_context;  // [N]: of the layers up to this one

  Reach(Index H, Index N)
      : first_column{H, N}, context(static_cast<std::size_t>(N)), residual_context(static_cast<std::size_t>(N)) {}
};

namespace {

constexpr Index rows_per_block = 128;

// run(first, count) for blocks of rows, in any order: each row belongs to one block, whatever the number of threads.
template <class Run>
void for_each_block(Index rows, const Run& run) {
  tbb::parallel_for(Index{0}, (rows + rows_per_block - 1) / rows_per_block, [&](Index block) {
    const Index first = block * rows_per_block;
    run(first, std::min(rows_per_block, rows - first));
  });
}

template <class S>
Array<S> draw_projection(const data::Draws& draws, const char* name, Index layer, Index D) {
  const base::Stream stream = draws.contents(fmt::format("{} projection of layer {}", name, layer), {D, D});
  const double deviation = 1 / std::sqrt(static_cast<double>(D));
  Array<S> projection{D, D};
  for_each_block(D, [&](Index first, Index count) {
    Array<double> normals{count, D};
    stream.fill_normal(normals, static_cast<std::uint64_t>(first * D));
    for (Index i = 0; i < normals.size(); ++i)
      projection.data()[first * D + i] = static_cast<S>(deviation * normals.data()[i]);
  });
  return projection;
}

// out [N, D]: every row over its root mean square; a row of zeros stays.
template <class S>
void normalise(View<const S> x, View<S> out) {
  const Index N = x.shape[0], D = x.shape[1];
  for (Index n = 0; n < N; ++n) {
    S squares = 0;
    for (Index a = 0; a < D; ++a) squares += x(n, a) * x(n, a);
    const S factor = squares > 0 ? 1 / std::sqrt(squares / static_cast<S>(D)) : S(0);
    for (Index a = 0; a < D; ++a) out(n, a) = factor * x(n, a);
  }
}

// out [H, N, K] = factor * x [N, D] . projection [D, D], head h from the columns h K .. (h + 1) K - 1.
template <class S>
void project_heads(View<const S> x, View<const S> projection, double factor, View<S> out) {
  const Index H = out.shape[0], K = out.shape[2], N = x.shape[0], D = x.shape[1];
  for_each_block(N, [&](Index first, Index count) {
    Array<S> projected{count, D};
    numerics::multiply_scaled<S>({&x(first, 0), count, D}, projection, static_cast<S>(factor), projected.data());
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < count; ++n) std::copy_n(&projected(n, h * K), K, &out(h, first + n, 0));
  });
}

// Fills the rows of one tile, from what the layers below reach: F <- A F and G <- (A G + G) / 2, A averaged over heads.
template <class S>
void look_at(const attention::AttentionTile<S>& tile, const FirstPosition& below, Reach& reach) {
  const Index H = tile.attention.extent(0), Nq = tile.attention.extent(1), Nk = tile.attention.extent(2);
  for (Index i = 0; i < Nq; ++i) {
    const Index row = tile.first_query + i;
    double reached = 0, residual = 0;
    for (Index h = 0; h < H; ++h) {
      reach.first_column(h, row) = static_cast<double>(tile.attention(h, i, 0));
      for (Index j = 0; j < Nk; ++j) {
        const auto attention = static_cast<double>(tile.attention(h, i, j));
        reached += attention * below.context[static_cast<std::size_t>(j)];
        residual += attention * below.residual_context[static_cast<std::size_t>(j)];
      }
    }
    const auto here = static_cast<std::size_t>(row);
    reach.context[here] = reached / static_cast<double>(H);
    reach.residual_context[here] = (residual / static_cast<double>(H) + below.residual_context[here]) / 2;
  }
}

}  // namespace

template <class S>
std::vector<Projections<S>> draw_projections(const data::Draws& draws, Index depth, Index D) {
  std::vector<Projections<S>> layers;
  for (Index l = 0; l < depth; ++l)
    layers.push_back({draw_projection<S>(draws, "query", l, D), draw_projection<S>(draws, "key", l, D),
                      draw_projection<S>(draws, "value", l, D)});
  return layers;
}

template <class S>
Stack<S>::Stack(const ExperimentInput& input, const Array<double>& content, bool with_positions, Index depth,
                bool residual)
    : scheme_(with_positions ? &input.scheme : nullptr),
      heads_(input.scheme.model().heads),
      residual_(residual),
      positions_(input.positions(content.extent(0))),
      x_(as<S>(content)),
      normed_{content.extent(0), content.extent(1)} {
  const Index N = content.extent(0), D = content.extent(1);
  for (Array<S>* projected : {&query_, &key_, &value_}) *projected = Array<S>{heads_, N, D / heads_};
  seen_.context.assign(static_cast<std::size_t>(N), 0.0);
  seen_.context[0] = 1;
  seen_.residual_context = seen_.context;
  if (!scheme_) return;
  weights_ = draw_weights<S>(input, depth);
  if (scheme_->has(host::Operation::encode)) {
    Array<S> encoded{N, D};
    scheme_->encode<S>({N, N, true}, positions_, std::as_const(weights_).of_layer(0), encoded);
    for (Index i = 0; i < x_.size(); ++i) x_.data()[i] += encoded.data()[i];
  }
}

template <class S>
void Stack<S>::project(const Projections<S>& projections, double query_factor, bool values) {
  normalise<S>(x_, normed_);
  project_heads<S>(normed_, projections.query, query_factor, query_);
  project_heads<S>(normed_, projections.key, 1, key_);
  if (values) project_heads<S>(normed_, projections.value, 1, value_);
}

template <class S>
void Stack<S>::step(const Projections<S>& projections, double query_gain, bool last) {
  const Index N = x_.extent(0), H = heads_, K = query_.extent(2);
  attention::Layer<S> layer{scheme_, {N, N, true}, positions_, {}, layer_};
  if (scheme_) layer.weights = std::as_const(weights_).of_layer(layer_);
  // A scheme that leaves the scale out (T5) keeps it in the initial projections instead: the logits vary alike.
  const double usual = 1 / std::sqrt(static_cast<double>(K)), own = scheme_ ? scheme_->logit_scale() : usual;
  project(projections, query_gain * usual / own, !last);

  Reach reach(H, N);
  const auto look = [&](const attention::AttentionTile<S>& tile) { look_at<S>(tile, seen_, reach); };
  const attention::Content<S> content{query_, key_, normed_};
  if (layer_ == 0) keep_last_logits(layer, attention::transform(layer, content));
  if (last) {
    attention::for_each_tile<S>(layer, attention::transform(layer, content), normed_, look);
  } else {
    Array<S> output{H, N, K};
    attention::attend<S>(layer, content, value_, output, look);
    add_output(output);
  }
  seen_.context = std::move(reach.context);
  seen_.residual_context = std::move(reach.residual_context);
  seen_.sink.assign(static_cast<std::size_t>(H), 0.0);
  for (Index h = 0; h < H; ++h) {
    double& sink = seen_.sink[static_cast<std::size_t>(h)];
    for (Index i = 0; i < N; ++i) sink += reach.first_column(h, i);
    sink /= static_cast<double>(N);
  }
  ++layer_;
}

template <class S>
void Stack<S>::keep_last_logits(const attention::Layer<S>& layer, const attention::Transformed<S>& transformed) {
  const Index N = x_.extent(0), H = heads_;
  const double usual = 1 / std::sqrt(static_cast<double>(query_.extent(2)));
  Array<S> logits{H, 1, N};
  if (scheme_)
    attention::logits<S>(*scheme_, layer.context, positions_, transformed, normed_, N - 1, layer.weights, logits, {},
                         layer_);
  else
    attention::scaled_products<S>(attention::rows_of_heads<S>(transformed.query, N - 1, 1), transformed.key, usual,
                                  logits);
  last_logits_ = Array<double>{H, N};
  for (Index i = 0; i < logits.size(); ++i) last_logits_.data()[i] = static_cast<double>(logits.data()[i]);
}

// x [N, D] takes the heads' outputs [H, N, K] side by side.
template <class S>
void Stack<S>::add_output(View<const S> output) {
  const Index H = output.shape[0], N = output.shape[1], K = output.shape[2];
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index a = 0; a < K; ++a) {
        S& entry = x_(n, h * K + a);
        entry = (residual_ ? entry : S(0)) + output(h, n, a);
      }
}

template std::vector<Projections<float>> draw_projections<float>(const data::Draws&, Index, Index);
template std::vector<Projections<double>> draw_projections<double>(const data::Draws&, Index, Index);
template class Stack<float>;
template class Stack<double>;

}  // namespace poslab::experiments::first_position_bias
