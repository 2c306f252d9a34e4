// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N tokens, Nq queries of a tile, Nk keys, H heads, K head width, D model width, R distances.
#include "profile.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "poslab/attention/attention.hpp"
#include "poslab/attention/heads.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/shared_draws.hpp"
#include "sequence.hpp"
#include "tally.hpp"

namespace poslab::experiments::distance_profile {
namespace {

using host::Operation;

// [H, R]
using Tallies = std::vector<Tally>;

template <class S>
void multiply(Array<S>& x, double factor) {
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<S>(factor * static_cast<double>(x.data()[i]));
}

// The logit of a pair, and that of the same contents without positions.
struct Moved {
  double logit, without;
  template <class S>
  Moved(S with_positions, S without_them)
      : logit(static_cast<double>(with_positions)), without(static_cast<double>(without_them)) {}
  double size() const { return std::abs(logit) + std::abs(without); }
};

// By how much more positions move a pair's logit than that of the query's own key; 0 where it is rounding: of numbers
// that softmax cancels, as large as they may be, nothing is left.
template <class S>
double change(const Moved& pair, const Moved& own) {
  const double apart = (pair.logit - pair.without) - (own.logit - own.without);
  const double rounding = 2 * static_cast<double>(std::numeric_limits<S>::epsilon()) * (pair.size() + own.size());
  return std::abs(apart) <= rounding ? 0 : apart;
}

// Queries and keys with the code of their positions and without it, and what the layer saw of the former.
template <class S>
struct LayerInputs {
  Sequence<S> coded, bare;
  Array<S> input;  // [N, D]
};

template <class S>
class Gathering {
 public:
  Gathering(const ExperimentInput& input, attention::Offsets offsets, const Distances& distances)
      : input_(input),
        scheme_(input.scheme),
        distances_(distances),
        positions_(input.positions(distances.tokens())),
        context_{positions_.extent(0), scheme_.model().train_length, offsets == attention::Offsets::causal},
        weights_(draw_weights<S>(input)) {
    if (input.network) network_.emplace(input);
    if (!scheme_.has(Operation::encode)) return;
    codes_ = Array<S>{positions_.extent(0), scheme_.model().model_width};
    scheme_.template encode<S>(context_, positions_, std::as_const(weights_).layer(0), codes_);
  }

  Tallies tallies(Contents contents, Index number) const {
    const Index H = scheme_.model().heads, N = positions_.extent(0);
    // All-ones queries and keys are no content, of whatever network.
    const auto [coded, bare, layer_input] =
        network_ && contents != Contents::ones ? trained(contents, number) : random(contents, number);
    const std::vector<View<const S>> weights = weights_.layer(0);
    const attention::Transformed<S> transformed =
        attention::transform<S>(scheme_, context_, positions_, {coded.query, coded.key, layer_input}, weights);
    Tallies all(static_cast<std::size_t>(H) * distances_.values().size());
    for (Index first = 0; first < N; first += attention::queries_per_tile) {
      const Index Nq = std::min(attention::queries_per_tile, N - first), Nk = context_.causal ? first + Nq : N;
      Array<S> logits{H, Nq, Nk}, without{H, Nq, Nk};
      attention::logits<S>(scheme_, context_, positions_, transformed, layer_input, first, weights, logits);
      attention::scaled_products<S>(attention::rows_of_heads<S>(bare.query, first, Nq), bare.key, scheme_.logit_scale(),
                                    without);
      gather(logits, without, first, all);
    }
    return all;
  }

 private:
  LayerInputs<S> random(Contents contents, Index number) const {
    const Index H = scheme_.model().heads, N = positions_.extent(0), K = scheme_.model().head_width();
    const auto drawn =
        shared_draw<Sequence<S>>(input_, fmt::format("content {} of kind {}", number, static_cast<int>(contents)),
                                 2 * H * N * K, [&] { return draw<S>(input_.draws, contents, number, H, N, K); });
    Sequence<S> bare{drawn->query.copy(), drawn->key.copy()}, coded{bare.query.copy(), bare.key.copy()};
    if (codes_.size() > 0) {
      attention::add_to_heads<S>(codes_, coded.query);
      attention::add_to_heads<S>(codes_, coded.key);
    }
    Array<S> input = attention::join_heads<S>(coded.query);
    // A scheme that leaves the scale out (T5) has it in its queries instead: content logits vary alike.
    const double missing = 1 / std::sqrt(static_cast<double>(K)) / scheme_.logit_scale();
    multiply(bare.query, missing);
    multiply(coded.query, missing);
    return {std::move(coded), std::move(bare), std::move(input)};
  }

  // Random tokens, or one at every place, through the norm and the projections of the network's first layer.
  LayerInputs<S> trained(Contents contents, Index number) const {
    const Index N = positions_.extent(0), D = scheme_.model().model_width;
    const Index drawn = contents == Contents::equal ? 1 : N;
    const base::Stream draws =
        input_.draws.contents(fmt::format("tokens of content {} of kind {}", number, static_cast<int>(contents)));
    const Array<S> tokens = network_->draw_tokens(draws, drawn);
    Array<S> stream{N, D};
    for (Index n = 0; n < N; ++n) std::copy_n(&tokens(n % drawn, 0), D, &stream(n, 0));
    Projected<S> bare = network_->project(stream);
    for (Index i = 0; i < codes_.size(); ++i) stream.data()[i] += codes_.data()[i];
    Projected<S> coded = network_->project(stream);
    return {{std::move(coded.query), std::move(coded.key)},
            {std::move(bare.query), std::move(bare.key)},
            std::move(coded.layer_input)};
  }

  void gather(View<const S> logits, View<const S> without, Index first, Tallies& all) const {
    const Index H = logits.shape[0], Nq = logits.shape[1], Nk = logits.shape[2];
    const std::size_t R = distances_.values().size();
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < Nq; ++i) {
        const Moved own{logits(h, i, first + i), without(h, i, first + i)};
        for (Index n = 0; n < (context_.causal ? first + i + 1 : Nk); ++n) {
          const Moved moved{logits(h, i, n), without(h, i, n)};
          all[static_cast<std::size_t>(h) * R + distances_.of(first + i, n)].add(moved.logit, change<S>(moved, own));
        }
      }
  }

  const ExperimentInput& input_;
  const host::Scheme& scheme_;
  const Distances& distances_;
  Array<double> positions_;  // [N, A]
  host::Context context_;
  host::Weights<S> weights_;
  Array<S> codes_;  // [N, D] or empty
  std::optional<GivenStack<S>> network_;
};

// The tallies of each of `count` contents.
template <class S>
std::vector<Tallies> gather(const ExperimentInput& input, attention::Offsets offsets, const Distances& distances,
                            Contents contents, Index count) {
  const Gathering<S> gathering(input, offsets, distances);
  std::vector<Tallies> of_contents(static_cast<std::size_t>(count));
  tbb::parallel_for(Index{0}, count, [&](Index number) {
    of_contents[static_cast<std::size_t>(number)] = gathering.tallies(contents, number);
  });
  return of_contents;
}

// [R]: of all heads together.
Tallies over_heads(const Tallies& of_heads, std::size_t R) {
  Tallies all(R);
  for (std::size_t i = 0; i < of_heads.size(); ++i) all[i % R].append(of_heads[i]);
  return all;
}

Curves curves(const Tallies& tallies) {
  Curves out;
  for (const Tally& tally : tallies) {
    out.mean.push_back(tally.mean());
    out.deviation.push_back(tally.deviation());
    out.change.push_back(tally.change());
  }
  return out;
}

}  // namespace

template <class S>
Profile profile(const ExperimentInput& input, attention::Offsets offsets, const Distances& distances, Contents contents,
                Index count) {
  const std::vector<Tallies> of_contents = gather<S>(input, offsets, distances, contents, count);
  const std::size_t R = distances.values().size();
  Profile out;
  Tallies of_heads(of_contents.front().size());
  for (const Tallies& one : of_contents) {
    for (std::size_t i = 0; i < one.size(); ++i) of_heads[i].append(one[i]);
    out.content_change.push_back(curves(over_heads(one, R)).change);
  }
  out.of_heads = curves(of_heads);
  out.all = curves(over_heads(of_heads, R));
  return out;
}

template Profile profile<float>(const ExperimentInput&, attention::Offsets, const Distances&, Contents, Index);
template Profile profile<double>(const ExperimentInput&, attention::Offsets, const Distances&, Contents, Index);

}  // namespace poslab::experiments::distance_profile
