// SPDX-License-Identifier: Apache-2.0
// Numbers as they lie in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bytes {

inline std::string little(std::uint64_t number, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += static_cast<char>((number >> (8 * i)) & 255);
  return text;
}

template <class T>
std::string raw(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

}  // namespace bytes
