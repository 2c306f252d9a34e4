// SPDX-License-Identifier: Apache-2.0
#include "h5/dataset.hpp"

#include <algorithm>
#include <limits>

#include "h5/types.hpp"

namespace poslab::results::h5 {
namespace {

// About 64 kB: whole rows while they are small, one row or a part of it where they are long, so that the part of a row
// that a cell does not have is never stored.
Shape chunk_of(const Shape& shape) {
  constexpr hsize_t most = 8192;
  Shape chunk(shape.size(), 1);
  hsize_t room = most;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const bool across_rows = axis == 0 && shape.size() > 1;
    if (across_rows && room < 8) break;  // long rows: one a chunk
    chunk[axis] = std::clamp<hsize_t>(shape[axis], 1, room);
    room = std::max<hsize_t>(1, room / chunk[axis]);
  }
  return chunk;
}

Handle creation_list(Type type, const Handle& disk_type, const Shape& shape) {
  constexpr hsize_t large = 65536;
  Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate");
  check(H5Pset_obj_track_times(list, false), "H5Pset_obj_track_times");
  check(H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "H5Pset_attr_creation_order");
  check(H5Pset_attr_phase_change(list, 64, 32), "H5Pset_attr_phase_change");  // attributes stay in the object's header
  if (type == Type::real) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    check(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &nan), "H5Pset_fill_value");
  }
  if (!shape.empty() && size_of(shape) * H5Tget_size(disk_type) >= large) {
    const Shape chunk = chunk_of(shape);
    check(H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()), "H5Pset_chunk");
    check(H5Pset_shuffle(list), "H5Pset_shuffle");
    check(H5Pset_deflate(list, 4), "H5Pset_deflate");
  }
  return list;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  result.reserve(texts.size());
  for (const std::string& text : texts) result.push_back(text.c_str());
  return result;
}

}  // namespace

hsize_t size_of(const Shape& shape) {
  hsize_t size = 1;
  for (const hsize_t extent : shape) size *= extent;
  return size;
}

std::size_t count(const Values& values) {
  return std::visit([](const auto& list) { return list.size(); }, values);
}

Handle create_dataset(hid_t parent, const std::string& name, Type type, const Shape& shape) {
  const Handle disk = on_disk(type), space = simple_space(shape), creation = creation_list(type, disk, shape);
  return {H5Dcreate2(parent, name.c_str(), disk, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, "H5Dcreate2"};
}

void write(hid_t dataset, const Values& values) {
  if (count(values) == 0) return;
  if (const auto* texts = std::get_if<std::vector<std::string>>(&values)) {
    check(H5Dwrite(dataset, text_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers(*texts).data()), "H5Dwrite");
    return;
  }
  std::visit(
      [&](const auto& list) {
        using Item = typename std::decay_t<decltype(list)>::value_type;
        if constexpr (!std::is_same_v<Item, std::string>)
          check(H5Dwrite(dataset, in_memory(Item{}), H5S_ALL, H5S_ALL, H5P_DEFAULT, list.data()), "H5Dwrite");
      },
      values);
}

template <class Number>
void write_block(hid_t dataset, const Shape& start, const Shape& extent, const std::vector<Number>& values) {
  if (values.size() != size_of(extent))
    throw base::Error("a block of a dataset was given another number of values than it has");
  if (values.empty()) return;
  const Handle memory = simple_space(extent), block = block_of(dataset, start, extent);
  check(H5Dwrite(dataset, in_memory(Number{}), memory, block, H5P_DEFAULT, values.data()), "H5Dwrite");
}

template void write_block(hid_t, const Shape&, const Shape&, const std::vector<double>&);
template void write_block(hid_t, const Shape&, const Shape&, const std::vector<std::uint8_t>&);
template void write_block(hid_t, const Shape&, const Shape&, const std::vector<std::uint64_t>&);

}  // namespace poslab::results::h5
