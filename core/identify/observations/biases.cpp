// SPDX-License-Identifier: Apache-2.0
// What is added to logits, and its slopes.
// Dimension letters: H heads, Nq queries, Nk keys.
#include <algorithm>
#include <cmath>
#include <limits>

#include "observation.hpp"

namespace poslab::identify {
namespace {

constexpr double not_looked_at = std::numeric_limits<double>::quiet_NaN();

// A row has the numbers [H, Nk] of one query.
class Bias final : public Observation {
 public:
  Bias(const std::string& arrays, Index H, Index Nq, Index Nk, const std::vector<double>& numbers, bool up_to_rows,
       bool causal)
      : Observation(Kind::bias, arrays), H_(H), Nq_(Nq), Nk_(Nk), up_to_rows_(up_to_rows) {
    std::vector<double> rows(numbers.size());
    sizes_.assign(static_cast<std::size_t>(H), 0);
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < Nq; ++i) {
        const double* const from = numbers.data() + (h * Nq + i) * Nk;
        for (Index j = 0; j < Nk; ++j) {
          double x = from[j] - (up_to_rows ? from[0] : 0);
          if (causal && j > first() + i) x = not_looked_at;
          if (std::isfinite(x))
            sizes_[static_cast<std::size_t>(h)] = std::max(sizes_[static_cast<std::size_t>(h)], std::abs(x));
          rows[static_cast<std::size_t>((i * H + h) * Nk + j)] = x;
        }
      }
    set(Nq, H * Nk, std::move(rows));
  }
  bool suits(const host::Scheme& scheme) const override { return scheme.has(host::Operation::bias); }
  void predict(const Candidate& candidate, const Setting& setting, Index first_row, Index count,
               std::span<double> out) const override {
    const host::Tile tile{setting.positions.rows(first() + first_row, count), setting.positions.rows(0, Nk_),
                          first() + first_row};
    const Index heads = candidate.scheme->model().heads;
    Array<double> bias{heads, count, Nk_};
    candidate.scheme->bias<double>(setting.context, tile, candidate.views(), bias);
    for (Index h = 0; h < H_; ++h)
      for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < Nk_; ++j)
          out[static_cast<std::size_t>((i * H_ + h) * Nk_ + j)] = bias(h, i, j) - (up_to_rows_ ? bias(h, i, 0) : 0);
  }
  double size(Index, Index column) const override { return sizes_[static_cast<std::size_t>(column / Nk_)]; }
  Place place(Index row, Index column) const override {
    return {.position = first() + row, .head = column / Nk_, .key = column % Nk_, .array = {}};
  }
  std::shared_ptr<const Observation> transposed() const override {
    if (Nq_ != Nk_ || up_to_rows_) return nullptr;
    std::vector<double> other(numbers().size());
    for (Index h = 0; h < H_; ++h)
      for (Index i = 0; i < Nq_; ++i)
        for (Index j = 0; j < Nk_; ++j)
          other[static_cast<std::size_t>((h * Nq_ + i) * Nk_ + j)] = number(j, h * Nk_ + i);
    return std::make_shared<Bias>(arrays(), H_, Nq_, Nk_, other, false, false);
  }
  std::shared_ptr<const Observation> of_first(Index tokens) const override {
    if (Nq_ != Nk_) return nullptr;
    auto other = std::make_shared<Bias>(*this);
    std::vector<double> corner = numbers();
    for (std::size_t i = 0; i < corner.size(); ++i)
      if (static_cast<Index>(i) % Nk_ >= tokens) corner[i] = not_looked_at;
    other->set(rows(), columns(), std::move(corner));
    return other;
  }
  bool is_unchanged() const override { return is_zero(*this); }

 private:
  Index first() const { return Nk_ - Nq_; }  // the last positions ask
  Index H_, Nq_, Nk_;
  bool up_to_rows_;
  std::vector<double> sizes_;  // [H]
};

class Slopes final : public Observation {
 public:
  Slopes(const std::string& arrays, std::vector<double> slopes) : Observation(Kind::slopes, arrays) {
    const auto count = static_cast<Index>(slopes.size());
    set(1, count, std::move(slopes));
  }
  bool suits(const host::Scheme& scheme) const override { return scheme.has(host::Operation::bias); }
  void predict(const Candidate& candidate, const Setting& setting, Index, Index, std::span<double> out) const override {
    Array<double> query{1, 1}, key{1, 1}, bias{candidate.scheme->model().heads, 1, 1};
    query.fill(1);
    candidate.scheme->bias<double>(setting.context, {query, key, 0}, candidate.views(), bias);
    for (std::size_t h = 0; h < out.size(); ++h) out[h] = -bias(static_cast<Index>(h), 0, 0);
  }
  double size(Index, Index column) const override { return std::abs(number(0, column)); }
  Place place(Index, Index column) const override { return {.head = column, .array = {}}; }
  bool by_position() const override { return false; }
  bool relative() const override { return true; }
};

}  // namespace

std::unique_ptr<Observation> observe_bias(const std::string& arrays, Index H, Index Nq, Index Nk,
                                          std::vector<double> numbers, bool up_to_rows, bool causal) {
  return std::make_unique<Bias>(arrays, H, Nq, Nk, numbers, up_to_rows, causal);
}
std::unique_ptr<Observation> observe_slopes(const std::string& arrays, std::vector<double> slopes) {
  return std::make_unique<Slopes>(arrays, std::move(slopes));
}

}  // namespace poslab::identify
