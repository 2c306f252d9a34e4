// SPDX-License-Identifier: Apache-2.0
// Positions, and which of a batch they are.
// Dimension letters: N positions, A axes of a position, B batches.
#include <fmt/format.h>

#include <algorithm>

#include "reader.hpp"

namespace poslab::identify {

void Reader::set_positions() {
  const DumpArray* given = array(Role::positions);
  if (request_.positions) {
    evidence_.positions = request_.positions->copy();
  } else if (given) {
    evidence_.positions = positions_of(*given);
  } else if (!grid_.empty()) {
    evidence_.positions = Array<double>{N_here_, static_cast<Index>(grid_.size())};
    for (Index n = 0; n < N_here_; ++n) {
      Index rest = n;
      for (std::size_t axis = grid_.size(); axis-- > 0; rest /= grid_[axis])
        evidence_.positions(n, static_cast<Index>(axis)) = static_cast<double>(rest % grid_[axis]);
    }
  } else {
    evidence_.positions = Array<double>{N_here_, 1};
    for (Index n = 0; n < N_here_; ++n) evidence_.positions(n, 0) = static_cast<double>(n);
  }
  if (evidence_.positions.extent(0) != N_here_)
    throw BadDump(
        fmt::format("there are {} positions, and the arrays are of {}", evidence_.positions.extent(0), N_here_));
  for (Index axis = 0; axis < evidence_.positions.extent(1); ++axis) {
    double most = 0;
    for (Index n = 0; n < N_here_; ++n) most = std::max(most, evidence_.positions(n, axis));
    evidence_.extents.push_back(most + 1);
  }
}

// An array that has sequences beside each other, on its first axis.
const DumpArray* Reader::batched() const {
  for (const Role role : {Role::query, Role::key, Role::logits, Role::bias, Role::cosines, Role::sines})
    if (const DumpArray* a = array(role); a && a->rank() == 4 && a->shape[0] > 1) return a;
  for (const Role role : {Role::cosines, Role::sines})
    if (const DumpArray* a = array(role); a && a->rank() == 3 && a->shape[0] > 1 && a->shape[1] > 1) return a;
  return nullptr;
}

// [B, N], as model libraries hand them on, and not [N, A] or [A, N]: B is no number of positions, or N none of axes.
bool Reader::has_row_for_each_batch(const DumpArray& positions) const {
  const DumpArray* const a = batched();
  if (!a || positions.rank() != 2 || positions.shape[0] != a->shape[0]) return false;
  const auto may_be_positions = [&](Index extent) {
    return std::find(a->shape.begin() + 1, a->shape.end() - 1, extent) != a->shape.end() - 1;
  };
  return may_be_positions(positions.shape[1]) && (positions.shape[1] > 3 || !may_be_positions(positions.shape[0]));
}

std::vector<double> Reader::of_one_batch(const DumpArray& positions) {
  const auto N = static_cast<std::size_t>(positions.shape[1]);
  for (std::size_t i = N; i < positions.numbers.size(); ++i)
    if (positions.numbers[i] != positions.numbers[i % N])
      refuse(positions,
             "the sequences of a batch have positions of their own: dump one sequence, or axes of positions as [N, A]");
  return {positions.numbers.begin(), positions.numbers.begin() + positions.shape[1]};
}

// [N], [N, A], [A, N], or [B, N] of batches that have the same.
Array<double> Reader::positions_of(const DumpArray& a) const {
  require_finite(a);
  if (has_row_for_each_batch(a) && a.shape[1] == N_here_) {
    Array<double> out{N_here_, 1};
    const std::vector<double> row = of_one_batch(a);
    std::copy(row.begin(), row.end(), out.data());
    return out;
  }
  std::vector<Index> shape = without_ones(a.shape);
  if (shape.empty()) shape = {1};
  if (shape.size() > 2) refuse(a, "positions are [N], [N, A] or [A, N]");
  const bool by_axis = shape.size() == 2 && shape[1] == N_here_ && shape[0] != N_here_;
  const Index A = shape.size() == 1 ? 1 : by_axis ? shape[0] : shape[1];
  if (A > 3 || shape[by_axis ? 1 : 0] != N_here_)
    refuse(a, fmt::format("the positions of {} tokens are [N], [N, A] or [A, N] with up to 3 axes", N_here_));
  Array<double> out{N_here_, A};
  for (Index n = 0; n < N_here_; ++n)
    for (Index axis = 0; axis < A; ++axis)
      out(n, axis) = a.numbers[static_cast<std::size_t>(by_axis ? axis * N_here_ + n : n * A + axis)];
  return out;
}

}  // namespace poslab::identify
