// SPDX-License-Identifier: Apache-2.0
// The products against plain loops: every shape of small extents, some beyond the widths of a processor's registers and
// of Eigen's blocks, rows that do not follow each other directly, float and double.
#include "poslab/numerics/products.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "poslab/base/random.hpp"

using poslab::base::Index;
using poslab::base::Stream;
using namespace poslab::numerics;

namespace {

// Random numbers, and between the rows what no sum survives.
template <class S>
struct Numbers {
  Numbers(const char* name, Index rows_, Index columns_, Index gap)
      : rows(rows_), columns(columns_), distance(columns_ + gap) {
    const Stream stream(name);
    for (Index i = 0; i < rows * distance; ++i)
      all.push_back(i % distance < columns ? static_cast<S>(stream.normal(static_cast<std::uint64_t>(i)))
                                           : std::numeric_limits<S>::quiet_NaN());  // between the rows
  }
  Matrix<S> matrix() const { return {all.data(), rows, columns, distance}; }
  double operator()(Index i, Index k) const {
    return static_cast<double>(all[static_cast<std::size_t>(i * distance + k)]);
  }

  Index rows, columns, distance;
  std::vector<S> all;
};

// The same product with nothing but a sum: of(i, j) = before + factor * sum_k left(i, k) right(k, j).
template <class S>
class Product {
 public:
  Product(Index M, Index N, Index W) : M_(M), N_(N), W_(W) {
    for (Index i = 0; i < M * N + guard; ++i) out.push_back(static_cast<S>(i % 7) - 3);
    before_ = out;
  }

  template <class Left, class Right>
  bool is(double factor, bool added, const Left& left, const Right& right) const {
    for (Index i = 0; i < M_; ++i)
      for (Index j = 0; j < N_; ++j) {
        const auto at = static_cast<std::size_t>(i * N_ + j);
        double sum = 0, size = 0;
        for (Index k = 0; k < W_; ++k) {
          sum += left(i, k) * right(k, j);
          size += std::abs(left(i, k) * right(k, j));
        }
        const double begun = added ? static_cast<double>(before_[at]) : 0;
        const double bound = (static_cast<double>(W_) + 3) * std::numeric_limits<S>::epsilon() *
                             (std::abs(factor) * size + std::abs(begun));
        if (!(std::abs(static_cast<double>(out[at]) - (begun + factor * sum)) <= bound)) return false;
      }
    for (std::size_t i = static_cast<std::size_t>(M_ * N_); i < out.size(); ++i)
      if (out[i] != before_[i]) return false;  // what lies behind is not written to
    return true;
  }

  std::vector<S> out;

 private:
  static constexpr Index guard = 20;
  Index M_, N_, W_;
  std::vector<S> before_;
};

template <class S>
void check_shape(Index M, Index N, Index W, Index gap) {
  CAPTURE(M, N, W, gap, sizeof(S));
  const auto factor = static_cast<S>(-1.75);  // held exactly by both types
  const Numbers<S> left("left", M, W, gap), right("right", W, N, gap), rows("rows", N, W, gap),
      columns("columns", W, M, gap);
  const auto transposed = [](const Numbers<S>& of) { return [&of](Index i, Index k) { return of(k, i); }; };
  const auto check = [&](const char* name, double times, bool added, const auto& a, const auto& b, const auto& make) {
    CAPTURE(name);
    Product<S> product(M, N, W);
    make(product.out.data());
    CHECK(product.is(times, added, a, b));
  };
  check("multiply", 1, false, left, right, [&](S* out) { multiply<S>(left.matrix(), right.matrix(), out); });
  check("multiply_scaled", -1.75, false, left, right,
        [&](S* out) { multiply_scaled<S>(left.matrix(), right.matrix(), factor, out); });
  check("multiply_rows", -1.75, false, left, transposed(rows),
        [&](S* out) { multiply_rows<S>(left.matrix(), rows.matrix(), factor, out); });
  check("add_products_of_rows", 1, true, left, transposed(rows),
        [&](S* out) { add_products_of_rows<S>(left.matrix(), rows.matrix(), out); });
  check("add_product", -1.75, true, left, right,
        [&](S* out) { add_product<S>(left.matrix(), right.matrix(), factor, out); });
  check("add_products_of_columns", -1.75, true, transposed(columns), right,
        [&](S* out) { add_products_of_columns<S>(columns.matrix(), right.matrix(), factor, out); });
}

}  // namespace

TEST_CASE("products are sums of products in every shape, empty and single ones too") {
  for (const Index M : {0, 1, 2, 3, 5, 8, 17})
    for (const Index N : {0, 1, 2, 3, 5, 8, 17})
      for (const Index W : {0, 1, 2, 3, 5, 8, 17})
        for (const Index gap : {0, 3}) {
          check_shape<float>(M, N, W, gap);
          check_shape<double>(M, N, W, gap);
        }
}

TEST_CASE("products of hundreds of rows and columns are right") {
  const Index shapes[][3] = {{128, 97, 259}, {1, 300, 300}, {300, 1, 300}, {129, 129, 1}, {33, 385, 64}};
  for (const auto& [M, N, W] : shapes) {
    check_shape<float>(M, N, W, 0);
    check_shape<double>(M, N, W, 5);
  }
}
