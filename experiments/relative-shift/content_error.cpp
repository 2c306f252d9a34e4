// SPDX-License-Identifier: Apache-2.0
// The same contents at positions 0, 1, ... and at shift, shift + 1, ...: a relative scheme gives the same logits. And
// the same positions with another last token, which a causal mask hides from all queries before it.
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

// Differences of logits, rows of M keys each, of which a query sees the first ones: what of them varies among the keys
// of a query. What does not, softmax cancels.
struct Differences {
  double largest = 0, squares = 0, count = 0, variances = 0, rows = 0, largest_logit = 0;

  // Not inlined: in a function as large as its callers, GCC 12 keeps the sums in memory, which takes three times as
  // long.
  template <class S>
  [[gnu::noinline]] void add(const Setting<S>& setting, const Array<S>& a, const Array<S>& b) {
    const Index M = a.extent(3), queries = a.extent(2);
    const auto at = [&](Index i) { return static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i]); };
    double most = largest, size = largest_logit;  // members could be among a and b, for all that the compiler knows
    for (Index row = 0; row < a.size(); row += M) {
      const Index end = row + setting.keys_seen(row / M % queries, M);
      double sum = 0, deviations = 0;
      for (Index i = row; i < end; ++i) {
        sum += at(i);
        squares += at(i) * at(i);
        size = std::max({size, std::abs(static_cast<double>(a.data()[i])), std::abs(static_cast<double>(b.data()[i]))});
      }
      const double mean = sum / static_cast<double>(end - row);
      for (Index i = row; i < end; ++i) {
        deviations += (at(i) - mean) * (at(i) - mean);
        most = std::max(most, std::abs(at(i) - mean));
      }
      variances += deviations / static_cast<double>(end - row);
      count += static_cast<double>(end - row);
      rows += 1;
    }
    largest = most, largest_logit = size;
  }
  double root_mean_square() const { return std::sqrt(squares / count); }
  /// 0 where it is no more than some roundings of the logits: a share of rounding means nothing.
  template <class S>
  double over_keys() const {
    const double spread = std::sqrt(variances / rows);
    return spread <= 64 * static_cast<double>(std::numeric_limits<S>::epsilon()) * largest_logit ? 0 : spread;
  }
};

template <class S>
Differences between(const Setting<S>& setting, const Array<S>& a, const Array<S>& b) {
  Differences differences;
  differences.add(setting, a, b);
  return differences;
}

// The last token has the first one's content.
template <class S>
Contents<S> with_another_end(const Contents<S>& contents) {
  Contents<S> other{contents.query.copy(), contents.key.copy()};
  const Index M = other.query.extent(2), K = other.query.extent(3);
  for (Array<S>* of_side : {&other.query, &other.key})
    for (Index first = 0; first < of_side->size(); first += M * K)
      std::copy_n(of_side->data() + first, K, of_side->data() + first + (M - 1) * K);
  return other;
}

}  // namespace

template <class S>
double future_error(const Setting<S>& setting, const Contents<S>& contents) {
  const Index C = setting.contents, H = contents.query.extent(1), M = contents.query.extent(2);
  const Array<S> now = logits_at<S>(setting, contents, setting.window),
                 other = logits_at<S>(setting, with_another_end(contents), setting.window);
  double largest = 0;
  numerics::Moments size;
  for (Index row = 0; row < C * H * M; ++row) {
    const Index m = row % M;
    numerics::Moments change;
    for (Index n = 0; n <= m; ++n) {
      const auto logit = static_cast<double>(now.data()[row * M + n]);
      size.add(logit);
      change.add(static_cast<double>(other.data()[row * M + n]) - logit);
    }
    if (m + 1 == M) continue;  // the last query is another one
    largest = std::max({largest, change.highest() - change.mean(), change.mean() - change.lowest()});
  }
  return numerics::ratio_or_zero(largest, size.root_mean_square());
}

template <class S>
ContentError content_error(const Setting<S>& setting, const Contents<S>& contents, const std::vector<double>& shifts) {
  const Array<S> unmoved = logits_at<S>(setting, contents, setting.window), without = content_logits(setting, contents);
  const Array<S> nothing{setting.contents, unmoved.extent(1), unmoved.extent(2), unmoved.extent(3)};
  const double size = between(setting, unmoved, nothing).root_mean_square(),
               added = between(setting, unmoved, without).template over_keys<S>();
  ContentError error;
  error.added = numerics::ratio_or_zero(added, between(setting, without, nothing).template over_keys<S>());
  for (const double shift : shifts) {
    Differences change;
    for (const Array<double>& to : served_moves(setting.scheme, setting.window, shift))
      change.add(setting, logits_at<S>(setting, contents, to), unmoved);
    const bool is_measured = change.rows > 0 && std::isfinite(change.squares);
    const double none = std::numeric_limits<double>::quiet_NaN();
    error.largest.push_back(is_measured ? numerics::ratio_or_zero(change.largest, size) : none);
    error.root_mean_square.push_back(is_measured ? numerics::ratio_or_zero(change.over_keys<S>(), added) : none);
  }
  return error;
}

template ContentError content_error(const Setting<double>&, const Contents<double>&, const std::vector<double>&);
template ContentError content_error(const Setting<float>&, const Contents<float>&, const std::vector<double>&);
template double future_error(const Setting<double>&, const Contents<double>&);
template double future_error(const Setting<float>&, const Contents<float>&);

}  // namespace poslab::experiments::relative_shift
