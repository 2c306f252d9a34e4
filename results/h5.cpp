// SPDX-License-Identifier: Apache-2.0
#include "h5.hpp"

#include <fmt/format.h>

namespace poslab::results::h5 {
namespace {

herr_t collect(unsigned, const H5E_error2_t* entry, void* client) {
  auto& stack = *static_cast<std::vector<std::string>*>(client);
  stack.emplace_back(entry->desc ? entry->desc : "");
  return 0;
}

// What the operating system said, where HDF5 quotes it among addresses and times; else the text itself.
std::string reason(const std::string& text) {
  static const std::string mark = "error message = '";
  const std::size_t start = text.find(mark);
  if (start == std::string::npos) return text;
  const std::size_t end = text.find('\'', start + mark.size());
  return text.substr(start + mark.size(), end - start - mark.size());
}

std::string sentence(const std::string& call, const std::vector<std::string>& stack) {
  if (stack.empty()) return call + " failed";
  const std::string outermost = reason(stack.front()), deepest = reason(stack.back());
  return stack.size() == 1 || outermost == deepest ? fmt::format("{}: {}", call, deepest)
                                                   : fmt::format("{}: {}: {}", call, outermost, deepest);
}

// A failing close leaves HDF5 1.10 with ids of freed objects, and its own clean-up at exit then crashes on them. Files
// are closed by their handles here, so that clean-up has nothing to do. And a file can name a filter that HDF5 would look
// for as a library, in HDF5_PLUGIN_PATH or where it was built to look: no file makes this program run a library. Must
// precede every other call.
void prepare_once() {
  static const herr_t once = H5dont_atexit() < 0 ? -1 : H5PLset_loading_state(0);
  (void)once;
}

Handle property_list(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "H5Pcreate"}; }

constexpr unsigned in_order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;

// For groups and, since a file's own list is that of its root group, for files.
void reproducible_group(const Handle& list) {
  check(H5Pset_obj_track_times(list, false), "H5Pset_obj_track_times");
  check(H5Pset_link_creation_order(list, in_order), "H5Pset_link_creation_order");
  check(H5Pset_attr_creation_order(list, in_order), "H5Pset_attr_creation_order");
}

Handle file_access() {
  prepare_once();
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

Error::Error(std::string call_, std::vector<std::string> stack_)
    : base::Error(sentence(call_, stack_)), call(std::move(call_)), stack(std::move(stack_)) {}

void fail(const char* call) {
  std::vector<std::string> stack;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, collect, &stack);
  throw Error(call, std::move(stack));
}

Silence::Silence() {
  prepare_once();
  H5Eget_auto2(H5E_DEFAULT, &print_, &client_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, client_); }

void Handle::close() {
  if (id_ < 0) return;
  check(closer_(std::exchange(id_, -1)), "close");
}

void Handle::release() noexcept {
  if (id_ >= 0) closer_(std::exchange(id_, -1));
}

Handle create_file(const std::string& path) {
  const Handle access = file_access();
  const Handle creation = property_list(H5P_FILE_CREATE);
  reproducible_group(creation);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "H5Fcreate"};
}

Handle open_file(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access()), H5Fclose, "H5Fopen"};
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
