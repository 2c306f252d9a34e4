// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N tokens, H heads, C contents, D model width, R distances.
#include "order-inversion.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>

#include "contents.hpp"
#include "inversion.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/mean_and_error.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments {
namespace order_inversion {

Axes<OrderInversion> OrderInversion::axes() {
  return {
      {&OrderInversion::length, length_axis()},
      {&OrderInversion::contents, contents_axis()},
      {&OrderInversion::distance,
       {.name = "distance",
        .default_value = {0, 1, 4, 16, 64, 256},
        .range = {.lowest = 0},
        .unit = "position",
        .sentence = "r: how far the nearer key lies before the query; a whole number below N"}},
      {&OrderInversion::dtype, dtype_axis()},
  };
}

namespace {

using Policy = data::Placement::Policy;
using Heads = std::vector<std::vector<double>>;

// That of the head with the largest logit.
double slack_of_heads(const Heads& heads, Dtype dtype) {
  double slack = 0;
  for (const std::vector<double>& logits : heads) slack = std::max(slack, slack_of(logits, dtype));
  return slack;
}

// [R]: of one content, over its heads.
std::vector<double> inversions(const Heads& heads, const std::vector<double>& distances, double slack) {
  std::vector<double> shares;
  for (const double distance : distances) {
    double sum = 0;
    for (const std::vector<double>& logits : heads) sum += inversion(logits, static_cast<std::size_t>(distance), slack);
    shares.push_back(sum / static_cast<double>(heads.size()));
  }
  return shares;
}

std::vector<double> flips(const Heads& of_a, const Heads& of_b, const std::vector<double>& distances, double slack) {
  std::vector<double> shares;
  for (const double distance : distances) {
    double sum = 0;
    for (std::size_t h = 0; h < of_a.size(); ++h)
      sum += flip(of_a[h], of_b[h], static_cast<std::size_t>(distance), slack);
    shares.push_back(sum / static_cast<double>(of_a.size()));
  }
  return shares;
}

// [C][R] -> mean and standard error over contents.
void record_shares(const Measure<Distance>& mean, const Measure<Distance>& error,
                   const std::vector<std::vector<double>>& of_contents, Output& out) {
  std::vector<double> means, errors;
  for (std::size_t r = 0; r < of_contents.front().size(); ++r) {
    std::vector<double> values;
    for (const std::vector<double>& one : of_contents) values.push_back(one[r]);
    const data::MeanAndError found = data::mean_and_error(values);
    means.push_back(found.mean);
    // One content says nothing of the others.
    errors.push_back(values.size() < 2 ? std::numeric_limits<double>::quiet_NaN() : found.error);
  }
  out.set(mean, means);
  out.set(error, errors);
}

// Keys of one kind, and their measures.
struct Kind {
  Keys keys;
  const Measure<Distance>&inversion, &error;
};

template <class S>
void measure(const OrderInversion& at, const ExperimentInput& input, Output& out) {
  const std::vector<double> distances = rising(at.distance);
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.layer(0);
  const Array<double> positions = input.positions(at.length);
  out.coordinate<Distance>(distances);
  const Kind kinds[] = {{Keys::random, OrderInversion::inversion_random, OrderInversion::inversion_random_error},
                        {Keys::moved, OrderInversion::inversion_moved, OrderInversion::inversion_moved_error},
                        {Keys::equal, OrderInversion::inversion_equal, OrderInversion::inversion_equal_error}};
  for (const auto& [keys, inversion, error] : kinds) {
    std::vector<std::vector<double>> of_contents(static_cast<std::size_t>(at.contents)), flipped = of_contents;
    tbb::parallel_for(Index{0}, at.contents, [&, keys = keys](Index c) {
      const Heads heads = logits_by_distance<S>(input, positions, views, keys, c);
      const double slack = slack_of_heads(heads, at.dtype);
      of_contents[static_cast<std::size_t>(c)] = inversions(heads, distances, slack);
      if (keys != Keys::moved) return;
      const Heads other = logits_by_distance<S>(input, positions, views, keys, c, "other ");
      flipped[static_cast<std::size_t>(c)] =
          flips(heads, other, distances, std::max(slack, slack_of_heads(other, at.dtype)));
    });
    record_shares(inversion, error, of_contents, out);
    if (keys == Keys::moved)
      record_shares(OrderInversion::relevance_flip, OrderInversion::relevance_flip_error, flipped, out);
  }
}

}  // namespace

void OrderInversion::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { measure<S>(*this, input, out); });
}

std::optional<base::Refusal> OrderInversion::why_skip(const Setting& of) const {
  const host::Scheme& scheme = of.scheme;
  const data::Placement& placement = of.placement;
  const Index N = length;
  if (placement.policy != Policy::plain && placement.policy != Policy::shifted)
    return fmt::format("positions = {} give keys no distances 0, 1, 2 ... of which one is the farther",
                       placement.text());
  if (N < 2)
    return fmt::format("length = {} has no two keys, of which one could be the farther: it needs at least 2", N);
  if (auto refusal = why_not_whole(distance, "distance", "positions")) return refusal;
  if (rising(distance).front() > static_cast<double>(N - 2))
    return fmt::format("no key is farther than the least distance {}: with length = {} the farthest lies at {}",
                       base::shortest(rising(distance).front()), N, N - 1);
  if (auto refusal = why_not_finite(scheme, "which of its logits is higher means nothing")) return refusal;
  return of.why_not_attended(true, N);
}

// A content, as coded, and the logits of its last query, in two courses.
data::Estimate OrderInversion::estimate(const Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto [N, C, R] = reckoned(length, contents, distance.size());
  const double courses = 4, random_keys = N * needs.D;
  return {at_once(C) * (needs.bytes * (4 * N * needs.D + needs.coded(N)) + 16 * needs.H * N),
          C * (courses * (needs.code(N) + needs.attend(N) + (20 + R) * needs.H * N) + needs.draw(random_keys))};
}

}  // namespace order_inversion

Experiment make_order_inversion() { return experiment_of<order_inversion::OrderInversion>(); }

}  // namespace poslab::experiments
