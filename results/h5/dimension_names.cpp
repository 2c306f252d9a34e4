// SPDX-License-Identifier: Apache-2.0
#include "h5/dimension_names.hpp"

#include <cstring>

#include "h5/attribute.hpp"
#include "h5/bounds.hpp"

namespace poslab::results::h5 {
namespace {

// In DIMENSION_LIST HDF5 records the scales of each axis: for each axis the address of its first scale. It is read
// here and not with HDF5's own functions, which trust its extent and open what it points to.
std::vector<haddr_t> scale_addresses(hid_t dataset, std::size_t rank) {
  constexpr const char* name = "DIMENSION_LIST";
  std::vector<haddr_t> addresses(rank, HADDR_UNDEF);
  if (rank == 0 || !has_attribute(dataset, name)) return addresses;
  const Handle attribute(H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose, "H5Aopen");
  const Handle stored(H5Aget_type(attribute), H5Tclose, "H5Aget_type");
  const Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "H5Tvlen_create");
  const Handle space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
  if (check(H5Tequal(stored, type), "H5Tequal") == 0 ||
      check(H5Sget_simple_extent_npoints(space), "extent of DIMENSION_LIST") != static_cast<hssize_t>(rank))
    damaged(dataset, "has a DIMENSION_LIST that is no list of its axes");
  std::vector<hvl_t> lists(rank);
  check(H5Aread(attribute, type, lists.data()), "H5Aread");
  for (std::size_t axis = 0; axis < rank; ++axis) {
    hobj_ref_t address = HADDR_UNDEF;
    if (lists[axis].len > 0) std::memcpy(&address, lists[axis].p, sizeof address);
    addresses[axis] = address;
  }
  check(H5Dvlen_reclaim(type, space, H5P_DEFAULT, lists.data()), "H5Dvlen_reclaim");
  return addresses;
}

}  // namespace

ScaleNames scale_names(hid_t group) {
  ScaleNames names;
  for (const std::string& name : links(group)) {
    H5O_info_t info;
    check(H5Oget_info_by_name2(group, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT), "H5Oget_info_by_name2");
    names.emplace(info.addr, name);
  }
  return names;
}

std::vector<std::string> dimension_names(hid_t dataset, const ScaleNames& scales) {
  std::vector<std::string> names;
  for (const haddr_t address : scale_addresses(dataset, shape_of(dataset).size())) {
    const auto scale = scales.find(address);
    names.push_back(scale == scales.end() ? "" : scale->second);
  }
  return names;
}

}  // namespace poslab::results::h5
