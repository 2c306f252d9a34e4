// SPDX-License-Identifier: Apache-2.0
// The characters of a file: its bytes, of which those that occur are the vocabulary, in their order. The first 90 % are
// trained on, the rest is held out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parts/sequences.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

/// Windows of so many characters: at random offsets in training, one after the other where they are held out.
class CharacterTask : public Task {
 public:
  /// `beyond`: characters that a window needs behind those that it shows. `symbols`: the vocabulary; empty: the
  /// characters that occur. Throws BadFile.
  CharacterTask(std::string_view text, Index beyond, std::string_view symbols);
  Index vocabulary() const override { return std::ssize(symbols_); }
  std::string symbols() const override { return symbols_; }
  Index tokens(Index size) const override { return size; }
  std::optional<base::Refusal> why_not(Index size) const override;
  std::uint64_t instances(Part part, Index size) const override;
  /// Those of guesses by how often each character occurs.
  Bounds bounds(Index size) const override;

 protected:
  /// The characters of a window, and those beyond. Throws base::Error.
  Tokens window(const base::Stream& draws, Part part, std::uint64_t i, Index size) const;

 private:
  Index held_out() const { return static_cast<Index>(characters_.size()) - split_; }
  std::array<double, 256> counts(Index first, Index count) const;

  std::vector<std::uint8_t> characters_;  // as numbers of the vocabulary
  Index beyond_;
  Index split_ = 0;  // the first one that is held out
  std::string symbols_;
};

}  // namespace poslab::tasks
