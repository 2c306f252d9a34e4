// SPDX-License-Identifier: Apache-2.0
// The same contents at positions 0, 1, ... and at shift, shift + 1, ...: a relative scheme gives the same logits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "moves.hpp"
#include "parts.hpp"
#include "poslab/attention/heads.hpp"
#include "poslab/attention/logits.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::relative_shift {
namespace {

// Unmasked logits [C, H, M, M] of all contents at `positions` [M, A].
template <class S>
Array<S> logits_at(const Setting<S>& setting, const Contents<S>& contents, View<const double> positions) {
  const Index C = setting.contents, H = contents.query.extent(1), M = contents.query.extent(2),
              D = H * contents.query.extent(3);
  Array<S> encoding{M, D};
  const bool encodes = setting.scheme.has(host::Operation::encode);
  if (encodes) setting.scheme.template encode<S>(setting.context, positions, setting.weights, encoding);
  Array<S> logits{C, H, M, M}, query = contents.query.copy(), key = contents.key.copy();
  for (Index c = 0; c < C; ++c) {
    const View<S> q = query.view()[c], k = key.view()[c];
    if (encodes) {
      attention::add_to_heads<S>(encoding, q);
      attention::add_to_heads<S>(encoding, k);
    }
    const Array<S> input = attention::join_heads<S>(q);
    const attention::Transformed<S> transformed =
        attention::transform<S>(setting.scheme, setting.context, positions, {q, k, input}, setting.weights);
    attention::logits<S>(setting.scheme, setting.context, positions, transformed, input, 0, setting.weights,
                         logits.view()[c]);
  }
  return logits;
}

// scale <x, y>: the logits [C, H, M, M] of the same contents without positions.
template <class S>
Array<S> content_logits(const Setting<S>& setting, const Contents<S>& contents) {
  const Index C = setting.contents, H = contents.query.extent(1), M = contents.query.extent(2);
  Array<S> logits{C, H, M, M};
  for (Index c = 0; c < C; ++c)
    attention::scaled_products<S>(contents.query.view()[c], contents.key.view()[c], setting.scheme.logit_scale(),
                                  logits.view()[c]);
  return logits;
}

// Differences of logits, rows of M keys each: all of them, and what of them varies among the keys of a query.
struct Differences {
  double largest = 0, squares = 0, count = 0, variances = 0, rows = 0;

  // Not inlined: in a function as large as its callers, GCC 12 keeps the sums in memory, which takes three times as
  // long.
  template <class S>
  [[gnu::noinline]] void add(const Array<S>& a, const Array<S>& b) {
    const Index M = a.extent(3);
    const auto at = [&](Index i) { return static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i]); };
    double most = largest, all_squares = squares;  // members could be among a and b, for all that the compiler knows
    for (Index row = 0; row < a.size(); row += M) {
      double sum = 0, deviations = 0;
      for (Index i = row; i < row + M; ++i) {
        sum += at(i);
        all_squares += at(i) * at(i);
        most = std::max(most, std::abs(at(i)));
      }
      for (Index i = row; i < row + M; ++i)
        deviations += (at(i) - sum / static_cast<double>(M)) * (at(i) - sum / static_cast<double>(M));
      variances += deviations / static_cast<double>(M);
      count += static_cast<double>(M);
      rows += 1;
    }
    largest = most, squares = all_squares;
  }
  double root_mean_square() const { return std::sqrt(squares / count); }
  double over_keys() const { return std::sqrt(variances / rows); }
};

template <class S>
Differences between(const Array<S>& a, const Array<S>& b) {
  Differences differences;
  differences.add(a, b);
  return differences;
}

}  // namespace

template <class S>
ContentError content_error(const Setting<S>& setting, const Contents<S>& contents, const std::vector<double>& shifts) {
  const Array<S> unmoved = logits_at<S>(setting, contents, setting.window), without = content_logits(setting, contents);
  const Array<S> nothing{setting.contents, unmoved.extent(1), unmoved.extent(2), unmoved.extent(3)};
  const double size = between(unmoved, nothing).root_mean_square(), added = between(unmoved, without).over_keys();
  ContentError error;
  error.added = numerics::ratio_or_zero(added, between(without, nothing).over_keys());
  for (const double shift : shifts) {
    Differences change;
    for (const Array<double>& to : served_moves(setting.scheme, setting.window, shift))
      change.add(logits_at<S>(setting, contents, to), unmoved);
    const bool is_measured = change.rows > 0 && std::isfinite(change.squares);
    const double none = std::numeric_limits<double>::quiet_NaN();
    error.largest.push_back(is_measured ? numerics::ratio_or_zero(change.largest, size) : none);
    error.root_mean_square.push_back(is_measured ? numerics::ratio_or_zero(change.over_keys(), added) : none);
  }
  return error;
}

template ContentError content_error(const Setting<double>&, const Contents<double>&, const std::vector<double>&);
template ContentError content_error(const Setting<float>&, const Contents<float>&, const std::vector<double>&);

}  // namespace poslab::experiments::relative_shift
