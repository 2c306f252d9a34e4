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

// Spread evenly over all tokens, both ends among them: every distance of the sequence, or one near it, is there.
Array<double> some_tokens(View<const double> positions) {
  const Index N = positions.shape[0], A = positions.shape[1], M = std::min(N, tokens_compared);
  Array<double> chosen{M, A};
  for (Index m = 0; m < M; ++m) std::copy_n(&positions(M == 1 ? 0 : m * (N - 1) / (M - 1), 0), A, &chosen(m, 0));
  return chosen;
}

template <class S>
Array<S> scores_at(const Setting<S>& setting, View<const double> tokens) {
  const attention::PositionScores<S> scores(setting.scheme, setting.context, tokens,
                                            {setting.weights.begin(), setting.weights.end()});
  Array<S> all{scores.heads(), tokens.shape[0], tokens.shape[0]};
  scores.rows(0, all);
  return all;
}

}  // namespace

template <class S>
std::vector<double> position_error(const Setting<S>& setting, const std::vector<double>& shifts) {
  const Array<double> tokens = some_tokens(setting.positions);
  const Array<S> unmoved = scores_at(setting, tokens);
  numerics::Moments size;
  for (const S score : unmoved.flat()) size.add(static_cast<double>(score));
  std::vector<double> errors;
  for (const double shift : shifts) {
    numerics::Moments change;
    for (const Array<double>& to : served_moves(setting.scheme, tokens, shift)) {
      const Array<S> moved = scores_at(setting, to);
      for (Index i = 0; i < moved.size(); ++i)
        change.add(static_cast<double>(moved.data()[i]) - static_cast<double>(unmoved.data()[i]));
    }
    errors.push_back(change.count() > 0 && std::isfinite(change.root_mean_square())
                         ? numerics::ratio_or_zero(change.largest_magnitude(), size.root_mean_square())
                         : std::numeric_limits<double>::quiet_NaN());
  }
  return errors;
}

template std::vector<double> position_error(const Setting<double>&, const std::vector<double>&);
template std::vector<double> position_error(const Setting<float>&, const std::vector<double>&);

}  // namespace poslab::experiments::relative_shift
