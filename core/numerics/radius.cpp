// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/radius.hpp"

#include <cmath>

namespace poslab::numerics {
namespace {

// No square overflows, so that a row whose distances do collides with none.
template <class S>
double norm(const S* row, base::Index W) {
  double largest = 0, squares = 0;
  for (base::Index c = 0; c < W; ++c) largest = std::max(largest, std::abs(static_cast<double>(row[c])));
  if (largest == 0) return 0;
  for (base::Index c = 0; c < W; ++c) squares += std::pow(static_cast<double>(row[c]) / largest, 2);
  return largest * std::sqrt(squares);
}

}  // namespace

Radius::Radius(std::vector<double> of_row) : of_all_(0), largest_(0), of_row_(std::move(of_row)) {
  for (const double radius : of_row_) largest_ = std::max(largest_, radius);
}

template <class S>
Radius Radius::share_of_norms(double share, base::View<const S> rows) {
  std::vector<double> of_row;
  of_row.reserve(static_cast<std::size_t>(rows.shape[0]));
  for (base::Index row = 0; row < rows.shape[0]; ++row)
    of_row.push_back(share * norm(rows.data + row * rows.stride(), rows.stride()));
  return Radius(std::move(of_row));
}

Radius Radius::of_rows(const std::vector<base::Index>& rows) const {
  if (of_row_.empty()) return *this;
  std::vector<double> of_row;
  of_row.reserve(rows.size());
  for (const base::Index row : rows) of_row.push_back(of(row));
  return Radius(std::move(of_row));
}

template Radius Radius::share_of_norms(double, base::View<const double>);
template Radius Radius::share_of_norms(double, base::View<const float>);

}  // namespace poslab::numerics
