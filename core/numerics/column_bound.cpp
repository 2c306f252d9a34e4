// SPDX-License-Identifier: Apache-2.0
#include "bounded_pairs.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "poslab/numerics/products.hpp"

namespace poslab::numerics {
using base::at;
namespace {

constexpr double unit_roundoff = 0x1p-24;  // of float32

// Each stage has four times the columns of the one before: few columns decide most pairs.
std::vector<Index> make_stages(Index width) {
  std::vector<Index> ends;
  for (Index end = 32; end < width; end *= 4) ends.push_back(end);
  ends.push_back(width);
  return ends;
}

// How far a float32 bound over c columns may be off, as a share of the two squared norms. Rounding of the entries:
// 2 (2 u + u^2); of the norms: u; of the product of c terms: c u / (1 - c u) (Higham 2002, section 3.1), whatever the
// order of its additions; of the last two additions: 4 u. The rest is headroom.
double margin(Index columns) {
  const double c = static_cast<double>(columns) + 24;
  return c * unit_roundoff / (1 - c * unit_roundoff);
}

}  // namespace

// Columns that differ most between neighbouring rows come first: near rows are those that bounds must
// tell apart. Sampled; any order is valid.
template <class S>
std::vector<Index> ColumnBound::column_order(const std::vector<const S*>& rows) const {
  std::vector<double> spread(static_cast<std::size_t>(width_), 0.0);
  const Index samples = std::min<Index>(rows_, 64);
  for (Index lag = 1; lag < rows_; lag *= 2) {
    for (Index sample = 0; sample < samples; ++sample) {
      const Index row = sample * (rows_ - lag) / samples;
      const S* x = rows[at(row)];
      const S* y = rows[at(row + lag)];
      for (Index column = 0; column < width_; ++column) {
        const double difference = static_cast<double>(x[column]) - static_cast<double>(y[column]);
        spread[at(column)] += difference * difference;
      }
    }
  }
  std::vector<Index> order(static_cast<std::size_t>(width_));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return spread[at(a)] > spread[at(b)]; });
  return order;
}

template <class S>
ColumnBound::ColumnBound(const std::vector<const S*>& rows, Index width)
    : rows_(static_cast<Index>(rows.size())),
      width_(width),
      stage_end_(make_stages(width)),
      columns_{rows_, width},
      low_{stages(), rows_},
      high_{rows_} {
  const std::vector<Index> order = column_order(rows);
  // Centring keeps every difference and makes norms, and so margins, smaller. Any centre is valid: this one is the
  // middle of a sample. x - centre is rounded once, relative to itself.
  std::vector<double> centre(static_cast<std::size_t>(width), 0.0);
  const Index samples = std::min<Index>(rows_, 64);
  for (Index sample = 0; sample < samples; ++sample) {
    const S* row = rows[at(sample * rows_ / samples)];
    for (Index k = 0; k < width; ++k) centre[at(k)] += static_cast<double>(row[order[at(k)]]);
  }
  for (double& c : centre) c /= static_cast<double>(samples);

  const tbb::blocked_range<Index> all(0, rows_, 128);
  std::vector<double> largest(static_cast<std::size_t>(rows_), 0.0);
  tbb::parallel_for(all, [&](const tbb::blocked_range<Index>& range) {
    for (Index i = range.begin(); i < range.end(); ++i) {
      const S* row = rows[at(i)];
      double most = 0;
      for (Index k = 0; k < width; ++k)
        most = std::max(most, std::abs(static_cast<double>(row[order[at(k)]]) - centre[at(k)]));
      largest[at(i)] = most;
    }
  });
  const double most = *std::max_element(largest.begin(), largest.end());
  if (most > 0) scale_ = std::ldexp(1.0, -std::ilogb(most) - 1);  // entries end below 1: squares fit float32

  tbb::parallel_for(all, [&](const tbb::blocked_range<Index>& range) {
    for (Index i = range.begin(); i < range.end(); ++i) {
      const S* row = rows[at(i)];
      double square = 0;
      Index k = 0;
      for (Index stage = 0; stage < stages(); ++stage) {
        for (; k < columns_until(stage); ++k) {
          const double entry = (static_cast<double>(row[order[at(k)]]) - centre[at(k)]) * scale_;
          const float rounded = static_cast<float>(entry);
          columns_(i, k) = rounded;
          square += static_cast<double>(rounded) * static_cast<double>(rounded);
        }
        low_(stage, i) = static_cast<float>(square * (1 - margin(k)));
      }
      high_(i) = static_cast<float>(square * (1 + margin(k)));
    }
  });
}

float ColumnBound::to_limit(double squared_distance) const {
  constexpr double tiny = 1e-36;  // products of entries below 1e-19 vanish in float32: less than this in all
  // What squares of differences below 1e-154 lose, each.
  const double lost = static_cast<double>(width_) * std::numeric_limits<double>::min();
  return static_cast<float>((squared_distance + lost) * scale_ * scale_ * (1 + 0x1p-22) + tiny);
}

void ColumnBound::add_products(Index stage, Index first_i, Index I, Index first_j, Index J, float* product) const {
  const Index begin = stage == 0 ? 0 : columns_until(stage - 1), count = columns_until(stage) - begin;
  const Matrix<float> left(columns_.data() + first_i * width_ + begin, I, count, width_);
  const Matrix<float> right(columns_.data() + first_j * width_ + begin, J, count, width_);
  if (stage == 0)
    multiply_rows(left, right, 1.0F, product);
  else
    add_products_of_rows(left, right, product);
}

template ColumnBound::ColumnBound(const std::vector<const double*>&, Index);
template ColumnBound::ColumnBound(const std::vector<const float*>&, Index);

}  // namespace poslab::numerics
