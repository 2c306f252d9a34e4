// SPDX-License-Identifier: Apache-2.0
// Four filled patches of an image are one bar, two bars or four patches alone, none of which touch, not even at their
// corners; how many.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "parts/counts.hpp"
#include "parts/images.hpp"

namespace poslab::tasks {
namespace {

constexpr Index filled_patches = 4;
constexpr std::array<Index, 3> counts{1, 2, 4};

std::vector<Patch> drawn_bar(Dice& dice, Index length, Index n) {
  const bool upright = dice.happens(0.5);
  const Index along = dice.below(n - length + 1), across = dice.below(n);
  std::vector<Patch> bar;
  for (Index i = 0; i < length; ++i) bar.push_back(upright ? Patch{along + i, across} : Patch{across, along + i});
  return bar;
}

bool touch(const Patch& one, const Patch& other) {
  return std::abs(one[0] - other[0]) <= 1 && std::abs(one[1] - other[1]) <= 1;
}

class ImageCount final : public ImageTask {
 public:
  ImageCount() : ImageTask("image-count", 4) {}
  Index vocabulary() const override { return filled_patches + 1; }
  // Unordered: four patches are filled, whatever the count.
  Bounds bounds(Index /*size*/) const override { return certain(1.0 / 3, std::log(3.0), 1.0 / 3); }

 private:
  // All bars anew until none touch: every image of so many bars is as likely as their orders make it.
  Sequence draw(Dice& dice, Index size) const override {
    const Index count = counts[base::at(dice.below(3))];
    for (;;) {
      std::vector<Patch> all;
      bool apart = true;
      for (Index b = 0; b < count; ++b) {
        const std::vector<Patch> bar = drawn_bar(dice, filled_patches / count, size);
        for (const Patch& one : bar)
          apart = apart && std::none_of(all.begin(), all.end(), [&](const Patch& other) { return touch(one, other); });
        all.insert(all.end(), bar.begin(), bar.end());
      }
      if (!apart) continue;
      Sequence image = image_of(all, size);
      ask_everywhere(static_cast<std::int32_t>(count), image);
      return image;
    }
  }
};

}  // namespace

TaskInfo make_image_count() {
  return {.title = "count of shapes in an image",
          .sentence = "At every patch of an image, say how many bars its four filled patches are.",
          .source = "ours",
          .causal = false,
          .size_means = "patches on a side",
          .min_size = 4,
          .make = make_task<ImageCount>};
}

}  // namespace poslab::tasks
