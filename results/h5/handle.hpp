// SPDX-License-Identifier: Apache-2.0
// A thin layer over HDF5's C API: every id has an owner, every call is checked, every error quotes HDF5's own reasons.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::results::h5 {

/// A call that failed. `what()`: the call, what it could not do, and the deepest reason.
struct Error : base::Error {
  /// `stack`: outermost first.
  Error(const std::string& call, const std::vector<std::string>& stack);
};

/// Sets what holds for the whole process. Must precede every other call; Silence and the files of objects.hpp call it.
void prepare_library();

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

}  // namespace poslab::results::h5
