// SPDX-License-Identifier: Apache-2.0
// Small helpers for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace poslab::base {

/// The candidate nearest to `word` (edit distance with transpositions), if near enough to be a slip; else empty.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
/// `; did you mean "length"?` or, with nothing near, empty.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);
/// "a, b and c"
std::string enumerate(const std::vector<std::string>& words);
/// The first `most` of them and how many there are besides: "a, b and 7 more".
std::string enumerate(std::vector<std::string> words, std::size_t most);
/// Shortest decimal text that reads back as the same double: 0.1, 10000, 1e-12, nan, inf.
std::string shortest(double x);
/// "3.2 GiB"
std::string human_bytes(double bytes);
/// "2 h 5 min", "12 s", "0.3 s"
std::string human_seconds(double seconds);

/// Characters of ASCII, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// A letter, a digit, _ or -.
constexpr bool is_word_character(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; }

/// In quotes, as JSON and TOML both read it.
std::string quoted(const std::string& text);

}  // namespace poslab::base
