// SPDX-License-Identifier: Apache-2.0
#include "h5/types.hpp"

namespace poslab::results::h5 {
namespace {

Handle borrowed(hid_t predefined) { return {H5Tcopy(predefined), H5Tclose, "H5Tcopy"}; }

}  // namespace

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  check(H5Tset_size(type, H5T_VARIABLE), "H5Tset_size");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "H5Tset_cset");
  return type;
}

Handle on_disk(Type type) {
  switch (type) {
    case Type::real: return borrowed(H5T_IEEE_F64LE);
    case Type::integer: return borrowed(H5T_STD_I64LE);
    case Type::unsigned_integer: return borrowed(H5T_STD_U64LE);
    case Type::flag: return borrowed(H5T_STD_U8LE);
    case Type::text: return text_type();
    case Type::single_real: return borrowed(H5T_IEEE_F32LE);
  }
  return {};
}

Handle simple_space(const Shape& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose, "H5Screate"};
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, "H5Screate_simple"};
}

Handle space_of(hid_t dataset) { return {H5Dget_space(dataset), H5Sclose, "H5Dget_space"}; }

Handle block_of(hid_t dataset, const Shape& start, const Shape& extent) {
  Handle space = space_of(dataset);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr),
        "H5Sselect_hyperslab");
  return space;
}

}  // namespace poslab::results::h5
