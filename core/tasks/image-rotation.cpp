// SPDX-License-Identifier: Apache-2.0
// An L of four patches stands somewhere in an image, upright or turned by one, two or three quarters clockwise.
#include <algorithm>
#include <cmath>
#include <vector>

#include "parts/counts.hpp"
#include "parts/images.hpp"

namespace poslab::tasks {
namespace {

// Turned about the origin, and then moved into the corner of rows and columns from 0 on.
std::vector<Patch> turned_l(Index quarters) {
  std::vector<Patch> patches{{0, 0}, {1, 0}, {2, 0}, {2, 1}};
  for (Index q = 0; q < quarters; ++q)
    for (Patch& one : patches) one = {one[1], -one[0]};
  for (const std::size_t axis : {0, 1}) {
    Index least = 0;
    for (const Patch& one : patches) least = std::min(least, one[axis]);
    for (Patch& one : patches) one[axis] -= least;
  }
  return patches;
}

class ImageRotation final : public ImageTask {
 public:
  ImageRotation() : ImageTask("image-rotation", 3) {}
  Index vocabulary() const override { return 4; }
  // Unordered: every image has four patches that are filled.
  Bounds bounds(Index /*size*/) const override { return certain(0.25, std::log(4.0), 0.25); }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    const Index quarters = dice.below(4);
    std::vector<Patch> patches = turned_l(quarters);
    for (const std::size_t axis : {0, 1}) {
      Index last = 0;
      for (const Patch& one : patches) last = std::max(last, one[axis]);
      const Index moved = dice.below(size - last);
      for (Patch& one : patches) one[axis] += moved;
    }
    Sequence image = image_of(patches, size);
    ask_everywhere(static_cast<std::int32_t>(quarters), image);
    return image;
  }
};

}  // namespace

TaskInfo make_image_rotation() {
  return {.title = "rotation of a shape in an image",
          .sentence = "At every patch of an image, say how the shape in it is turned.",
          .source = "ours",
          .causal = false,
          .size_means = "patches on a side",
          .min_size = 3,
          .make = make_task<ImageRotation>};
}

}  // namespace poslab::tasks
