// SPDX-License-Identifier: Apache-2.0
// A part of a plan that one machine performs: the i-th of n.
#pragma once

#include <filesystem>
#include <string>

namespace poslab::data {

inline constexpr int max_shards = 10000;

struct Shard {
  int index = 1, count = 1;  ///< index from 1 to count
  bool operator==(const Shard&) const = default;
  std::string text() const { return std::to_string(index) + " of " + std::to_string(count); }
  std::string option() const { return std::to_string(index) + "/" + std::to_string(count); }
};

/// `a.h5` -> `a.3-of-40.h5`: beside this name lies the shard's journal, and nothing under it
std::filesystem::path shard_output(const std::filesystem::path& output, const Shard& shard);

}  // namespace poslab::data
