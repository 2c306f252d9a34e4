// SPDX-License-Identifier: Apache-2.0
// Tables, cosines and sines, biases, frequencies, slopes.
// Dimension letters: N positions, D model width, P planes, W their width in the dump, H heads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/base/printable.hpp"
#include "reader.hpp"

namespace poslab::identify {
namespace {

// A bias below it may be a mask: float16's own is -65504. No bias is as low as the second.
constexpr double masked = -1e4, no_bias = -1e8;

// Half the width where every number stands there twice: [w, w], or each beside itself.
bool repeats(const std::vector<double>& x, Index W, bool halves) {
  if (W % 2 != 0) return false;
  for (std::size_t row = 0; row + static_cast<std::size_t>(W) <= x.size(); row += static_cast<std::size_t>(W))
    for (Index m = 0; m < W / 2; ++m) {
      const Index one = halves ? m : 2 * m, other = halves ? m + W / 2 : 2 * m + 1;
      if (x[row + static_cast<std::size_t>(one)] != x[row + static_cast<std::size_t>(other)]) return false;
    }
  return true;
}

std::vector<double> once(const std::vector<double>& x, Index W, bool halves) {
  std::vector<double> out;
  for (std::size_t row = 0; row + static_cast<std::size_t>(W) <= x.size(); row += static_cast<std::size_t>(W))
    for (Index m = 0; m < W / 2; ++m) out.push_back(x[row + static_cast<std::size_t>(halves ? m : 2 * m)]);
  return out;
}

Index rows_of_planes(const DumpArray& a) {
  // [N, P], [1, N, P], [1, 1, N, P], [N, 1, P] or [B, N, P]
  if (a.rank() >= 3 && a.shape[a.rank() - 2] == 1) return a.shape[a.rank() - 3];
  return a.shape[a.rank() - 2];
}

// Whether the numbers of each head [Nk, Nk] say nothing of the query, and something of the key.
bool is_one_row(const std::vector<double>& numbers, Index Nk) {
  bool says_something = false;
  std::vector<double> row(static_cast<std::size_t>(Nk));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double& usual = row[i % row.size()];
    if (i % (row.size() * row.size()) < row.size() || std::isnan(usual)) usual = numbers[i];  // a head's first
    if (std::isnan(numbers[i])) continue;
    if (numbers[i] != usual) return false;
    says_something = says_something || (!std::isnan(row[0]) && numbers[i] != row[0]);
  }
  return says_something;
}

}  // namespace

// [N, D], or [rows, columns, D] of a grid.
void Reader::read_table() {
  const DumpArray* a = array(Role::table);
  if (!a) return;
  require_finite(*a);
  std::vector<Index> shape = a->shape;
  while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());
  if (shape.size() == 3 && shape[1] == 1) shape.erase(shape.begin() + 1);
  if (shape.size() < 2) refuse(*a, "a table is [N, D], a row for each position");
  const Index D = shape.back(), N = static_cast<Index>(a->numbers.size()) / D;
  require_length(*a, N);
  if (shape.size() > 2) grid_ = {shape.begin(), shape.end() - 1};
  model_width_ = D;
  model_.heads = std::max<Index>(1, model_.heads);
  evidence_.observations.push_back(observe_table(caption_of(*a), N, D, a->numbers));
}

void Reader::read_planes() {
  const DumpArray *c = array(Role::cosines), *s = array(Role::sines);
  if (!c && !s) return;
  const DumpArray& shown = c ? *c : *s;
  if (shown.rank() < 2) refuse(shown, "cosines and sines are [N, P], a row for each position");
  if (c && s && c->shape != s->shape) refuse(*s, fmt::format("the cosines are {}", shape_text(c->shape)));
  for (const DumpArray* a : {c, s})
    if (a) require_finite(*a);
  const Index W = shown.shape.back(), N = rows_of_planes(shown);
  require_length(shown, N);
  const std::size_t used = static_cast<std::size_t>(N * W);  // the first batch
  for (const DumpArray* a : {c, s})
    if (a) require_same_batches(*a, used);
  std::vector<double> cosines, sines;
  if (c) cosines.assign(c->numbers.begin(), c->numbers.begin() + static_cast<std::ptrdiff_t>(used));
  if (s) sines.assign(s->numbers.begin(), s->numbers.begin() + static_cast<std::ptrdiff_t>(used));
  Index P = W;
  for (const bool halves : {true, false})
    if (P == W && W > 1 && (head_width_ == 0 || 2 * W > head_width_) && (!c || repeats(cosines, W, halves)) &&
        (!s || repeats(sines, W, halves))) {
      if (c) cosines = once(cosines, W, halves);
      if (s) sines = once(sines, W, halves);
      P = W / 2;
    }
  planes_ = P;
  model_.heads = std::max<Index>(1, model_.heads);
  Caption caption = caption_of(shown);
  if (c && s) {
    caption.name += ", " + base::printable(s->name);
    caption.text = caption.name + " " + shape_text(c->shape);
  }
  evidence_.observations.push_back(observe_planes(caption, N, P, std::move(cosines), std::move(sines)));
}

void Reader::read_bias(const Reading& reading) {
  const DumpArray* a = array(Role::bias);
  if (!a) return;
  std::vector<Index> shape = a->shape;
  if (shape.size() > 4 || shape.empty()) refuse(*a, "a bias is [H, N, N], [B, H, N, N] or, of one query, [H, N]");
  std::vector<double> numbers = a->numbers;
  if (shape.size() == 4) {
    numbers.resize(numbers.size() / static_cast<std::size_t>(shape[0]));
    require_same_batches(*a, numbers.size());
    shape.erase(shape.begin());
  }
  if (shape.size() == 1) shape.insert(shape.begin(), {1, 1});
  if (shape.size() == 2) shape.insert(shape[0] == shape[1] ? shape.begin() : shape.begin() + 1, 1);
  const Index H = shape[0], Nq = shape[1], Nk = shape[2];
  if (Nq > Nk) refuse(*a, "there are more queries than keys");
  leave_out_masked(*a, numbers);
  require_heads(*a, H);
  require_length(*a, Nk);
  const bool one_row = Nq > 1 && Nq == Nk && is_one_row(numbers, Nk);
  Caption caption = caption_of(*a);
  if (one_row) caption.text += ", each row the same";
  evidence_.observations.push_back(
      observe_bias(caption, H, Nq, Nk, std::move(numbers), (Nq == 1 && Nk > 1) || one_row, reading.causal));
  const std::vector<double>& seen = evidence_.observations.back()->numbers();
  if (std::all_of(seen.begin(), seen.end(), [](double x) { return std::isnan(x); }))
    refuse(*a, "all its numbers are masked");
}

// A mask is minus infinity, or one number below all that a bias has; or so low that a bias added to it is lost.
void Reader::leave_out_masked(const DumpArray& a, std::vector<double>& numbers) {
  double lowest = 0;
  for (const double x : numbers) {
    if (x == std::numeric_limits<double>::infinity()) refuse(a, "it holds +inf, which is no mask");
    if (std::isfinite(x)) lowest = std::min(lowest, x);
  }
  const double near = lowest <= no_bias ? 1e-6 * std::abs(lowest) : 0;
  const auto is_lowest = [&](double x) { return std::isfinite(x) && x - lowest <= near; };
  const bool has_mask = lowest < masked && std::count_if(numbers.begin(), numbers.end(), is_lowest) > 1;
  for (double& x : numbers)
    if (std::isinf(x) || (has_mask && is_lowest(x))) x = std::numeric_limits<double>::quiet_NaN(), ++evidence_.masked;
}

void Reader::read_lists() {
  if (const DumpArray* a = array(Role::frequencies)) {
    require_finite(*a);
    if (without_ones(a->shape).size() > 1) refuse(*a, "inverse frequencies are a list, one for each plane");
    if (a->numbers.size() == 1 && evidence_.observations.empty())
      refuse(*a, "one frequency alone is that of any scheme: dump those of all planes");
    if (planes_ == 0) planes_ = static_cast<Index>(a->numbers.size());
    model_.heads = std::max<Index>(1, model_.heads);
    evidence_.observations.push_back(observe_frequencies(caption_of(*a), a->numbers));
  }
  if (const DumpArray* a = array(Role::slopes)) {
    require_finite(*a);
    if (without_ones(a->shape).size() > 1) refuse(*a, "slopes are a list, one for each head");
    require_heads(*a, static_cast<Index>(a->numbers.size()));
    evidence_.observations.push_back(observe_slopes(caption_of(*a), a->numbers));
  }
}

}  // namespace poslab::identify
