// SPDX-License-Identifier: Apache-2.0
// Instances of a task as one batch: shorter ones are filled up at their end with token 0, which is never asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "poslab/network/network.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::training {

using base::Index;

/// Whose memory serves batch after batch.
class TaskBatch {
 public:
  void clear();
  void add(const tasks::Sequence& sequence);
  /// [B, T] of what was added, T the longest; good until the next change.
  network::Batch view();
  Index sequences() const { return static_cast<Index>(starts_.size()); }
  /// The real length of one that was added.
  Index length(Index sequence) const;

 private:
  struct Token {
    std::int32_t token, target;
    std::uint8_t loss_mask;
  };
  std::vector<std::size_t> starts_;  // of each sequence in what follows
  std::vector<Token> given_;
  std::vector<double> given_vectors_;  // [tokens, W]
  Index vector_width_ = 0;
  std::vector<std::int32_t> tokens_, targets_;
  std::vector<std::uint8_t> loss_mask_;
  std::vector<double> vectors_;  // [B, T, W]
};

}  // namespace poslab::training
