// SPDX-License-Identifier: Apache-2.0
// The positions of a case, from the words of the table.
#include <algorithm>

#include "arrays.hpp"
#include "table.hpp"

namespace poslab::golden {
namespace {

// Position of every token under a padding mask [1, N]: real tokens count from 0, padding ones sit at `padding`.
base::Array<double> positions_from_mask(const Dataset& mask, double padding) {
  base::Array<double> positions({static_cast<Index>(mask.numbers.size()), 1});
  double seen = 0;
  for (std::size_t i = 0; i < mask.numbers.size(); ++i) positions.data()[i] = mask.numbers[i] != 0 ? seen++ : padding;
  return positions;
}

base::Array<double> counted(Index count) {
  base::Array<double> positions({count, 1});
  for (Index i = 0; i < count; ++i) positions(i, 0) = static_cast<double>(i);
  return positions;
}

// Coordinate a of position n from the dataset of axis a, ["row", "col"], or counted: [..., {"numbers": count}].
base::Array<double> stacked(const Facts& facts, const Json& names) {
  const auto axes = static_cast<Index>(names.size());
  base::Array<double> positions({static_cast<Index>(facts.dataset(names[0].get<std::string>()).numbers.size()), axes});
  for (Index a = 0; a < axes; ++a) {
    const Json& name = names[static_cast<std::size_t>(a)];
    const bool counts = name.is_object();
    if (counts && facts.number(name["numbers"].get<std::string>()) != static_cast<double>(positions.extent(0)))
      throw Unknown("the axes of a position have different lengths");
    const Dataset* axis = counts ? nullptr : &facts.dataset(name.get<std::string>());
    for (Index n = 0; n < positions.extent(0); ++n)
      positions(n, a) = counts ? static_cast<double>(n) : axis->numbers.at(static_cast<std::size_t>(n));
  }
  return positions;
}

// Every cell of a grid, row-major: coordinate a of position n runs from 0 to extents[a] - 1.
base::Array<double> grid_positions(const std::vector<Index>& extents) {
  Index count = 1;
  for (const Index extent : extents) count *= extent;
  base::Array<double> positions({count, static_cast<Index>(extents.size())});
  for (Index n = 0; n < count; ++n)
    for (Index axis = positions.extent(1), rest = n; axis-- > 0; rest /= extents[static_cast<std::size_t>(axis)])
      positions(n, axis) = static_cast<double>(rest % extents[static_cast<std::size_t>(axis)]);
  return positions;
}

// The extents of a grid: an attribute [rows, columns], or a dataset of that name.
std::vector<Index> grid_extents(const Facts& facts, const std::string& name) {
  const Json* extents = facts.attribute(name);
  if (extents && extents->is_array()) return extents->get<std::vector<Index>>();
  if (!facts.has_dataset(name)) throw Unknown("the table asks for a grid that the case does not have");
  const std::vector<double>& numbers = facts.dataset(name).numbers;
  return {numbers.begin(), numbers.end()};
}

// Positions at the origin before the others: rows of a table that have no position, such as a class token's.
base::Array<double> after_rows(const base::Array<double>& positions, Index rows) {
  base::Array<double> all({rows + positions.extent(0), positions.extent(1)});
  std::copy(positions.flat().begin(), positions.flat().end(), all.data() + rows * positions.extent(1));
  return all;
}

// (position + plus) / divisor
base::Array<double> from_dataset(Dataset dataset, double plus, double divisor, const Dataset* shifts = nullptr) {
  const Index axes = dataset.shape.size() == 2 ? dataset.shape[1] : 1;
  base::Array<double> positions({static_cast<Index>(dataset.numbers.size()) / axes, axes});
  for (std::size_t i = 0; shifts && i < dataset.numbers.size(); ++i) dataset.numbers[i] += shifts->numbers.at(i);
  for (std::size_t i = 0; i < dataset.numbers.size(); ++i) positions.data()[i] = (dataset.numbers[i] + plus) / divisor;
  return positions;
}

}  // namespace

base::Array<double> positions_of(const Facts& facts, const Json& spec) {
  if (spec.is_string()) return from_dataset(facts.dataset(spec.get<std::string>()), 0, 1);
  if (spec.contains("dataset")) {
    const Dataset& dataset = facts.dataset(spec["dataset"].get<std::string>());
    const std::string plus = spec.value("plus", "0");
    const bool shifts = facts.has_dataset(plus);
    return from_dataset(dataset, shifts ? 0 : facts.number(plus), facts.number(spec.value("divided_by", "1")),
                        shifts ? &facts.dataset(plus) : nullptr);
  }
  if (spec.contains("count") && facts.has_dataset("positions")) return from_dataset(facts.dataset("positions"), 0, 1);
  if (spec.contains("count")) return counted(static_cast<Index>(facts.number(spec["count"].get<std::string>())));
  if (spec.contains("mask"))
    return positions_from_mask(facts.dataset(spec["mask"].get<std::string>()), spec["padding"].get<double>());
  if (spec.contains("axes")) return stacked(facts, spec["axes"]);
  if (spec.contains("transposed")) return transposed<double>(facts.dataset(spec["transposed"].get<std::string>()));
  if (spec.contains("grid") && spec["grid"].is_array()) {
    std::vector<Index> extents;
    for (const Json& extent : spec["grid"])
      extents.push_back(static_cast<Index>(facts.number(extent.get<std::string>())));
    return grid_positions(extents);
  }
  if (spec.contains("grid"))
    return after_rows(grid_positions(grid_extents(facts, spec["grid"].get<std::string>())),
                      static_cast<Index>(facts.number(spec.value("after_rows", "0"))));
  if (spec.contains("only")) {
    base::Array<double> one({1, 1});
    one(0, 0) = facts.number(spec["only"].get<std::string>());
    return one;
  }
  throw Unknown("the table's positions cannot be read: " + spec.dump());
}

}  // namespace poslab::golden
