// SPDX-License-Identifier: Apache-2.0
// Images: what is in them, and what is asked of it.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>

#include "catch.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;

namespace {

using Place = std::array<int, 2>;

std::vector<Place> places_of(const Sequence& s, int n, std::int32_t token) {
  std::vector<Place> places;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column)
      if (s.tokens[static_cast<std::size_t>(row * n + column)] == token) places.push_back({row, column});
  return places;
}

// Patches that hang together, straight or at a corner.
std::size_t pieces(std::vector<Place> left) {
  std::size_t count = 0;
  for (; !left.empty(); ++count) {
    std::vector<Place> reached{left.back()};
    left.pop_back();
    for (std::size_t r = 0; r < reached.size(); ++r)
      for (std::size_t i = left.size(); i-- > 0;)
        if (std::abs(left[i][0] - reached[r][0]) <= 1 && std::abs(left[i][1] - reached[r][1]) <= 1) {
          reached.push_back(left[i]);
          left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
        }
  }
  return count;
}

// The same answer at every patch.
std::int32_t asked_everywhere(const Sequence& s) {
  CHECK(std::count(s.mask.begin(), s.mask.end(), 1) == std::ssize(s.mask));
  CHECK(std::count(s.targets.begin(), s.targets.end(), s.targets[0]) == std::ssize(s.targets));
  return s.targets[0];
}

}  // namespace

TEST_CASE("images lie on a grid of n x n") {
  for (const char* id : {"image-rotation", "image-position", "image-count"}) {
    const auto task = at_hand::task(id);
    CHECK(task->grid(7) == std::vector<Index>{7, 7});
    CHECK(drawn(*task, 7, 0).grid == std::vector<Index>{7, 7});
  }
  CHECK(at_hand::task("copy")->grid(7).empty());
}

TEST_CASE("image-rotation: an L, turned clockwise as often as is said, anywhere") {
  const std::array<std::set<Place>, 4> shapes{{{{0, 0}, {1, 0}, {2, 0}, {2, 1}},    // L
                                               {{0, 0}, {0, 1}, {0, 2}, {1, 0}},    // its foot to the left, down
                                               {{0, 0}, {0, 1}, {1, 1}, {2, 1}},    // upside down
                                               {{0, 2}, {1, 0}, {1, 1}, {1, 2}}}};  // its foot to the right, up
  for (const int n : {3, 6}) {
    std::map<std::int32_t, std::set<Place>> corners;
    for (std::uint64_t i = 0; i < 600; ++i) {
      const Sequence s = drawn(*at_hand::task("image-rotation"), n, i);
      const std::vector<Place> filled = places_of(s, n, 1);
      Place corner = filled[0];
      for (const Place& one : filled)
        for (const std::size_t axis : {0, 1}) corner[axis] = std::min(corner[axis], one[axis]);
      std::set<Place> shape;
      for (const Place& one : filled) shape.insert({one[0] - corner[0], one[1] - corner[1]});
      const std::int32_t said = asked_everywhere(s);
      CHECK(shape == shapes[static_cast<std::size_t>(said)]);
      corners[said].insert(corner);
    }
    for (std::int32_t quarters = 0; quarters < 4; ++quarters)
      CHECK(corners[quarters].size() == static_cast<std::size_t>((n - 2) * (n - 1)));
  }
}

TEST_CASE("image-position: the direction of the landmark, clockwise from above") {
  for (const int n : {2, 3, 7})
    for (std::uint64_t i = 0; i < 100; ++i) {
      const Sequence s = drawn(*at_hand::task("image-position"), n, i);
      const std::vector<Place> landmarks = places_of(s, n, 2), filled = places_of(s, n, 1);
      REQUIRE((landmarks.size() == 1 && std::ssize(filled) == n));
      CHECK(std::count(s.mask.begin(), s.mask.end(), 1) == n);
      for (const Place& one : filled) {
        const int down = landmarks[0][0] - one[0], right = landmarks[0][1] - one[1];
        const char* said[] = {"up", "up right", "right", "down right", "down", "down left", "left", "up left"};
        std::string expected = down < 0 ? "up" : down > 0 ? "down" : "";
        const std::string across = right < 0 ? "left" : right > 0 ? "right" : "";
        expected += (expected.empty() || across.empty() ? "" : " ") + across;
        const auto at = static_cast<std::size_t>(one[0] * n + one[1]);
        CHECK(s.mask[at] == 1);
        CHECK(said[s.targets[at]] == expected);
      }
    }
}

TEST_CASE("image-count: bars that do not touch, as many as is said") {
  std::map<std::int32_t, int> often;
  for (const int n : {4, 7})
    for (std::uint64_t i = 0; i < 300; ++i) {
      const Sequence s = drawn(*at_hand::task("image-count"), n, i);
      const std::vector<Place> filled = places_of(s, n, 1);
      CHECK(filled.size() == 4);
      const std::int32_t said = asked_everywhere(s);
      CHECK(pieces(filled) == static_cast<std::size_t>(said));
      ++often[said];
    }
  CHECK(often.size() == 3);
  for (const int count : {1, 2, 4}) CHECK(often[count] > 150);
}
