// SPDX-License-Identifier: Apache-2.0
// Dimension letters: P positions of a block, C contents, D model width, H heads, K head width.
#include "moved.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "poslab/numerics/closest_pair.hpp"
#include "poslab/numerics/inner_product.hpp"

namespace poslab::experiments::norm_preservation {
namespace {

using numerics::inner_product;
using numerics::sum_of_squares;

template <class S>
std::vector<double> unit_vector(const S* x, Index width, double sign = 1) {
  const double norm = sign * std::sqrt(sum_of_squares(x, width));
  std::vector<double> unit(static_cast<std::size_t>(width));
  for (Index k = 0; k < width; ++k) unit[static_cast<std::size_t>(k)] = static_cast<double>(x[k]) / norm;
  return unit;
}

// Two vectors before a position enters them.
template <class S>
struct Pair {
  const S *x, *y;
  Index width;
  double norm_x = std::sqrt(sum_of_squares(x, width)), norm_y = std::sqrt(sum_of_squares(y, width));
  double product = inner_product(x, y, width);

  // The ratio.
  double compare(const S* moved_x, const S* moved_y, AtPosition& at) const {
    const double ratio = std::sqrt(sum_of_squares(moved_x, width)) / norm_x;
    at.ratio.add(ratio);
    const double change = inner_product(moved_x, moved_y, width) - product;
    at.isometry_error = std::max(at.isometry_error, std::abs(change) / (norm_x * norm_y));
    return ratio;
  }
};

// From |u - v| and |u + v| (Kahan 2006): exact to rounding for small angles too, where an arc cosine is not.
double angle_between(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& minus_v) {
  const Index width = static_cast<Index>(u.size());
  const double difference = numerics::squared_distance(u.data(), v.data(), width);
  const double sum = numerics::squared_distance(u.data(), minus_v.data(), width);
  return 2 * std::atan2(std::sqrt(difference), std::sqrt(sum));
}

// x + e(p)
template <class S>
void add_codes(const Subject<S>& of, View<const double> positions, AtPosition* out) {
  const Index C = of.x.extent(0), D = of.x.extent(1), P = positions.shape[0];
  std::vector<Pair<S>> pairs;
  std::vector<std::vector<double>> directions;
  for (Index c = 0; c < C; ++c) {
    pairs.push_back({&of.x(c, 0), &of.y(c, 0), D});
    directions.push_back(unit_vector(pairs.back().x, D));
  }
  Array<S> codes{P, D}, moved_x{D}, moved_y{D};
  of.scheme.template encode<S>(of.context, positions, of.weights, codes);
  for (Index p = 0; p < P; ++p) {
    const S* e = &codes(p, 0);
    out[p].squared_norm = sum_of_squares(e, D);
    for (Index k = 0; k < D; ++k)
      out[p].largest_entry = std::max(out[p].largest_entry, std::abs(static_cast<double>(e[k])));
    for (std::size_t c = 0; c < pairs.size(); ++c) {
      for (Index k = 0; k < D; ++k) {
        moved_x(k) = pairs[c].x[k] + e[k];
        moved_y(k) = pairs[c].y[k] + e[k];
      }
      pairs[c].compare(moved_x.data(), moved_y.data(), out[p]);
      out[p].angle.add(
          angle_between(directions[c], unit_vector(moved_x.data(), D), unit_vector(moved_x.data(), D, -1)));
    }
  }
}

// [H, P C, K]: all contents, once for each of P positions.
template <class S>
Array<S> repeated(const Array<S>& contents, Index P, Index H) {
  const Index C = contents.extent(0), K = contents.extent(1) / H;
  Array<S> out{H, P * C, K};
  for (Index h = 0; h < H; ++h)
    for (Index row = 0; row < P * C; ++row) std::copy_n(&contents(row % C, h * K), K, &out(h, row, 0));
  return out;
}

// T_p x
template <class S>
void transform_contents(const Subject<S>& of, View<const double> positions, AtPosition* out) {
  const Index P = positions.shape[0], C = of.x.extent(0), H = of.scheme.model().heads, K = of.x.extent(1) / H;
  const Index A = positions.shape[1];
  Array<double> repeated_positions{P * C, A};
  for (Index row = 0; row < P * C; ++row) std::copy_n(&positions(row / C, 0), A, &repeated_positions(row, 0));
  for (const host::Side side : host::all_sides) {
    if (!of.scheme.transforms(side)) continue;
    Array<S> moved_x = repeated(of.x, P, H), moved_y = repeated(of.y, P, H);
    of.scheme.template transform<S>(of.context, side, repeated_positions, of.weights, moved_x);
    of.scheme.template transform<S>(of.context, side, repeated_positions, of.weights, moved_y);
    for (Index c = 0; c < C; ++c)
      for (Index h = 0; h < H; ++h) {
        const Pair<S> pair{&of.x(c, h * K), &of.y(c, h * K), K};
        for (Index p = 0; p < P; ++p) {
          const double ratio = pair.compare(&moved_x(h, p * C + c, 0), &moved_y(h, p * C + c, 0), out[p]);
          out[p].of_side[static_cast<int>(side)].add(ratio);
        }
      }
  }
}

}  // namespace

template <class S>
std::vector<AtPosition> at_all_positions(const Subject<S>& of, View<const double> positions) {
  const Index N = positions.shape[0];
  std::vector<AtPosition> out(static_cast<std::size_t>(N));
  const auto visit = [&](const tbb::blocked_range<Index>& blocks) {
    for (Index block = blocks.begin(); block < blocks.end(); ++block) {
      const Index first = block * positions_at_once;
      const View<const double> some = positions.rows(first, std::min(positions_at_once, N - first));
      if (of.scheme.has(host::Operation::encode))
        add_codes<S>(of, some, out.data() + first);
      else
        transform_contents<S>(of, some, out.data() + first);
    }
  };
  tbb::parallel_for(tbb::blocked_range<Index>(0, (N + positions_at_once - 1) / positions_at_once, 1), visit,
                    tbb::simple_partitioner());
  return out;
}

template std::vector<AtPosition> at_all_positions(const Subject<double>&, View<const double>);
template std::vector<AtPosition> at_all_positions(const Subject<float>&, View<const double>);

}  // namespace poslab::experiments::norm_preservation
