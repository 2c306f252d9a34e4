// SPDX-License-Identifier: Apache-2.0
#include "parts/sequences.hpp"

#include <cstddef>
#include <iterator>
#include <utility>

namespace poslab::tasks {

Tokens joined(Tokens first, const Tokens& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Sequence unasked(Tokens tokens) {
  const std::size_t T = tokens.size();
  return {std::move(tokens), Tokens(T, 0), std::vector<std::uint8_t>(T, 0)};
}

void add_token(Sequence& sequence, std::int32_t token, std::optional<std::int32_t> target) {
  sequence.tokens.push_back(token);
  sequence.targets.push_back(target.value_or(0));
  sequence.mask.push_back(target ? 1 : 0);
}

Marks marks_after(Index plain_tokens) {
  const auto first = static_cast<std::int32_t>(plain_tokens);
  return {first, first + 1, first + 2};
}

Sequence prompted(const Tokens& prompt, const Tokens& answer, const Marks& marks, Index longest) {
  Sequence sequence = unasked(joined({marks.begin}, prompt));
  std::int32_t token = marks.separator;
  for (const std::int32_t target : answer) {
    add_token(sequence, token, target);
    token = target;
  }
  add_token(sequence, token, marks.end);
  for (Index n = static_cast<Index>(answer.size()); n < longest; ++n) add_token(sequence, marks.end);
  return sequence;
}

Sequence at_blanks(const Tokens& input, const Tokens& answer, std::int32_t blank) {
  Sequence sequence = unasked(input);
  for (const std::int32_t target : answer) add_token(sequence, blank, target);
  return sequence;
}

Sequence blanks_up_to(const Tokens& input, const Tokens& answer, Index blanks, std::int32_t blank) {
  Sequence sequence = at_blanks(input, answer, blank);
  for (Index n = std::ssize(answer); n < blanks; ++n) add_token(sequence, blank);
  return sequence;
}

Sequence next_symbols(const Tokens& symbols) {
  Sequence sequence;
  for (std::size_t t = 0; t + 1 < symbols.size(); ++t) add_token(sequence, symbols[t], symbols[t + 1]);
  return sequence;
}

}  // namespace poslab::tasks
