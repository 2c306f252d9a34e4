// SPDX-License-Identifier: Apache-2.0
#include "spread.hpp"

#include <cmath>
#include <cstdlib>

namespace poslab::experiments::content_independence {

// Named, as lambdas of the templates below hold it.
struct MeanSquare {
  double squares = 0, count = 0;
  void add(double x) { squares += x * x, count += 1; }
  double root() const { return count > 0 ? std::sqrt(squares / count) : 0; }
};

namespace {

// visit(index, offset) for every head and pair that the mask shows; `index` in an array [H, N, N].
template <class Visit>
void for_each_pair(Index H, Index N, bool causal, const Visit& visit) {
  for (Index h = 0; h < H; ++h)
    for (Index m = 0; m < N; ++m)
      for (Index n = 0; n < (causal ? m + 1 : N); ++n) visit((h * N + m) * N + n, m - n);
}

template <class S>
Array<S> sum(const Array<S>& a, const Array<S>& b) {
  Array<S> both = a.copy();
  for (Index i = 0; i < both.size(); ++i) both.data()[i] += b.data()[i];
  return both;
}

template <class S>
Array<S> nothing_like(const Array<S>& a) {
  return Array<S>{a.extent(0), a.extent(1)};
}

// c(both) - c(one) - c(other) + c(neither): 0 where c is linear plus a constant.
template <class S>
void add_second_difference(const Setting<S>& setting, const Contents<S> (&four)[4], bool causal, MeanSquare& total) {
  std::vector<Array<S>> added;
  for (const Contents<S>& contents : four) added.push_back(logits(setting, contents).added);
  const auto at = [&](int which, Index i) {
    return static_cast<double>(added[static_cast<std::size_t>(which)].data()[i]);
  };
  for_each_pair(added[0].extent(0), added[0].extent(1), causal,
                [&](Index i, Index) { total.add(at(0, i) - at(1, i) - at(2, i) + at(3, i)); });
}

}  // namespace

template <class S>
Spread spread(const Setting<S>& setting, const std::vector<Contents<S>>& contents, bool causal) {
  const Index N = setting.positions.extent(0), H = setting.scheme.model().heads;
  Array<double> mean{H, N, N}, deviations{H, N, N};  // Welford 1962, over contents
  MeanSquare logit_size, size;
  double count = 0;
  for (const Contents<S>& content : contents) {
    const Logits<S> found = logits(setting, content);
    count += 1;
    for_each_pair(H, N, causal, [&](Index i, Index) {
      const auto added = static_cast<double>(found.added.data()[i]);
      logit_size.add(static_cast<double>(found.with_scheme.data()[i]));
      size.add(added);
      const double from_old_mean = added - mean.data()[i];
      mean.data()[i] += from_old_mean / count;
      deviations.data()[i] += from_old_mean * (added - mean.data()[i]);
    });
  }
  MeanSquare all;
  std::vector<MeanSquare> by_offset(static_cast<std::size_t>(N));
  for_each_pair(H, N, causal, [&](Index i, Index offset) {
    const double deviation = std::sqrt(deviations.data()[i] / (count - 1));
    all.add(deviation);
    by_offset[static_cast<std::size_t>(std::abs(offset))].add(deviation);
  });
  Spread result{logit_size.root(), size.root(), all.root(), {}};
  for (const MeanSquare& at_offset : by_offset) result.by_offset.push_back(at_offset.root());
  return result;
}

template <class S>
double curvature(const Setting<S>& setting, const std::vector<Contents<S>>& contents, bool causal) {
  MeanSquare total;
  for (std::size_t c = 0; c + 1 < contents.size(); c += 2) {
    const auto& [x, y] = contents[c];
    const auto& [other_x, other_y] = contents[c + 1];
    const Contents<S> of_queries[] = {
        {sum(x, other_x), y.copy()}, {x.copy(), y.copy()}, {other_x.copy(), y.copy()}, {nothing_like(x), y.copy()}};
    const Contents<S> of_keys[] = {
        {x.copy(), sum(y, other_y)}, {x.copy(), y.copy()}, {x.copy(), other_y.copy()}, {x.copy(), nothing_like(y)}};
    add_second_difference(setting, of_queries, causal, total);
    add_second_difference(setting, of_keys, causal, total);
  }
  return total.root();
}

#define POSLAB_FOR(S)                                                               \
  template Spread spread(const Setting<S>&, const std::vector<Contents<S>>&, bool); \
  template double curvature(const Setting<S>&, const std::vector<Contents<S>>&, bool);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments::content_independence
