// SPDX-License-Identifier: Apache-2.0
// The same contents at positions 0, 1, ... and at shift, shift + 1, ...: a relative scheme gives the same logits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "parts.hpp"
#include "poslab/attention/logits.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::relative_shift {
namespace {

// x [H, M, K] with e(p) [M, D] added, heads side by side in D; and the same as the layer's input [M, D].
template <class S>
void add_encoding(View<const S> encoding, View<S> x) {
  const Index H = x.shape[0], M = x.shape[1], K = x.shape[2];
  for (Index h = 0; h < H; ++h)
    for (Index m = 0; m < M; ++m)
      for (Index k = 0; k < K; ++k) x(h, m, k) += encoding(m, h * K + k);
}

template <class S>
Array<S> layer_input(View<const S> x) {
  const Index H = x.shape[0], M = x.shape[1], K = x.shape[2];
  Array<S> rows{M, H * K};
  for (Index h = 0; h < H; ++h)
    for (Index m = 0; m < M; ++m)
      for (Index k = 0; k < K; ++k) rows(m, h * K + k) = x(h, m, k);
  return rows;
}

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
      add_encoding<S>(encoding, q);
      add_encoding<S>(encoding, k);
    }
    const Array<S> input = layer_input<S>(q);
    const attention::Transformed<S> transformed =
        attention::transform<S>(setting.scheme, setting.context, positions, {q, k, input}, setting.weights);
    attention::logits<S>(setting.scheme, setting.context, positions, transformed, input, 0, setting.weights,
                         logits.view()[c]);
  }
  return logits;
}

// The window, moved along one axis, or along all of them where `axis` is A.
Array<double> moved_window(View<const double> window, double shift, Index axis) {
  const Index M = window.shape[0], A = window.shape[1];
  Array<double> moved{M, A};
  for (Index m = 0; m < M; ++m)
    for (Index a = 0; a < A; ++a) moved(m, a) = window(m, a) + (axis == A || axis == a ? shift : 0);
  return moved;
}

// Every move by `shift`: along each axis alone, and along all at once. One axis has one move.
std::vector<Array<double>> moves(View<const double> window, double shift) {
  const Index A = window.shape[1];
  std::vector<Array<double>> all;
  for (Index axis = A == 1 ? 1 : 0; axis <= A; ++axis) all.push_back(moved_window(window, shift, axis));
  return all;
}

bool serves(const host::Scheme& scheme, View<const double> positions) {
  const auto [lowest, highest] = std::minmax_element(positions.begin(), positions.end());
  if (!scheme.why_not_positions(*lowest, *highest).empty()) return false;
  return positions.shape[1] == 1 || why_not_served(scheme, positions).empty();
}

}  // namespace

template <class S>
ContentError content_error(const Setting<S>& setting, const Contents<S>& contents, const std::vector<double>& shifts) {
  const Array<S> unmoved = logits_at<S>(setting, contents, setting.window);
  numerics::Moments size;
  for (const S logit : unmoved.flat()) size.add(static_cast<double>(logit));
  ContentError error;
  for (const double shift : shifts) {
    const std::vector<Array<double>> windows = moves(setting.window, shift);
    if (!std::all_of(windows.begin(), windows.end(), [&](const auto& to) { return serves(setting.scheme, to); })) {
      error.largest.push_back(std::numeric_limits<double>::quiet_NaN());
      error.root_mean_square.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    numerics::Moments difference;
    for (const Array<double>& to : windows) {
      const Array<S> moved = logits_at<S>(setting, contents, to);
      for (Index i = 0; i < moved.size(); ++i)
        difference.add(static_cast<double>(moved.data()[i]) - static_cast<double>(unmoved.data()[i]));
    }
    error.largest.push_back(numerics::ratio_or_zero(difference.largest_magnitude(), size.root_mean_square()));
    error.root_mean_square.push_back(numerics::ratio_or_zero(difference.root_mean_square(), size.root_mean_square()));
  }
  return error;
}

template ContentError content_error(const Setting<double>&, const Contents<double>&, const std::vector<double>&);
template ContentError content_error(const Setting<float>&, const Contents<float>&, const std::vector<double>&);

}  // namespace poslab::experiments::relative_shift
