// SPDX-License-Identifier: Apache-2.0
// The parts of relative-shift, one file each: contents that are moved, position scores that are, what an additive logit
// is made of, the linear map from one signature to the next, and the composition of two rotations.
// Dimension letters: C contents, N positions, M positions of the window, D model width, H heads, K head width.
#pragma once

#include <span>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/numerics/class_spread.hpp"

namespace poslab::experiments::relative_shift {

using base::Array;
using base::Index;
using base::View;

/// What every part is given.
template <class S>
struct Setting {
  const host::Scheme& scheme;
  host::Context context;  ///< of length N, whatever the positions are
  std::span<const View<const S>> weights;
  Index contents;                ///< C
  View<const double> positions;  ///< [N, A] of all tokens
  View<const double> window;     ///< [M, A]: those whose logits are compared
  bool is_plain;                 ///< 0 .. N - 1

  /// How many keys its mask shows to the m-th of `tokens` queries: they are the first ones. A scheme that serves both
  /// masks is looked at without one, since what is relative there is under a mask, too.
  Index keys_seen(Index m, Index tokens) const { return pairs() == numerics::Pairs::causal ? m + 1 : tokens; }
  numerics::Pairs pairs() const {
    return scheme.mask() == host::Mask::causal_only ? numerics::Pairs::causal : numerics::Pairs::all;
  }
};

/// Positions of the window, [M, A]: the first 64 of a sequence, the first corner of a grid with 8 x 8 or 4 x 4 x 4
/// cells; fewer where there are no more.
Array<double> window_of(View<const double> positions, const data::Placement& placement);

/// Random contents of a window, float64 draws rounded to S.
template <class S>
struct Contents {
  Array<S> query, key;  ///< [C, H, M, K]
};

/// How far logits move when all positions move together: along each axis alone, and along all axes at once. One number
/// a shift, NaN where the scheme has no such positions, or no finite numbers there.
struct ContentError {
  std::vector<double> largest;           ///< less the mean over the keys of a query, over the rms logit
  std::vector<double> root_mean_square;  ///< of what varies among the keys of a query, over the same of `added`
  double added = 0;                      ///< what the scheme adds to the content's logits, over these; both as above
};
template <class S>
ContentError content_error(const Setting<S>&, const Contents<S>&, const std::vector<double>& shifts);

/// How far logits under a causal mask move when the last token becomes another, over the rms logit: only a scheme with
/// `score` sees a token that is none of the pair.
template <class S>
double future_error(const Setting<S>&, const Contents<S>&);

/// What the logits of an additive scheme are made of: variances of <x, y>, <x, q> + <p, y> and <p, q> among the keys of
/// a query, over their sum.
struct Shares {
  double content = 0, cross = 0, position = 0;
};
template <class S>
Shares shares(const Setting<S>&, const Contents<S>&);

/// norm(phi(p + k) - M_k phi(p)) / norm(phi(p + k)) for each step k, along the axis where it is largest; empty where
/// fewer than 2 D positions can be fitted.
template <class S>
std::vector<double> linear_map_residuals(const Setting<S>&, const std::vector<double>& steps);

/// max norm(T_m^T T_n x - T_(n-m) x) / norm(x) over heads, contents, and some of the positions with m <= n on every
/// axis.
template <class S>
double composition_error(const Setting<S>&, const Contents<S>&);

/// How much the position score varies among pairs of one offset, of those that the scheme's mask may show.
struct PositionSpread {
  Array<double> offsets;       ///< [R, A], rising
  std::vector<double> spread;  ///< [R]; NaN where every pair is hidden
  double largest = 0, mean_square = 0;
  std::vector<numerics::Class> of_pair = {};  ///< [N N]: the number of each pair's offset; empty at 0 .. N - 1

  Index offset_of(Index m, Index n, Index N) const {
    return of_pair.empty() ? m - n + N - 1 : of_pair[static_cast<std::size_t>(m * N + n)];
  }
};
/// Up to so many tokens all pairs are looked at. Beyond, where both factors of a product are certified to rotate alike
/// (numerics/rotation.hpp), those of which one is among 64 tokens: all others differ from them by rounding.
inline constexpr Index all_pairs_up_to = 4096;
template <class S>
PositionSpread position_spread(const Setting<S>&);

/// At most so many tokens, spread evenly over all of them, both ends among them: their indices.
inline constexpr Index tokens_compared = 128;
std::vector<Index> some_tokens(Index N);

/// The largest spread once every query's score for its own token is subtracted, among the keys that it sees: what is
/// the same for all keys of a query, softmax cancels. Where all tokens have one score with themselves (up to
/// `rounding`), that is the largest of `along`; else of the queries at some_tokens with all keys.
template <class S>
double attended_spread(const Setting<S>&, const PositionSpread& along, double rounding);

/// How far the position score moves when all positions move together, less the mean over the keys of a query, at worst,
/// over its rms: one number a shift, NaN where the scheme has no such positions. Of some_tokens.
template <class S>
std::vector<double> position_error(const Setting<S>&, const std::vector<double>& shifts);

/// How many scores are made at once. Schemes that score, as Transformer-XL, may work out vectors for all offsets of a
/// call: for them few large calls are far cheaper than many small ones, for the others small ones stay near the cache.
Index scores_at_once(const host::Scheme& scheme);

}  // namespace poslab::experiments::relative_shift
