// SPDX-License-Identifier: Apache-2.0
#include "parts/permutations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "parts/counts.hpp"

namespace poslab::tasks {
namespace {

bool is_even(const Tokens& images) {
  int inversions = 0;
  for (std::size_t i = 0; i < images.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) inversions += images[j] > images[i];
  return inversions % 2 == 0;
}

// The table of a group whose elements are sorted.
std::vector<std::vector<std::int32_t>> table_of(const std::vector<Tokens>& group) {
  std::vector<std::vector<std::int32_t>> table(group.size());
  for (std::size_t first = 0; first < group.size(); ++first)
    for (const Tokens& second : group) {
      Tokens both;
      for (const std::int32_t image : group[first]) both.push_back(second[base::at(image)]);
      const auto found = std::lower_bound(group.begin(), group.end(), both);
      table[first].push_back(static_cast<std::int32_t>(found - group.begin()));
    }
  return table;
}

}  // namespace

std::vector<Tokens> permutations_of(Index k, bool even_only) {
  Tokens images(static_cast<std::size_t>(k));
  std::iota(images.begin(), images.end(), 0);
  std::vector<Tokens> all;
  do {
    if (!even_only || is_even(images)) all.push_back(images);
  } while (std::next_permutation(images.begin(), images.end()));
  return all;
}

StateTracking::StateTracking(std::string id, std::vector<Tokens> group)
    : Generated(std::move(id), 1), group_(std::move(group)), then_(table_of(group_)) {}

Bounds StateTracking::bounds(Index /*size*/) const {
  const auto elements = static_cast<double>(group_.size());
  return certain(1 / elements, std::log(elements));
}

Sequence StateTracking::draw(Dice& dice, Index size) const {
  Sequence sequence = unasked({static_cast<std::int32_t>(elements())});
  std::int32_t state = 0;  // the identity comes first
  for (const std::int32_t token : dice.tokens(size, elements())) {
    state = then_[base::at(state)][base::at(token)];
    add_token(sequence, token, state);
  }
  return sequence;
}

}  // namespace poslab::tasks
