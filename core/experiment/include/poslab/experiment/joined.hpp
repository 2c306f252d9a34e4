// SPDX-License-Identifier: Apache-2.0
// Texts that are put together when poslab is compiled: names and sentences of measures that differ in a word.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace poslab::experiments {

/// A text as an argument of a template.
template <std::size_t N>
struct Words {
  char text[N] = {};
  constexpr Words(const char (&words)[N]) { std::copy_n(words, N, text); }
  static constexpr std::size_t size = N - 1;
};

template <Words... parts>
struct Joined {
  static constexpr auto text = [] {
    std::array<char, (parts.size + ... + 1)> all{};
    char* end = all.data();
    ((end = std::copy_n(parts.text, parts.size, end)), ...);
    return all;
  }();
};
/// joined<"mean_", "random"> is "mean_random".
template <Words... parts>
inline constexpr const char* joined = Joined<parts...>::text.data();

}  // namespace poslab::experiments
