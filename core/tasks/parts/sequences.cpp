// SPDX-License-Identifier: Apache-2.0
#include "parts/sequences.hpp"

#include <cstddef>
#include <iterator>

namespace poslab::tasks {
namespace {

void append(Sequence& sequence, std::int32_t token, std::int32_t target, bool asked) {
  sequence.tokens.push_back(token);
  sequence.targets.push_back(asked ? target : 0);
  sequence.mask.push_back(asked ? 1 : 0);
}

}  // namespace

Marks marks_after(Index plain_tokens) {
  const auto first = static_cast<std::int32_t>(plain_tokens);
  return {first, first + 1, first + 2};
}

Sequence prompted(const Tokens& prompt, const Tokens& answer, const Marks& marks, Index longest) {
  Sequence sequence;
  append(sequence, marks.begin, 0, false);
  for (const std::int32_t one : prompt) append(sequence, one, 0, false);
  std::int32_t token = marks.separator;
  for (const std::int32_t target : answer) {
    append(sequence, token, target, true);
    token = target;
  }
  append(sequence, token, marks.end, true);
  for (Index n = static_cast<Index>(answer.size()); n < longest; ++n) append(sequence, marks.end, 0, false);
  return sequence;
}

Sequence at_blanks(const Tokens& input, const Tokens& answer, std::int32_t blank) {
  Sequence sequence;
  for (const std::int32_t one : input) append(sequence, one, 0, false);
  for (const std::int32_t target : answer) append(sequence, blank, target, true);
  return sequence;
}

Sequence blanks_up_to(const Tokens& input, const Tokens& answer, Index blanks, std::int32_t blank) {
  Sequence sequence = at_blanks(input, answer, blank);
  for (Index n = std::ssize(answer); n < blanks; ++n) append(sequence, blank, 0, false);
  return sequence;
}

Sequence next_symbols(const Tokens& symbols) {
  Sequence sequence;
  for (std::size_t t = 0; t + 1 < symbols.size(); ++t) append(sequence, symbols[t], symbols[t + 1], true);
  return sequence;
}

}  // namespace poslab::tasks
