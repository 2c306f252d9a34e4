// SPDX-License-Identifier: Apache-2.0
// A good results file, to be changed through HDF5's own functions.
#pragma once

#include <hdf5.h>

#include <functional>
#include <string>
#include <vector>

#include "sample.hpp"

namespace poslab::sample {

class SpoiltFile {
 public:
  SpoiltFile() { make_run().write(path); }

  /// Changes the file, and reads it with everything that reads results: the message of the refusal, or nothing.
  std::string refusal(const std::function<void(hid_t file)>& change);
  std::string refusal();

  Directory directory;
  const std::string path = directory / "a.h5";
};

using Shape = std::vector<hsize_t>;
/// Adds a dataset at the root with this extent, after what `prepare` does to its creation list.
void add(hid_t file, const char* name, hid_t type, const Shape& shape, const std::function<void(hid_t)>& prepare);
void replace(hid_t file, const char* name, const Shape& shape, const std::function<void(hid_t)>& prepare);
inline void as_is(hid_t) {}
void in_chunks(hid_t list, const Shape& chunk);

}  // namespace poslab::sample
