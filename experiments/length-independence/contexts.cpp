// SPDX-License-Identifier: Apache-2.0
#include "contexts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/attention/signatures.hpp"
#include "poslab/experiments/inner_axes.hpp"
#include "poslab/experiments/precision.hpp"

namespace poslab::experiments::length_independence {
namespace {

using attention::SignatureKind;

template <class S>
double distance(const Array<S>& a, const Array<S>& b, Index row) {
  double squares = 0;
  for (Index c = 0; c < a.extent(1); ++c) {
    const double difference = static_cast<double>(a(row, c)) - static_cast<double>(b(row, c));
    squares += difference * difference;
  }
  return std::sqrt(squares);
}

// Of the rows that both have.
template <class S>
Change between(const Array<S>& in_other, const Array<S>& in_trained) {
  Change change;
  for (Index row = 0; row < std::min(in_other.extent(0), in_trained.extent(0)); ++row)
    change.moved.push_back(distance(in_other, in_trained, row));
  return change;
}

template <class S>
double root_mean_square_norm(const Array<S>& rows) {
  const Array<S> nothing{rows.extent(0), rows.extent(1)};
  return between(rows, nothing).root_mean_square();
}

// phi of the first min(N, T) positions in the context of each T.
template <class S>
std::vector<Array<S>> position_codes(const ExperimentInput& input, const std::vector<Index>& lengths, Index N,
                                     const std::vector<base::View<const S>>& weights) {
  std::vector<Array<S>> codes;
  for (const Index T : lengths) {
    const Array<double> positions = ExperimentInput::positions(0, std::min(N, T));
    codes.push_back(attention::position_signatures<S>(input.scheme, {T, N, true}, positions, weights));
  }
  return codes;
}

// phi of the offsets 0, 1, ... of a query to the tokens before it. `at_end`: the query is the last of the T tokens;
// else it is at N - 1, or at the end where T is less.
template <class S>
std::vector<Array<S>> offset_codes(const ExperimentInput& input, const std::vector<Index>& lengths, Index N,
                                   bool at_end, const std::vector<base::View<const S>>& weights) {
  std::vector<attention::OffsetContext> contexts;
  for (const Index T : lengths) contexts.push_back({{T, N, true}, at_end ? T : std::min(N, T)});
  return attention::offset_signatures<S>(input.scheme, contexts, attention::Offsets::causal, weights);
}

}  // namespace

double Change::largest() const { return *std::max_element(moved.begin(), moved.end()); }

double Change::root_mean_square() const {
  double squares = 0;
  for (const double distance : moved) squares += distance * distance;
  return std::sqrt(squares / static_cast<double>(moved.size()));
}

std::vector<double> multiples(const data::Values& axes) { return rising(axes.list("multiple")); }

std::vector<Index> other_lengths(const data::Values& axes) {
  const double N = axes.real("length");
  std::vector<Index> lengths;
  for (const double multiple : multiples(axes)) lengths.push_back(static_cast<Index>(whole_share(multiple, N)));
  return lengths;
}

template <class S>
Changes changes(const ExperimentInput& input) {
  const Index N = input.axes.integer("length");
  const bool of_offsets = attention::natural_kind(input.scheme) == SignatureKind::offset;
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<base::View<const S>> views = weights.of_layer(0);
  std::vector<Index> lengths = other_lengths(input.axes);
  lengths.insert(lengths.begin(), N);
  const std::vector<Array<S>> codes =
      of_offsets ? offset_codes<S>(input, lengths, N, true, views) : position_codes<S>(input, lengths, N, views);
  Changes found{root_mean_square_norm(codes[0]), {}, {}};
  for (std::size_t i = 1; i < codes.size(); ++i) found.by_context.push_back(between(codes[i], codes[0]));
  if (!of_offsets) return found;
  const std::vector<Array<S>> unmoved = offset_codes<S>(input, lengths, N, false, views);
  for (std::size_t i = 1; i < unmoved.size(); ++i)
    found.at_same_place.push_back(lengths[i] < N ? std::numeric_limits<double>::quiet_NaN()
                                                 : between(unmoved[i], unmoved[0]).largest());
  return found;
}

template Changes changes<float>(const ExperimentInput&);
template Changes changes<double>(const ExperimentInput&);

}  // namespace poslab::experiments::length_independence
