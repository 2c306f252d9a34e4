// SPDX-License-Identifier: Apache-2.0
// Reading: every size is checked against what is stored (bounds.hpp) before memory is allocated.
#include "h5/bounds.hpp"
#include "h5/dataset.hpp"
#include "h5/types.hpp"

namespace poslab::results::h5 {

Shape shape_of(hid_t dataset) {
  const Handle space = space_of(dataset);
  Shape shape(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space), "H5Sget_simple_extent_ndims")));
  if (!shape.empty()) check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "H5Sget_simple_extent_dims");
  return shape;
}

std::vector<double> read_numbers(hid_t dataset) {
  std::vector<double> numbers(whole_count(dataset));
  if (!numbers.empty())
    check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), "H5Dread");
  return numbers;
}

std::vector<double> read_block(hid_t dataset, const Shape& start, const Shape& extent) {
  std::vector<double> numbers(block_count(dataset, start, extent));
  if (numbers.empty()) return numbers;
  const Handle memory = simple_space(extent), block = block_of(dataset, start, extent);
  check(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, block, H5P_DEFAULT, numbers.data()), "H5Dread");
  return numbers;
}

std::string read_words(hid_t dataset, hsize_t start, hsize_t count) {
  std::string bytes(block_count(dataset, {start}, {count}) * sizeof(std::uint64_t), '\0');
  if (count == 0) return bytes;
  const Handle memory = simple_space({count}), block = block_of(dataset, {start}, {count});
  check(H5Dread(dataset, H5T_NATIVE_UINT64, memory, block, H5P_DEFAULT, bytes.data()), "H5Dread");
  return bytes;
}

std::vector<std::uint64_t> read_unsigned(hid_t dataset) {
  believable_length(dataset);
  std::vector<std::uint64_t> numbers(whole_count(dataset));
  if (!numbers.empty())
    check(H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), "H5Dread");
  return numbers;
}

hsize_t believable_length(hid_t dataset) {
  if (shape_of(dataset).size() != 1) damaged(dataset, "must have one axis");
  return stored_count(dataset);
}

std::vector<std::string> read_texts(hid_t dataset) {
  const Handle type = text_type(), space = space_of(dataset);
  std::vector<char*> pointers_read(whole_count(dataset, sizeof(char*) + sizeof(std::string)), nullptr);
  std::vector<std::string> texts;
  if (pointers_read.empty()) return texts;
  TextBudget budget;
  const Handle bounded = bounded_texts(budget);
  const herr_t problem = H5Dread(dataset, type, H5S_ALL, H5S_ALL, bounded, pointers_read.data());
  if (problem >= 0) {
    texts.reserve(pointers_read.size());
    for (const char* text : pointers_read) texts.emplace_back(text ? text : "");
  }
  const herr_t reclaimed =
      H5Dvlen_reclaim(type, space, bounded, pointers_read.data());  // also what came before a problem
  if (budget.exceeded) damaged(dataset, "holds texts of more than 1 GiB");
  check(problem, "H5Dread");
  check(reclaimed, "H5Dvlen_reclaim");
  return texts;
}

}  // namespace poslab::results::h5
