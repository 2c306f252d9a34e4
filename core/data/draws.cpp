// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/draws.hpp"

#include <fmt/format.h>

namespace poslab::data {

base::Stream Draws::contents(std::string_view purpose, std::initializer_list<base::Index> extents) const {
  return base::Stream(
      fmt::format("contents/{}/{}/{}/{}/[{}]", seed_, experiment_, repeat_, purpose, fmt::join(extents, ", ")));
}

base::Array<double> Draws::normal(std::string_view purpose, std::initializer_list<base::Index> extents) const {
  base::Array<double> out(extents);
  contents(purpose, extents).fill_normal(out);
  return out;
}

base::Stream Draws::weights(std::string_view weight_name, std::span<const base::Index> shape, int layer) const {
  return base::Stream(
      fmt::format("weights/{}/{}/{}/{}/[{}]/{}", seed_, scheme_, repeat_, weight_name, fmt::join(shape, ", "), layer));
}

}  // namespace poslab::data
