// SPDX-License-Identifier: Apache-2.0
// An image with a landmark and n filled patches anywhere else; at these in which direction the landmark lies: above,
// above and to the right, and so on clockwise.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "parts/counts.hpp"
#include "parts/images.hpp"

namespace poslab::tasks {
namespace {

// [signs of the landmark's row and column less the patch's, each plus 1]
constexpr std::array<std::array<std::int32_t, 3>, 3> direction_of{{{7, 0, 1}, {6, -1, 2}, {5, 4, 3}}};

std::size_t one_more_than_sign(Index x) { return x < 0 ? 0 : x == 0 ? 1 : 2; }

class ImagePosition final : public ImageTask {
 public:
  ImagePosition() : ImageTask("image-position", 2) {}
  Index vocabulary() const override { return 8; }
  // Two patches of n x n are in one row with a chance of 1/(n + 1), and so in one column.
  Bounds bounds(Index size) const override {
    const double in_line = 1 / static_cast<double>(size + 1), straight = in_line / 2, oblique = (1 - 2 * in_line) / 4;
    const std::array<double, 8> directions{straight, oblique, straight, oblique, straight, oblique, straight, oblique};
    const double likeliest = std::max(straight, oblique);
    return certain(likeliest, entropy(directions), likeliest);  // the multiset is always the same
  }

 private:
  static constexpr std::int32_t landmark = 2;

  Sequence draw(Dice& dice, Index size) const override {
    const std::vector<Index> places = dice.different(size + 1, size * size);
    std::vector<Patch> patches;
    for (const Index place : places) patches.push_back({place / size, place % size});
    Sequence image = image_of(patches, size);
    image.tokens[base::at(places.front())] = landmark;
    for (std::size_t p = 1; p < patches.size(); ++p) {
      const auto asked = base::at(places[p]);
      image.mask[asked] = 1;
      image.targets[asked] = direction_of[one_more_than_sign(patches.front()[0] - patches[p][0])]
                                         [one_more_than_sign(patches.front()[1] - patches[p][1])];
    }
    return image;
  }
};

}  // namespace

TaskInfo make_image_position() {
  return {.title = "direction of a landmark in an image",
          .sentence = "At every filled patch of an image, say in which of eight directions its landmark lies.",
          .source = "ours",
          .causal = false,
          .size_means = "patches on a side, and patches that are filled",
          .min_size = 2,
          .make = make_task<ImagePosition>};
}

}  // namespace poslab::tasks
