// SPDX-License-Identifier: Apache-2.0
#include "h5/bounds.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "poslab/base/printable.hpp"

namespace poslab::results::h5 {
namespace {

constexpr hsize_t best_ratio = 1100;  // deflate reaches 1032
constexpr hsize_t small = 1 << 17;    // bytes that need not be stored: a small dataset that was never written
constexpr std::size_t max_memory = std::size_t{1} << 30;
constexpr std::size_t max_column = std::size_t{256} << 20;  // bytes

std::string name_by(ssize_t (*get_name)(hid_t, char*, std::size_t), hid_t object) {
  const ssize_t length = get_name(object, nullptr, 0);
  std::string name(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (length > 0) get_name(object, name.data(), name.size() + 1);
  return name;
}

std::size_t width_of(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
  return H5Tget_size(type);
}

// Inflating grows as long as there is input, whatever the size of a chunk: the input is what can be bounded.
void check_chunks(hid_t dataset, const Shape& start, const Shape& extent) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose, "H5Dget_create_plist");
  if (H5Pget_layout(creation) != H5D_CHUNKED || H5Pget_nfilters(creation) == 0) return;
  Shape chunk(start.size()), corner(start.size());
  if (H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()) != static_cast<int>(chunk.size()))
    damaged(dataset, "has chunks of another shape");
  for (std::size_t axis = 0; axis < start.size(); ++axis) corner[axis] = start[axis] / chunk[axis] * chunk[axis];
  const Shape first = corner;
  const Silence silence;  // for chunks that were never written, which HDF5 calls an error
  for (;;) {
    hsize_t stored = 0;
    if (H5Dget_chunk_storage_size(dataset, corner.data(), &stored) < 0) stored = 0;
    if (stored > 2 * largest_chunk) damaged(dataset, fmt::format("has a chunk of {} stored bytes", stored));
    std::size_t axis = corner.size();
    while (axis > 0 && (corner[axis - 1] += chunk[axis - 1]) >= start[axis - 1] + extent[axis - 1]) {
      corner[axis - 1] = first[axis - 1];
      --axis;
    }
    if (axis == 0) return;
  }
}

void* allocate(std::size_t size, void* client) {
  auto& budget = *static_cast<TextBudget*>(client);
  budget.exceeded = budget.exceeded || size > max_memory - budget.used;
  if (budget.exceeded) return nullptr;
  budget.used += size;
  return std::malloc(size);
}

void release(void* memory, void*) { std::free(memory); }

}  // namespace

void damaged(hid_t object, const std::string& problem) {
  throw base::FileError(name_by(H5Fget_name, object),
                        base::printable(base::shortened(name_by(H5Iget_name, object), 200) + " " + problem),
                        "this file was damaged, or not made by poslab", base::Error::Kind::damaged);
}

hsize_t stored_count(hid_t dataset) {
  const Shape shape = shape_of(dataset);
  const std::size_t width = width_of(dataset);
  const hsize_t most = (H5Dget_storage_size(dataset) * best_ratio + small) / width;
  hsize_t count = 1;
  for (const hsize_t extent : shape) {
    if (extent != 0 && count > most / extent) damaged(dataset, "claims far more values than are stored of it");
    count *= extent;
  }
  if (count > 0 && !shape.empty()) check_chunks(dataset, Shape(shape.size(), 0), shape);
  return count;
}

hsize_t whole_count(hid_t dataset, std::size_t bytes_each) {
  const hsize_t extent = size_of(shape_of(dataset));  // vetted: no product of extents overflows
  if (extent > max_column / bytes_each) damaged(dataset, fmt::format("has {} values, too many for a column", extent));
  return stored_count(dataset);
}

hsize_t block_count(hid_t dataset, const Shape& start, const Shape& extent) {
  const Shape shape = shape_of(dataset);
  if (shape.size() != start.size() || shape.size() != extent.size())
    damaged(dataset, fmt::format("has {} axes and must have {}", shape.size(), start.size()));
  const hsize_t most = max_memory / width_of(dataset);
  hsize_t count = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (extent[axis] > shape[axis] || start[axis] > shape[axis] - extent[axis])
      damaged(dataset,
              fmt::format("has no values {} to {} along axis {}", start[axis], start[axis] + extent[axis], axis));
    if (extent[axis] != 0 && count > most / extent[axis]) damaged(dataset, "has rows of more than 1 GiB");
    count *= extent[axis];
  }
  if (count > 0 && !shape.empty()) check_chunks(dataset, start, extent);
  return count;
}

Handle bounded_texts(TextBudget& budget) {
  Handle list(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "H5Pcreate");
  check(H5Pset_vlen_mem_manager(list, allocate, &budget, release, nullptr), "H5Pset_vlen_mem_manager");
  return list;
}

}  // namespace poslab::results::h5
