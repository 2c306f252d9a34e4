// SPDX-License-Identifier: Apache-2.0
#include "h5/raw_bytes.hpp"

#include <cstring>

#include "h5/bounds.hpp"
#include "h5/types.hpp"

namespace poslab::results {
namespace {

bool links_scales(const std::string& attribute) {
  return attribute == "DIMENSION_LIST" || attribute == "REFERENCE_LIST";
}

herr_t append_attribute(hid_t, const char* name, const H5A_info_t*, void* client) {
  if (!links_scales(name)) static_cast<std::vector<std::string>*>(client)->emplace_back(name);
  return 0;
}

}  // namespace

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  if (H5Aiterate2(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, append_attribute, &names) >= 0) return names;
  names.clear();
  h5::check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, append_attribute, &names), "H5Aiterate2");
  return names;
}

// To sort attributes HDF5 1.10 makes a table, which it frees uninitialised where reading fails.
std::vector<std::string> attribute_names_as_stored(hid_t object) {
  std::vector<std::string> names;
  h5::check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, append_attribute, &names), "H5Aiterate2");
  return names;
}

std::string raw_value(const h5::Handle& attribute, const h5::Handle& type, const h5::Handle& space) {
  const auto size =
      static_cast<std::size_t>(h5::check(H5Sget_simple_extent_npoints(space), "H5Sget_simple_extent_npoints"));
  std::string bytes(size * H5Tget_size(type), '\0');
  if (bytes.empty()) return bytes;
  h5::check(H5Aread(attribute, type, bytes.data()), "H5Aread");
  if (h5::check(H5Tis_variable_str(type), "H5Tis_variable_str") == 0) return bytes;
  std::vector<char*> pointers(size);
  std::memcpy(pointers.data(), bytes.data(), bytes.size());
  std::string characters;
  for (const char* text : pointers) characters += std::string(text ? text : "") + '\0';
  h5::check(H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data()), "H5Dvlen_reclaim");
  return characters;
}

void read_raw(const h5::Handle& dataset, const h5::Handle& type, const h5::Shape& start, const h5::Shape& extent,
              std::vector<unsigned char>& bytes) {
  if (h5::block_count(dataset, start, extent) * H5Tget_size(type) != bytes.size())
    throw base::Error("a block of a dataset has another size than was to be read");
  if (extent.empty()) {
    h5::check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), "H5Dread");
    return;
  }
  const h5::Handle memory = h5::simple_space(extent), block = h5::block_of(dataset, start, extent);
  h5::check(H5Dread(dataset, type, memory, block, H5P_DEFAULT, bytes.data()), "H5Dread");
}

}  // namespace poslab::results
