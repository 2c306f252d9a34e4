// SPDX-License-Identifier: Apache-2.0
#include "poslab/training/task_batch.hpp"

#include <algorithm>
#include <utility>

#include "poslab/base/error.hpp"

namespace poslab::training {

void TaskBatch::clear() {
  starts_.clear();
  given_.clear();
  given_vectors_.clear();
  grid_.clear();
  own_.clear();
  is_on_grid_ = false;
}

void TaskBatch::add(const tasks::Sequence& sequence) {
  if (sequences() > 0 && sequence.grid != grid_) throw base::Error("a batch of sequences on different grids");
  grid_ = sequence.grid;
  starts_.push_back(given_.size());
  for (std::size_t t = 0; t < sequence.tokens.size(); ++t)
    given_.push_back({sequence.tokens[t], sequence.targets[t], sequence.mask[t]});
  vector_width_ = static_cast<Index>(sequence.vectors.size() / std::max<std::size_t>(1, sequence.tokens.size()));
  given_vectors_.insert(given_vectors_.end(), sequence.vectors.begin(), sequence.vectors.end());
}

void TaskBatch::place(const std::function<std::vector<double>(Index, Index)>& of) {
  own_.clear();
  for (Index b = 0; b < sequences(); ++b) {
    const std::vector<double> positions = of(b, length(b));
    if (std::ssize(positions) != length(b)) throw base::Error("a sequence with more or fewer positions than tokens");
    own_.insert(own_.end(), positions.begin(), positions.end());
  }
}

void TaskBatch::place_on_grid() {
  if (grid_.empty()) throw base::Error("a batch of sequences that are on no grid");
  is_on_grid_ = true;
}

void TaskBatch::pack() {
  place([](Index /*sequence*/, Index length) {
    std::vector<double> positions;
    for (Index t = 0; t < length; ++t) positions.push_back(static_cast<double>(t));
    return positions;
  });
  std::vector<std::size_t> every_other;
  for (std::size_t b = 0; b < starts_.size(); b += 2) every_other.push_back(starts_[b]);
  starts_ = std::move(every_other);
}

Index TaskBatch::length(Index sequence) const {
  const auto s = static_cast<std::size_t>(sequence);
  return static_cast<Index>((s + 1 < starts_.size() ? starts_[s + 1] : given_.size()) - starts_[s]);
}

network::Batch TaskBatch::view() {
  const Index B = sequences(), W = vector_width_;
  Index T = 0;
  for (Index b = 0; b < B; ++b) T = std::max(T, length(b));
  tokens_.assign(static_cast<std::size_t>(B * T), 0);
  targets_.assign(tokens_.size(), 0);
  loss_mask_.assign(tokens_.size(), 0);
  vectors_.assign(static_cast<std::size_t>(B * T * W), 0);
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < length(b); ++t) {
      const std::size_t from = starts_[base::at(b)] + static_cast<std::size_t>(t),
                        to = static_cast<std::size_t>(b * T + t);
      tokens_[to] = given_[from].token;
      targets_[to] = given_[from].target;
      loss_mask_[to] = given_[from].loss_mask;
      std::copy_n(given_vectors_.begin() + static_cast<Index>(from) * W, W,
                  vectors_.begin() + static_cast<Index>(to) * W);
    }
  fill_positions(T);
  network::Batch batch{{tokens_.data(), {B, T}}, {targets_.data(), {B, T}}, {loss_mask_.data(), {B, T}}};
  if (W > 0) batch.vectors = {vectors_.data(), {B, T, W}};
  if (is_on_grid_) batch.positions = {positions_.data(), {T, 2}};
  if (!own_.empty()) batch.positions = {positions_.data(), {B, T, 1}};
  lengths_.clear();
  for (Index b = 0; b < B; ++b) lengths_.push_back(length(b));
  if (std::count(lengths_.begin(), lengths_.end(), T) < B) batch.lengths = {lengths_.data(), {B}};
  return batch;
}

void TaskBatch::fill_positions(Index T) {
  positions_.clear();
  if (is_on_grid_)
    for (Index t = 0; t < T; ++t)
      positions_.insert(positions_.end(),
                        {static_cast<double>(t / grid_.back()), static_cast<double>(t % grid_.back())});
  if (own_.empty()) return;
  for (Index b = 0; b < sequences(); ++b)
    for (Index t = 0; t < T; ++t)
      positions_.push_back(own_[starts_[base::at(b)] + base::at(std::min(t, length(b) - 1))]);
}

}  // namespace poslab::training
