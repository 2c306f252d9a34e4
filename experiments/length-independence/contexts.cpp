// SPDX-License-Identifier: Apache-2.0
#include "contexts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/lengths.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments::length_independence {
namespace {

using attention::SignatureKind;

// Codes of several contexts: of the first columns softmax cancels what is the same in all rows.
template <class S>
struct Tables {
  std::vector<Array<S>> rows;
  Index cancelling = 0;
};

// What rounding may leave of numbers of this size that cancel.
template <class S>
double rounding_of(std::initializer_list<const Array<S>*> tables) {
  double largest = 0;
  for (const Array<S>* table : tables)
    for (const S x : table->flat()) largest = std::max(largest, std::abs(static_cast<double>(x)));
  return 64 * static_cast<double>(std::numeric_limits<S>::epsilon()) * largest;
}

// a - b|,|For the rows that both have: |a - b|,|a - b|, less the mean over rows in the first `cancelling` columns.
// Where that takes something away and rounding is all that is left, it is 0.
template <class S>
Change between(const Array<S>& a, const Array<S>& b, Index cancelling) {
  const Index rows = std::min(a.extent(0), b.extent(0)), W = a.extent(1);
  const auto apart = [&](Index row, Index c) {
    return static_cast<double>(a(row, c)) - static_cast<double>(b(row, c));
  };
  std::vector<double> mean(static_cast<std::size_t>(W), 0.0);
  for (Index c = 0; c < cancelling; ++c)
    for (Index row = 0; row < rows; ++row)
      mean[static_cast<std::size_t>(c)] += apart(row, c) / static_cast<double>(rows);
  Change change;
  for (Index row = 0; row < rows; ++row) {
    double squares = 0;
    for (Index c = 0; c < W; ++c) {
      const double left = apart(row, c) - mean[static_cast<std::size_t>(c)];
      squares += left * left;
    }
    change.moved.push_back(std::sqrt(squares));
  }
  const bool has_cancelled = std::any_of(mean.begin(), mean.end(), [](double x) { return x != 0; });
  if (has_cancelled && change.largest() <= rounding_of<S>({&a, &b}) * std::sqrt(static_cast<double>(W)))
    std::fill(change.moved.begin(), change.moved.end(), 0.0);
  return change;
}

template <class S>
double root_mean_square_norm(const Array<S>& rows, Index cancelling) {
  const Array<S> nothing{rows.extent(0), rows.extent(1)};
  return between(rows, nothing, cancelling).root_mean_square();
}

// phi of the first min(N, T) positions in the context of each T.
template <class S>
Tables<S> position_codes(const ExperimentInput& input, const std::vector<Index>& lengths, Index N,
                         const std::vector<base::View<const S>>& weights) {
  Tables<S> codes;
  for (const Index T : lengths) {
    const Array<double> positions = ExperimentInput::positions(0, std::min(N, T));
    codes.rows.push_back(attention::position_signatures<S>(input.scheme, {T, N, true}, positions, weights));
  }
  return codes;
}

// phi of the offsets 0, 1, ... of a query to the tokens before it. `at_end`: the query is the last of the T tokens;
// else it is at N - 1, or at the end where T is less.
template <class S>
Tables<S> offset_codes(const ExperimentInput& input, const std::vector<Index>& lengths, Index N, bool at_end,
                       const std::vector<base::View<const S>>& weights) {
  std::vector<attention::OffsetContext> contexts;
  for (const Index T : lengths) contexts.push_back({{T, N, true}, at_end ? T : std::min(N, T)});
  attention::OffsetSignatures<S> found =
      attention::offset_signatures<S>(input.scheme, contexts, attention::Offsets::causal, weights);
  return {std::move(found.rows), found.cancelling};
}

}  // namespace

double Change::largest() const { return *std::max_element(moved.begin(), moved.end()); }

double Change::root_mean_square() const {
  double squares = 0;
  for (const double distance : moved) squares += distance * distance;
  return std::sqrt(squares / static_cast<double>(moved.size()));
}

std::vector<Index> LengthIndependence::other_lengths() const {
  std::vector<Index> lengths;
  for (const double times : rising(multiple))
    lengths.push_back(static_cast<Index>(whole_share(times, static_cast<double>(length))));
  return lengths;
}

std::vector<Index> LengthIndependence::odd_lengths(const host::Scheme& scheme) const {
  const Index N = length;
  std::vector<Index> lengths =
      lengths_within(1, 2 * N + 1,
                     {last_prime(2, 3 * N / 4), drawn_length(N / 2 + 1, N - 2), N - 1, N + 1, N + 2,
                      last_prime(N + 1, 3 * N / 2 + 1), drawn_length(N + 3, 2 * N), 2 * N + 1});
  if (attention::natural_kind(scheme) == SignatureKind::offset)
    std::erase_if(lengths,
                  [&](Index T) { return scheme.why_not_positions(0, static_cast<double>(T - 1)).has_value(); });
  return lengths;
}

template <class S>
Changes changes(const LengthIndependence& at, const ExperimentInput& input) {
  const Index N = at.length;
  const bool of_offsets = attention::natural_kind(input.scheme) == SignatureKind::offset;
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<base::View<const S>> views = weights.layer(0);
  const std::vector<Index> multiple = at.other_lengths(), odd = at.odd_lengths(input.scheme);
  std::vector<Index> lengths{N};
  for (const std::vector<Index>* some : {&multiple, &odd}) lengths.insert(lengths.end(), some->begin(), some->end());
  const Tables<S> codes =
      of_offsets ? offset_codes<S>(input, lengths, N, true, views) : position_codes<S>(input, lengths, N, views);
  Changes found{root_mean_square_norm(codes.rows[0], codes.cancelling), {}, {}, {}};
  for (std::size_t i = 1; i < codes.rows.size(); ++i)
    (i <= multiple.size() ? found.by_context : found.odd)
        .push_back(between(codes.rows[i], codes.rows[0], codes.cancelling));
  if (!of_offsets) return found;
  lengths.resize(1 + multiple.size());
  const Tables<S> unmoved = offset_codes<S>(input, lengths, N, false, views);
  for (std::size_t i = 1; i < lengths.size(); ++i)
    found.at_same_place.push_back(lengths[i] < N
                                      ? std::numeric_limits<double>::quiet_NaN()
                                      : between(unmoved.rows[i], unmoved.rows[0], unmoved.cancelling).largest());
  return found;
}

template Changes changes<float>(const LengthIndependence&, const ExperimentInput&);
template Changes changes<double>(const LengthIndependence&, const ExperimentInput&);

}  // namespace poslab::experiments::length_independence
