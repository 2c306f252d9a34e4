// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/shard.hpp"

#include <fmt/format.h>

namespace poslab::data {

std::filesystem::path shard_output(const std::filesystem::path& output, const Shard& shard) {
  const std::string name =
      fmt::format("{}.{}-of-{}{}", output.stem().string(), shard.index, shard.count, output.extension().string());
  return output.parent_path() / name;
}

}  // namespace poslab::data
