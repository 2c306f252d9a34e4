// SPDX-License-Identifier: Apache-2.0
#include "parts/mixtures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <utility>

namespace poslab::tasks {
namespace {

constexpr double scatter = 0.75;

Vector gaussian(Dice& dice) {
  Vector drawn = dice.normals(item_width);
  for (double& x : drawn) x /= std::sqrt(static_cast<double>(item_width));
  return drawn;
}

}  // namespace

Vector label_vector(const base::Stream& draws, std::int32_t label) {
  Dice dice(stream_within(draws, fmt::format("label {}", label)));
  return gaussian(dice);
}

Class learned_class(const base::Stream& draws, Index number) {
  Dice dice(stream_within(draws, fmt::format("class {}", number)));
  return novel_class(dice);
}

Class novel_class(Dice& dice) {
  Vector mean = gaussian(dice);
  return {std::move(mean), dice.token(label_count)};
}

Item item_of(const Class& one, Dice& dice) {
  Vector vector = gaussian(dice);
  for (std::size_t w = 0; w < vector.size(); ++w)
    vector[w] = (one.mean[w] + scatter * vector[w]) / std::sqrt(1 + scatter * scatter);
  return {std::move(vector), one.label};
}

}  // namespace poslab::tasks
