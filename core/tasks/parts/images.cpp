// SPDX-License-Identifier: Apache-2.0
#include "parts/images.hpp"

#include <cstddef>

namespace poslab::tasks {

Sequence ImageTask::image_of(const std::vector<Patch>& filled, Index n) {
  const auto patches = static_cast<std::size_t>(n * n);
  Sequence image{Tokens(patches, empty_patch), Tokens(patches, 0), std::vector<std::uint8_t>(patches, 0)};
  image.grid = {n, n};
  for (const auto& [row, column] : filled) image.tokens[base::at(row * n + column)] = filled_patch;
  return image;
}

void ImageTask::ask_everywhere(std::int32_t answer, Sequence& image) {
  image.targets.assign(image.tokens.size(), answer);
  image.mask.assign(image.tokens.size(), 1);
}

}  // namespace poslab::tasks
