// SPDX-License-Identifier: Apache-2.0
// What is added to logits, and its slopes.
// Dimension letters: H heads, Nq queries, Nk keys.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "observation.hpp"

namespace poslab::identify {
namespace {

constexpr double not_looked_at = std::numeric_limits<double>::quiet_NaN();

// A row has the numbers [H, Nk] of one query.
class Bias final : public Observation {
 public:
  Bias(const Caption& caption, Index H, Index Nq, Index Nk, const std::vector<double>& numbers, bool up_to_rows,
       bool causal)
      : Observation(Kind::bias, caption), H_(H), Nq_(Nq), Nk_(Nk), up_to_rows_(up_to_rows) {
    std::vector<double> rows(numbers.size());
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < Nq; ++i) {
        const double* const from = numbers.data() + (h * Nq + i) * Nk;
        for (Index j = 0; j < Nk; ++j)
          rows[static_cast<std::size_t>((i * H + h) * Nk + j)] = causal && j > first() + i ? not_looked_at : from[j];
      }
    set(Nq, H * Nk, std::move(rows));
    if (up_to_rows) take_constants_away();
    measure();
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
          out[static_cast<std::size_t>((i * H_ + h) * Nk_ + j)] =
              bias(h, i, j) - (up_to_rows_ ? bias(h, i, from_key(first_row + i, h)) : 0);
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
    return std::make_shared<Bias>(caption(), H_, Nq_, Nk_, other, false, false);
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
  std::shared_ptr<const Observation> up_to_constants() const override {
    if (up_to_rows_ || Nk_ < 3) return nullptr;
    auto other = std::make_shared<Bias>(*this);
    other->up_to_rows_ = true;
    other->take_constants_away();
    other->measure();
    return is_zero(*other) ? nullptr : other;
  }
  std::shared_ptr<const Observation> with_heads(const std::vector<Index>& order) const override {
    auto other = std::make_shared<Bias>(*this);
    std::vector<double> rows(numbers().size());
    for (Index i = 0; i < Nq_; ++i)
      for (Index h = 0; h < H_; ++h)
        for (Index j = 0; j < Nk_; ++j)
          rows[static_cast<std::size_t>((i * H_ + h) * Nk_ + j)] =
              number(i, order[static_cast<std::size_t>(h)] * Nk_ + j);
    other->set(Nq_, H_ * Nk_, std::move(rows));
    if (up_to_rows_) other->note_first_keys();
    other->measure();
    return other;
  }
  bool is_unchanged() const override { return is_zero(*this); }

 private:
  Index first() const { return Nk_ - Nq_; }  // the last positions ask
  // From which key the numbers of a row and head are counted: the first that is looked at.
  Index from_key(Index row, Index h) const { return first_keys_[static_cast<std::size_t>(row * H_ + h)]; }
  void note_first_keys() {
    first_keys_.assign(static_cast<std::size_t>(Nq_ * H_), 0);
    for (std::size_t row = 0; row < first_keys_.size(); ++row) {
      const auto from = numbers().begin() + static_cast<std::ptrdiff_t>(row) * Nk_;
      const auto key = std::find_if(from, from + Nk_, [](double x) { return !std::isnan(x); });
      if (key != from + Nk_) first_keys_[row] = key - from;
    }
  }
  void take_constants_away() {
    note_first_keys();
    std::vector<double> rows = numbers();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t row = i / static_cast<std::size_t>(Nk_);
      rows[i] -= numbers()[row * static_cast<std::size_t>(Nk_) + static_cast<std::size_t>(first_keys_[row])];
    }
    set(Nq_, H_ * Nk_, std::move(rows));
  }
  void measure() {
    sizes_.assign(static_cast<std::size_t>(H_), 0);
    for (std::size_t i = 0; i < numbers().size(); ++i) {
      double& size = sizes_[i / static_cast<std::size_t>(Nk_) % static_cast<std::size_t>(H_)];
      if (std::isfinite(numbers()[i])) size = std::max(size, std::abs(numbers()[i]));
    }
  }

  Index H_, Nq_, Nk_;
  bool up_to_rows_;
  std::vector<double> sizes_;      // [H]
  std::vector<Index> first_keys_;  // [Nq, H], where rows are told up to a constant
};

class Slopes final : public Observation {
 public:
  Slopes(const Caption& caption, std::vector<double> slopes) : Observation(Kind::slopes, caption) {
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
  std::shared_ptr<const Observation> with_heads(const std::vector<Index>& order) const override {
    std::vector<double> slopes;
    for (const Index h : order) slopes.push_back(number(0, h));
    return std::make_shared<Slopes>(caption(), std::move(slopes));
  }
  bool by_position() const override { return false; }
  bool relative() const override { return true; }
};

}  // namespace

std::unique_ptr<Observation> observe_bias(const Caption& caption, Index H, Index Nq, Index Nk,
                                          const std::vector<double>& numbers, bool up_to_rows, bool causal) {
  return std::make_unique<Bias>(caption, H, Nq, Nk, numbers, up_to_rows, causal);
}
std::unique_ptr<Observation> observe_slopes(const Caption& caption, std::vector<double> slopes) {
  return std::make_unique<Slopes>(caption, std::move(slopes));
}

}  // namespace poslab::identify
