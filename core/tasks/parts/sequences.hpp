// SPDX-License-Identifier: Apache-2.0
// How sequences are put together, and the three ways in which something is asked: after a prompt, at blanks, and at
// every token.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

using Tokens = std::vector<std::int32_t>;

/// The first tokens, and behind them the second.
Tokens joined(Tokens first, const Tokens& second);

/// A sequence of these tokens that asks for nothing yet.
Sequence unasked(Tokens tokens);
/// One token more, and what is asked there, if anything is.
void add_token(Sequence& sequence, std::int32_t token, std::optional<std::int32_t> target = {});

/// The tokens after a vocabulary that a prompt needs.
struct Marks {
  std::int32_t begin, separator, end;
};
inline constexpr Index mark_count = 3;
Marks marks_after(Index plain_tokens);

/// For a decoder, which is fed the true answer while it is trained: begin, prompt, separator, answer; what is asked
/// from the separator on is the answer and then the end. Shorter answers may be filled up: to `longest`, with ends that
/// nothing asks for.
Sequence prompted(const Tokens& prompt, const Tokens& answer, const Marks& marks, Index longest = 0);
inline Index prompted_tokens(Index prompt, Index answer) { return prompt + answer + 2; }

/// For an encoder: the input and a blank for each token of the answer, which is asked there.
Sequence at_blanks(const Tokens& input, const Tokens& answer, std::int32_t blank);
/// The same with so many blanks: those behind the answer are not asked.
Sequence blanks_up_to(const Tokens& input, const Tokens& answer, Index blanks, std::int32_t blank);

/// Made of T + 1 symbols: at every token the next one is asked.
Sequence next_symbols(const Tokens& symbols);

}  // namespace poslab::tasks
