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

/// Two digits a byte.
inline std::string from_hex(const std::string& digits) {
  std::string text;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return text;
}

}  // namespace bytes
