// SPDX-License-Identifier: Apache-2.0
#include "parts/images.hpp"

#include <cstddef>

namespace poslab::tasks {

Sequence ImageTask::image_of(const std::vector<Patch>& filled, Index n) {
  Sequence image = unasked(Tokens(static_cast<std::size_t>(n * n), empty_patch));
  image.grid = {n, n};
  for (const auto& [row, column] : filled) image.tokens[base::at(row * n + column)] = filled_patch;
  return image;
}

void ImageTask::ask_everywhere(std::int32_t answer, Sequence& image) {
  image.targets.assign(image.tokens.size(), answer);
  image.mask.assign(image.tokens.size(), 1);
}

}  // namespace poslab::tasks
