// SPDX-License-Identifier: Apache-2.0
// T_m^T T_n = T_(n-m): what makes the logits of a transform relative, <T_m x, T_n y> = <x, T_(n-m) y>. Where values are
// transformed and keys are not, what rotates back is T_m of outputs.
#include <algorithm>
#include <cmath>

#include "parts.hpp"
#include "poslab/attention/signatures.hpp"

namespace poslab::experiments::relative_shift {
namespace {

// At most 32 of the positions, spread evenly, both ends among them.
std::vector<Index> spread_out(Index positions) {
  const Index count = std::min<Index>(32, positions);
  std::vector<Index> out;
  for (Index i = 0; i < count; ++i) out.push_back(count == 1 ? 0 : i * (positions - 1) / (count - 1));
  return out;
}

// Those of `among` that lie at m or beyond it on every axis: what is between is then a position, too.
std::vector<Index> not_before(View<const double> positions, Index m, const std::vector<Index>& among) {
  std::vector<Index> found;
  for (const Index n : among) {
    bool beyond = true;
    for (Index axis = 0; axis < positions.shape[1]; ++axis) beyond &= positions(n, axis) >= positions(m, axis);
    if (beyond) found.push_back(n);
  }
  return found;
}

// x [H, R C, K]: the first vector of every content, once for each of R positions.
template <class S>
Array<S> repeated(const Contents<S>& contents, Index R) {
  const Index C = contents.query.extent(0), H = contents.query.extent(1), K = contents.query.extent(3);
  Array<S> x{H, R * C, K};
  for (Index h = 0; h < H; ++h)
    for (Index row = 0; row < R * C; ++row) std::copy_n(&contents.query.view()[row % C](h, 0, 0), K, &x(h, row, 0));
  return x;
}

template <class S>
double norm(const S* x, const S* y, Index width) {  // |x - y|; |x| where y is null
  double squares = 0;
  for (Index k = 0; k < width; ++k) {
    const double difference = static_cast<double>(x[k]) - (y ? static_cast<double>(y[k]) : 0.0);
    squares += difference * difference;
  }
  return std::sqrt(squares);
}

}  // namespace

template <class S>
double composition_error(const Setting<S>& setting, const Contents<S>& contents) {
  const auto& [scheme, context, weights, C, positions, window, is_plain] = setting;
  const Index A = positions.shape[1];
  const host::Side side = attention::coded_side(scheme);
  const std::vector<Index> chosen = spread_out(positions.shape[0]);
  double worst = 0;
  for (const Index m : chosen) {
    const std::vector<Index> beyond = not_before(positions, m, chosen);
    const Index R = static_cast<Index>(beyond.size());
    Array<double> at_m{R * C, A}, at_n{R * C, A}, apart{R * C, A};
    for (Index row = 0; row < R * C; ++row)
      for (Index axis = 0; axis < A; ++axis) {
        at_m(row, axis) = positions(m, axis);
        at_n(row, axis) = positions(beyond[static_cast<std::size_t>(row / C)], axis);
        apart(row, axis) = at_n(row, axis) - at_m(row, axis);
      }
    const Array<S> x = repeated(contents, R);
    Array<S> there_and_back = x.copy(), at_once = x.copy();
    scheme.template transform<S>(context, side, at_n, weights, there_and_back);
    if (side == host::Side::value)
      scheme.template transform<S>(context, host::Side::output, at_m, weights, there_and_back);
    else
      scheme.template transform_gradient<S>(context, host::Side::query, at_m, weights, there_and_back, {});
    scheme.template transform<S>(context, side, apart, weights, at_once);
    const Index K = x.extent(2);
    for (Index row = 0; row < x.size(); row += K) {
      const double size = norm<S>(x.data() + row, nullptr, K);
      worst = std::max(worst, norm(there_and_back.data() + row, at_once.data() + row, K) / size);
    }
  }
  return worst;
}

template double composition_error(const Setting<double>&, const Contents<double>&);
template double composition_error(const Setting<float>&, const Contents<float>&);

}  // namespace poslab::experiments::relative_shift
