// SPDX-License-Identifier: Apache-2.0
#include "poslab/training/task_batch.hpp"

#include <algorithm>

namespace poslab::training {

void TaskBatch::clear() {
  starts_.clear();
  given_.clear();
  given_vectors_.clear();
}

void TaskBatch::add(const tasks::Sequence& sequence) {
  starts_.push_back(given_.size());
  for (std::size_t t = 0; t < sequence.tokens.size(); ++t)
    given_.push_back({sequence.tokens[t], sequence.targets[t], sequence.mask[t]});
  vector_width_ = static_cast<Index>(sequence.vectors.size() / std::max<std::size_t>(1, sequence.tokens.size()));
  given_vectors_.insert(given_vectors_.end(), sequence.vectors.begin(), sequence.vectors.end());
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
  network::Batch batch{{tokens_.data(), {B, T}}, {targets_.data(), {B, T}}, {loss_mask_.data(), {B, T}}};
  if (W > 0) batch.vectors = {vectors_.data(), {B, T, W}};
  return batch;
}

}  // namespace poslab::training
