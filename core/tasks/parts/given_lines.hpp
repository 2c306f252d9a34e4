// SPDX-License-Identifier: Apache-2.0
// Sequences and targets of a user's own, as a file has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

struct GivenLines {
  Index vocabulary = 0;
  std::vector<Sequence> lines;  ///< in their order; each asks for something
  std::string words = {};       ///< of a text: the vocabulary in its order, with spaces between them
};

/// One instance a line: its tokens, a tab, as many targets; words with spaces between them. A target - or _ does not
/// count. The vocabulary are all words, in order. Blank lines are passed over. Throws BadFile with line and column.
GivenLines lines_of_text(std::string_view text);

/// A .npy of whole numbers [lines, 2, T]: tokens and targets. A target of -1 does not count; a token of -1 and all
/// behind it are no part of a line. Throws BadFile with the place.
GivenLines lines_of_npy(std::string_view bytes);

inline constexpr std::int32_t max_given_token = (1 << 20) - 1;

BadFile bad_lines(const std::string& problem);

}  // namespace poslab::tasks
