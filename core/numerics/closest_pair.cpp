// SPDX-License-Identifier: Apache-2.0
// Equal rows are put aside, bounds rule out nearly all pairs of the others, and what is left is measured in full.
#include "poslab/numerics/closest_pair.hpp"

#include <cmath>
#include <utility>

#include "survey.hpp"

namespace poslab::numerics {
namespace {

// No square overflows, so that a row whose distances do collides with none.
template <class S>
double norm(const S* row, Index W) {
  double largest = 0, squares = 0;
  for (Index c = 0; c < W; ++c) largest = std::max(largest, std::abs(static_cast<double>(row[c])));
  if (largest == 0) return 0;
  for (Index c = 0; c < W; ++c) squares += std::pow(static_cast<double>(row[c]) / largest, 2);
  return largest * std::sqrt(squares);
}

template <class S>
std::vector<const S*> pointers(View<const S> rows, const std::vector<Index>& which) {
  std::vector<const S*> out;
  out.reserve(which.size());
  for (const Index row : which) out.push_back(rows.data + row * rows.stride());
  return out;
}

// The nearest of one row: an equal row if there is one, else what the survey found.
struct Nearest {
  double squared_distance = infinity;
  Index equal = -1;  // the smallest other row of the same kind
};

Nearest nearest_of(Index row, const DistinctRows& distinct, const std::vector<Candidates>& found) {
  const Index kind = distinct.kind[at(row)];
  const std::vector<Index>& others = distinct.others[at(kind)];
  if (others.empty()) return {found[at(kind)].smallest(), -1};
  return {0.0, row == distinct.first[at(kind)] ? others.front() : distinct.first[at(kind)]};
}

// The smallest row whose squared distance from `row` is at most `highest`.
Index smallest_neighbour(Index row, double highest, const DistinctRows& distinct,
                         const std::vector<Candidates>& found) {
  const Index equal = nearest_of(row, distinct, found).equal;
  const std::int64_t kind = found[at(distinct.kind[at(row)])].smallest_index(highest);
  if (kind < 0) return equal;
  const Index other = distinct.first[at(kind)];
  return equal < 0 ? other : std::min(equal, other);
}

}  // namespace

Radius::Radius(std::vector<double> of_row) : of_all_(0), largest_(0), of_row_(std::move(of_row)) {
  for (const double radius : of_row_) largest_ = std::max(largest_, radius);
}

template <class S>
Radius Radius::share_of_norms(double share, View<const S> rows) {
  std::vector<double> of_row;
  of_row.reserve(static_cast<std::size_t>(rows.shape[0]));
  for (Index row = 0; row < rows.shape[0]; ++row)
    of_row.push_back(share * norm(rows.data + row * rows.stride(), rows.stride()));
  return Radius(std::move(of_row));
}

Radius Radius::of_rows(const std::vector<Index>& rows) const {
  if (of_row_.empty()) return *this;
  std::vector<double> of_row;
  of_row.reserve(rows.size());
  for (const Index row : rows) of_row.push_back(of(row));
  return Radius(std::move(of_row));
}

template <class S>
double squared_distance(const S* x, const S* y, Index width) {
  return squared_distance_below(x, y, width, infinity);
}

template <class S>
std::optional<ClosestPair> closest_pair(View<const S> rows) {
  if (rows.shape[0] < 2) return {};
  const DistinctRows distinct = find_distinct_rows(rows);
  for (std::size_t kind = 0; kind < distinct.first.size(); ++kind)
    if (!distinct.others[kind].empty()) return ClosestPair{0.0, distinct.first[kind], distinct.others[kind].front()};
  ClosestSurvey<S> survey(pointers(rows, distinct.first), rows.stride());
  survey.run();
  const Index pair = survey.found.smallest_index(), N = rows.shape[0];
  return ClosestPair{std::sqrt(survey.found.smallest()), pair / N, pair % N};
}

template <class S>
Neighbours nearest_neighbours(View<const S> rows, const Radius& radius) {
  const Index N = rows.shape[0];
  if (N < 2)
    return {
        std::vector<double>(at(N), std::numeric_limits<double>::quiet_NaN()), std::vector<Index>(at(N), -1), {}, 0, N};
  const DistinctRows distinct = find_distinct_rows(rows);
  NeighbourSurvey<S> survey(pointers(rows, distinct.first), rows.stride(), radius.of_rows(distinct.first), distinct);
  survey.run();

  Neighbours out;
  double smallest = infinity;
  for (Index row = 0; row < N; ++row) {
    const double squared = nearest_of(row, distinct, survey.found).squared_distance;
    smallest = std::min(smallest, squared);
    out.distance.push_back(std::sqrt(squared));
    out.nearest.push_back(smallest_neighbour(row, squared * tie_band, distinct, survey.found));
  }
  for (Index row = 0; row + 1 < N && !out.closest; ++row) {
    const Index other = smallest_neighbour(row, smallest * tie_band, distinct, survey.found);
    if (other > row) out.closest = ClosestPair{std::sqrt(smallest), row, other};
  }
  out.collisions = survey.collisions;
  for (const std::vector<Index>& others : distinct.others) {
    const double extra = static_cast<double>(others.size());
    out.collisions += extra * (extra + 1) / 2;
  }
  out.distinct = survey.components.sets();
  return out;
}

template Radius Radius::share_of_norms(double, View<const double>);
template Radius Radius::share_of_norms(double, View<const float>);
template double squared_distance(const double*, const double*, Index);
template double squared_distance(const float*, const float*, Index);
template std::optional<ClosestPair> closest_pair(View<const double>);
template std::optional<ClosestPair> closest_pair(View<const float>);
template Neighbours nearest_neighbours(View<const double>, const Radius&);
template Neighbours nearest_neighbours(View<const float>, const Radius&);

}  // namespace poslab::numerics
