// SPDX-License-Identifier: Apache-2.0
#include "calls/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "poslab/base/text.hpp"

namespace poslab::check {
namespace {

// What a dimension of an array runs over.
enum class Along { head, position, query, key, channel, nothing };

using Dimensions = std::array<Along, 3>;

Dimensions output_dimensions(Operation operation) {
  switch (operation) {
    case Operation::encode: return {Along::position, Along::channel, Along::nothing};
    case Operation::transform: return {Along::head, Along::position, Along::channel};
    case Operation::bias:
    case Operation::score: return {Along::head, Along::query, Along::key};
    case Operation::mix: break;
  }
  return {Along::head, Along::query, Along::channel};
}

// Gradients have the shape of what they are by.
Dimensions dimensions_of(const Call& call, const std::string& name) {
  const std::string of = name.substr(0, name.find("_gradient"));
  if (of == "output") return output_dimensions(call.operation);
  if (of == "attention") return {Along::head, Along::query, Along::key};
  if (of == "layer_input") return {Along::position, Along::channel, Along::nothing};
  const bool is_transformed = call.operation == Operation::transform;
  if (of == "query" || of == "mixed")
    return {Along::head, is_transformed ? Along::position : Along::query, Along::channel};
  if (of == "key" || of == "value") return {Along::head, is_transformed ? Along::position : Along::key, Along::channel};
  return {Along::nothing, Along::nothing, Along::nothing};
}

std::string position_text(const char* what, const Tensor& positions, Index row) {
  std::string text;
  for (Index a = 0; a < positions.shape[1]; ++a)
    text += (text.empty() ? "" : ", ") + base::shortest(positions.at(row, a));
  return fmt::format("{}position {}", what, positions.shape[1] == 1 ? text : "(" + text + ")");
}

std::string index_text(const Call& call, Along along, Index index) {
  const auto at = [&](const char* what, const Tensor& positions) {
    const bool has_row = positions.exists() && index < positions.shape[0];
    return has_row ? position_text(what, positions, index) : fmt::format("row {}", index);
  };
  switch (along) {
    case Along::head: return fmt::format("head {}", index);
    case Along::channel: return fmt::format("channel {}", index);
    case Along::query: return at("query at ", call.query_positions);
    case Along::key: return at("key at ", call.key_positions);
    case Along::position: return at("", call.positions.exists() ? call.positions : call.key_positions);
    case Along::nothing: break;
  }
  return fmt::format("index {}", index);
}

}  // namespace

std::string place_text(const Call& call, const std::string& name, const Tensor& tensor, std::size_t entry) {
  const Dimensions dimensions = dimensions_of(call, name);
  if (tensor.rank == 0 || (tensor.rank == 1 && dimensions.front() == Along::nothing)) return "";  // the entry says it
  std::vector<std::string> parts;
  auto rest = static_cast<Index>(entry);
  for (int axis = tensor.rank; axis-- > 0;) {
    const Index extent = std::max<Index>(tensor.shape[base::at(axis)], 1);
    const Along along = axis < 3 ? dimensions[base::at(axis)] : Along::nothing;
    parts.insert(parts.begin(), index_text(call, along, rest % extent));
    rest /= extent;
  }
  return fmt::format(" ({})", fmt::join(parts, ", "));
}

std::string entry_text(const Call& call, const Member& member, std::size_t entry) {
  return fmt::format("entry {} of `{}`{}", entry, member.name, place_text(call, member.name, *member.tensor, entry));
}

std::string gap_text(double one, double other, double allowed, int scalar) {
  const char* type = scalar == POSLAB_F32 ? "float32" : "float64";
  const double gap = std::abs(one - other), size = std::max(std::abs(one), std::abs(other));
  if (!std::isfinite(gap)) return fmt::format("; in {}", type);
  const std::string bound = allowed > 0 ? fmt::format("where {:.2g} is allowed", allowed) : "where none is allowed";
  const bool is_single = scalar == POSLAB_F64 && gap >= size * 0x1p-27 && gap <= size * 0x1p-20;
  return fmt::format("; {:.2g} apart in {}, {}{}", gap, type, bound,
                     is_single ? ": about float32's rounding of such a number" : "");
}

}  // namespace poslab::check
