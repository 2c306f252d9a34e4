// SPDX-License-Identifier: Apache-2.0
#include "parts/sequences.hpp"

#include <cstddef>

namespace poslab::tasks {
namespace {

void append(Sequence& sequence, std::int32_t token, std::int32_t target, bool asked) {
  sequence.tokens.push_back(token);
  sequence.targets.push_back(asked ? target : 0);
  sequence.mask.push_back(asked ? 1 : 0);
}

}  // namespace

Marks marks_after(Index letters) {
  const auto first = static_cast<std::int32_t>(letters);
  return {first, first + 1, first + 2};
}

Sequence prompted(const Letters& prompt, const Letters& answer, const Marks& marks, Index longest) {
  Sequence sequence;
  append(sequence, marks.begin, 0, false);
  for (const std::int32_t letter : prompt) append(sequence, letter, 0, false);
  std::int32_t token = marks.separator;
  for (const std::int32_t letter : answer) {
    append(sequence, token, letter, true);
    token = letter;
  }
  append(sequence, token, marks.end, true);
  for (Index n = static_cast<Index>(answer.size()); n < longest; ++n) append(sequence, marks.end, 0, false);
  return sequence;
}

Sequence at_blanks(const Letters& input, const Letters& answer, std::int32_t blank) {
  Sequence sequence;
  for (const std::int32_t letter : input) append(sequence, letter, 0, false);
  for (const std::int32_t letter : answer) append(sequence, blank, letter, true);
  return sequence;
}

Sequence next_symbols(const Letters& symbols) {
  Sequence sequence;
  for (std::size_t t = 0; t + 1 < symbols.size(); ++t) append(sequence, symbols[t], symbols[t + 1], true);
  return sequence;
}

}  // namespace poslab::tasks
