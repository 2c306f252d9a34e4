// SPDX-License-Identifier: Apache-2.0
// A task: a source of sequences with targets, which a network is trained on and measured at.
// Dimension letters: T tokens of a sequence, V alphabet.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/base/random.hpp"

namespace poslab::tasks {

using base::Index;

/// One sequence. What is to be said at token t is targets[t], where mask[t] is 1. A decoder sees tokens 0 .. t, an
/// encoder all of them: nothing is shifted by the reader.
struct Sequence {
  std::vector<std::int32_t> tokens;   ///< [T], each 0 .. V-1
  std::vector<std::int32_t> targets;  ///< [T]; 0 where the mask is 0
  std::vector<std::uint8_t> mask;     ///< [T]
};

/// Which part of a source: what is trained on, or what is held out. Generated sources have no end, and differ in their
/// draws alone.
enum class Part { training, held_out };

/// What a guess from no position, or the best possible guess, reaches. NaN: not known.
struct Bounds {
  double chance_accuracy = std::numeric_limits<double>::quiet_NaN();  ///< of the most frequent answer, per target
  double best_loss = std::numeric_limits<double>::quiet_NaN();        ///< nats per target of the Bayes guess
  double best_accuracy = std::numeric_limits<double>::quiet_NaN();    ///< per target, of the Bayes guess
  /// Per target, of the Bayes guess that knows the multiset of visible tokens but not their order.
  double unordered_accuracy = std::numeric_limits<double>::quiet_NaN();
};

/// A task with its settings fixed. Immutable.
class Task {
 public:
  virtual ~Task() = default;
  virtual Index alphabet() const = 0;  ///< V, special tokens included
  /// T of an instance of this size (letters to copy, digits to add, tokens of a text).
  virtual Index tokens(Index size) const = 0;
  /// Instance number `i` of `draws`: a pure function of (draws, part, i, size).
  virtual Sequence sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const = 0;
  virtual Bounds bounds(Index size) const = 0;
};

/// A task as it is declared. The list of all is made by CMake from the files of the folder.
struct TaskInfo {
  std::string id, title, sentence, source;
  bool causal = true, bidirectional = true;  ///< which networks it means something for
  std::string size_means;                    ///< "letters to copy"
  Index least_size = 1;
  bool needs_text = false;                   ///< a file that the user gives: --data text=FILE
  /// `text`: the contents of that file, or empty. Throws base::Error for one that it cannot use (empty, too short,
  /// binary).
  std::unique_ptr<Task> (*make)(std::string_view text);
};

const std::vector<TaskInfo>& all_tasks();
const TaskInfo& find_task(const std::string& id);  ///< throws base::Error with a did-you-mean

}  // namespace poslab::tasks
