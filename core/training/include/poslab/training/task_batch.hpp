// SPDX-License-Identifier: Apache-2.0
// Instances of a task as one batch: shorter ones are filled up at their end with token 0, which is never asked for.
#pragma once

#include <cstdint>
#include <functional>
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
  /// Gives each sequence positions of its own: `of`(sequence, its length) are as many as it has tokens, one axis each.
  void place(const std::function<std::vector<double>(Index sequence, Index length)>& of);
  /// Puts the tokens of all on the grid that their sequences have, one and the same.
  void place_on_grid();
  /// Every two sequences become one, the first one's tokens before the second's; each begins at position 0 again.
  void pack();
  /// [B, T] of what was added, T the longest; good until the next change. What a shorter one is filled up with stands
  /// where its last token stands.
  network::Batch view();
  Index sequences() const { return static_cast<Index>(starts_.size()); }
  /// The real length of one that was added.
  Index length(Index sequence) const;

 private:
  void fill_positions(Index T);

  struct Token {
    std::int32_t token, target;
    std::uint8_t loss_mask;
  };
  std::vector<std::size_t> starts_;  // of each sequence in what follows
  std::vector<Token> given_;
  std::vector<double> given_vectors_;  // [tokens, W]
  Index vector_width_ = 0;
  std::vector<Index> grid_;        // rows and columns, of the sequences
  std::vector<double> own_;        // of each token given, where sequences are placed one by one
  std::vector<double> positions_;  // [B, T, 1], or [T, 2] of a grid
  bool is_on_grid_ = false;
  std::vector<std::int32_t> tokens_, targets_;
  std::vector<std::uint8_t> loss_mask_;
  std::vector<double> vectors_;  // [B, T, W]
  std::vector<Index> lengths_;   // [B]
};

}  // namespace poslab::training
