// SPDX-License-Identifier: Apache-2.0
// Reading of HDF5 files that we did not write: groups, attributes, datasets as doubles.
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "case.hpp"

namespace poslab::golden {

// An HDF5 identifier and the function that closes it; negative identifiers throw.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error("golden file: cannot open " + what);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close_(id_); }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

std::vector<std::string> names_in(hid_t group);
/// A scalar text attribute, of fixed or variable length; "" if it is not there.
std::string text_attribute(hid_t object, const char* name);
/// All scalar attributes: texts, whole numbers, real numbers, flags.
Json attributes_of(hid_t object);
Dataset read_dataset(hid_t group, const std::string& name);
/// Empty if there is no such group.
Datasets read_group(hid_t parent, const char* name);

}  // namespace poslab::golden
