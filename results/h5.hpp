// SPDX-License-Identifier: Apache-2.0
// A thin layer over HDF5's C API: every id has an owner, every call is checked, every error speaks HDF5's own words.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::results::h5 {

/// A call that failed. `what()`: the call, what it could not do, and the deepest reason.
struct Error : base::Error {
  Error(std::string call, std::vector<std::string> stack);
  std::string call;
  std::vector<std::string> stack;  ///< outermost first
};

[[noreturn]] void fail(const char* call);

/// Passes a result on, or throws Error if it is negative (HDF5's sign of failure for ids, herr_t, htri_t and counts).
template <class Result>
Result check(Result result, const char* call) {
  if (result < 0) fail(call);
  return result;
}

/// While one lives, HDF5 prints no error stack of its own on this thread.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* client_ = nullptr;
};

/// Owns one HDF5 id.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle() = default;
  /// Throws Error naming `call` if `id` is no id.
  Handle(hid_t id, Closer closer, const char* call) : id_(check(id, call)), closer_(closer) {}
  ~Handle() { release(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  hid_t id() const { return id_; }
  operator hid_t() const { return id_; }

  /// Closes now and throws Error if that fails: for what writes on closing (files, datasets). A destructor cannot tell.
  void close();

 private:
  void release() noexcept;
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

/// A new file whose bytes depend on nothing but what is written: no times, links and attributes in order of creation.
/// Closing it fails while any object in it is still open.
Handle create_file(const std::string& path);
Handle open_file(const std::string& path);
void flush(const Handle& file);

Handle create_group(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
Handle open_dataset(hid_t parent, const std::string& name);
bool has_link(hid_t parent, const std::string& name);
bool is_dataset(hid_t parent, const std::string& name);
/// Names in a group, in order of creation (of name, where a file keeps no order).
std::vector<std::string> links(hid_t group);

}  // namespace poslab::results::h5
