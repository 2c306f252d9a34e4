// SPDX-License-Identifier: Apache-2.0
#include "h5/objects.hpp"

#include "poslab/base/regular_file.hpp"

namespace poslab::results::h5 {
namespace {

Handle property_list(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "H5Pcreate"}; }

constexpr unsigned in_order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;

// For groups and, since a file's own list is that of its root group, for files.
void reproducible_group(const Handle& list) {
  check(H5Pset_obj_track_times(list, false), "H5Pset_obj_track_times");
  check(H5Pset_link_creation_order(list, in_order), "H5Pset_link_creation_order");
  check(H5Pset_attr_creation_order(list, in_order), "H5Pset_attr_creation_order");
}

Handle file_access() {
  prepare_library();
  Handle access = property_list(H5P_FILE_ACCESS);
  check(H5Pset_fclose_degree(access, H5F_CLOSE_SEMI), "H5Pset_fclose_degree");
  // Locks where the file system has them; some network disks have none.
  check(H5Pset_file_locking(access, true, true), "H5Pset_file_locking");
  return access;
}

herr_t append_name(hid_t, const char* name, const H5L_info_t*, void* client) {
  static_cast<std::vector<std::string>*>(client)->emplace_back(name);
  return 0;
}

}  // namespace

Handle create_file(const std::string& path) {
  const Handle access = file_access();
  const Handle creation = property_list(H5P_FILE_CREATE);
  reproducible_group(creation);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "H5Fcreate"};
}

Handle open_file(const std::string& path) {
  base::require_regular_file(path, "name a results file");  // HDF5 would wait for the writer of a FIFO
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access()), H5Fclose, "H5Fopen"};
}

Handle open_for_change(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, file_access()), H5Fclose, "H5Fopen"};
}

void flush(const Handle& file) { check(H5Fflush(file, H5F_SCOPE_GLOBAL), "H5Fflush"); }

Handle create_group(hid_t parent, const std::string& name) {
  const Handle creation = property_list(H5P_GROUP_CREATE);
  reproducible_group(creation);
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, "H5Gcreate2"};
}

Handle open_group(hid_t parent, const std::string& name) {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "H5Gopen2"};
}

Handle open_dataset(hid_t parent, const std::string& name) {
  return {H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2"};
}

bool has_link(hid_t parent, const std::string& name) {
  return check(H5Lexists(parent, name.c_str(), H5P_DEFAULT), "H5Lexists") > 0;
}

bool is_dataset(hid_t parent, const std::string& name) {
  const Handle object(H5Oopen(parent, name.c_str(), H5P_DEFAULT), H5Oclose, "H5Oopen");
  return H5Iget_type(object) == H5I_DATASET;
}

std::vector<std::string> links(hid_t group) {
  std::vector<std::string> names;
  if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, append_name, &names) >= 0) return names;
  names.clear();
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, append_name, &names), "H5Literate");
  return names;
}

}  // namespace poslab::results::h5
