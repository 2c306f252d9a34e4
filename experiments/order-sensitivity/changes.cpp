// SPDX-License-Identifier: Apache-2.0
#include "changes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::order_sensitivity {
namespace {

template <class S>
double squares_between(const S* a, const S* b, Index D) {
  double sum = 0;
  for (Index c = 0; c < D; ++c) {
    const double apart = static_cast<double>(a[c]) - static_cast<double>(b[c]);
    sum += apart * apart;
  }
  return sum;
}

template <class S>
double written_at_last(View<const S> stream, View<const S> input) {
  const Index N = input.shape[0];
  return squares_between(&stream(0, N - 1, 0), &input(N - 1, 0), input.shape[1]);
}

}  // namespace

template <class S>
std::vector<double> last_token_changes(View<const S> stream, View<const S> input) {
  const Index N = input.shape[0], D = input.shape[1];
  const double written = written_at_last(stream, input);
  std::vector<double> changes;
  for (Index b = 0; b < stream.shape[0]; ++b) {
    const double apart = squares_between(&stream(b, N - 1, 0), &stream(0, N - 1, 0), D);
    changes.push_back(std::sqrt(numerics::ratio_or_zero(apart, written)));
  }
  return changes;
}

template <class S>
double equivariance_error(View<const S> stream, View<const S> input, Index first, const std::vector<Order>& orders) {
  const Index N = input.shape[0], D = input.shape[1];
  const double written = squares_between(stream.data, input.data, N * D);
  double worst = 0;
  for (std::size_t s = 0; s < orders.size(); ++s) {
    double apart = 0;
    for (Index i = 0; i < N; ++i)
      apart += squares_between(&stream(first + static_cast<Index>(s), i, 0),
                               &stream(0, orders[s][static_cast<std::size_t>(i)], 0), D);
    worst = std::max(worst, std::sqrt(numerics::ratio_or_zero(apart, written)));
  }
  return worst;
}

template <class S>
Kinds kinds_of_last_token(View<const S> stream, View<const S> input, double equal) {
  const auto B = static_cast<std::size_t>(stream.shape[0]);
  const Index N = input.shape[0], D = input.shape[1];
  const double written = written_at_last(stream, input);
  std::vector<std::size_t> kind(B);
  std::iota(kind.begin(), kind.end(), std::size_t{0});
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < B; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const S *ya = &stream(static_cast<Index>(a), N - 1, 0), *yb = &stream(static_cast<Index>(b), N - 1, 0);
      const double apart = std::sqrt(numerics::ratio_or_zero(squares_between(ya, yb, D), written));
      least = std::min(least, apart);
      if (apart <= equal) std::replace(kind.begin(), kind.end(), std::size_t{kind[a]}, std::size_t{kind[b]});
    }
  std::sort(kind.begin(), kind.end());
  const auto count = std::unique(kind.begin(), kind.end()) - kind.begin();
  return {static_cast<Index>(count), B > 1 ? least : 0};
}

#define POSLAB_FOR(S)                                                                                    \
  template std::vector<double> last_token_changes<S>(View<const S>, View<const S>);                      \
  template double equivariance_error<S>(View<const S>, View<const S>, Index, const std::vector<Order>&); \
  template Kinds kinds_of_last_token<S>(View<const S>, View<const S>, double);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments::order_sensitivity
