// SPDX-License-Identifier: Apache-2.0
// The position score of tokens, and of the same tokens moved together: what is relative gives the same.
// Dimension letters: N positions, M of them, A axes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "moves.hpp"
#include "parts.hpp"
#include "poslab/attention/position_score.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::relative_shift {
namespace {

Array<double> tokens_at(View<const double> positions) {
  const std::vector<Index> chosen = some_tokens(positions.shape[0]);
  Array<double> tokens{static_cast<Index>(chosen.size()), positions.shape[1]};
  for (std::size_t m = 0; m < chosen.size(); ++m)
    std::copy_n(&positions(chosen[m], 0), positions.shape[1], &tokens(static_cast<Index>(m), 0));
  return tokens;
}

template <class S>
Array<S> scores_at(const Setting<S>& setting, View<const double> tokens) {
  const attention::PositionScores<S> scores(setting.scheme, setting.context, tokens,
                                            {setting.weights.begin(), setting.weights.end()});
  Array<S> all{scores.heads(), tokens.shape[0], tokens.shape[0]};
  scores.rows(0, all);
  return all;
}

// The largest change of any score, less the mean over the keys that its query sees; NaN if one is no number.
template <class S>
double largest_change(const Setting<S>& setting, const Array<S>& moved, const Array<S>& unmoved) {
  const Index M = moved.extent(2);
  numerics::Moments largest;
  for (Index h = 0; h < moved.extent(0); ++h)
    for (Index m = 0; m < M; ++m) {
      numerics::Moments change;
      for (Index n = 0; n < setting.keys_seen(m, M); ++n)
        change.add(static_cast<double>(moved(h, m, n)) - static_cast<double>(unmoved(h, m, n)));
      largest.add(std::max(change.highest() - change.mean(), change.mean() - change.lowest()));
    }
  return std::isfinite(largest.mean()) ? largest.highest() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<Index> some_tokens(Index N) {
  const Index M = std::min(N, tokens_compared);
  std::vector<Index> chosen;
  for (Index m = 0; m < M; ++m) chosen.push_back(M == 1 ? 0 : m * (N - 1) / (M - 1));
  return chosen;
}

template <class S>
std::vector<double> position_error(const Setting<S>& setting, const std::vector<double>& shifts) {
  const Array<double> tokens = tokens_at(setting.positions);
  const Array<S> unmoved = scores_at(setting, tokens);
  numerics::Moments size;
  for (Index h = 0; h < unmoved.extent(0); ++h)
    for (Index m = 0; m < unmoved.extent(1); ++m)
      for (Index n = 0; n < setting.keys_seen(m, unmoved.extent(2)); ++n)
        size.add(static_cast<double>(unmoved(h, m, n)));
  std::vector<double> errors;
  for (const double shift : shifts) {
    const std::vector<Array<double>> all = served_moves(setting.scheme, tokens, shift);
    double worst = all.empty() ? std::numeric_limits<double>::quiet_NaN() : 0;
    for (const Array<double>& to : all) {
      const double change = largest_change(setting, scores_at(setting, to), unmoved);
      worst = std::isnan(change) ? change : std::max(worst, change);  // what is no number stays none
    }
    errors.push_back(std::isnan(worst) ? worst : numerics::ratio_or_zero(worst, size.root_mean_square()));
  }
  return errors;
}

template std::vector<double> position_error(const Setting<double>&, const std::vector<double>&);
template std::vector<double> position_error(const Setting<float>&, const std::vector<double>&);

}  // namespace poslab::experiments::relative_shift
