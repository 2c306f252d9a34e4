// SPDX-License-Identifier: Apache-2.0
// The seal of a file: behind the last byte of HDF5, which looks no further, the SHA-256 of all bytes before. Checksums
// within HDF5 guard what is in chunks alone: neither texts and small columns nor the tables by which all is found.
#pragma once

#include <string>

#include "poslab/base/error.hpp"

namespace poslab::results {

/// The seal of a closed file that has none yet: what is to be appended.
std::string seal_of(const std::string& path);

/// Throws base::FileError, of the kind `damaged`, before HDF5 meets the damage. Passes what has no seal: an earlier
/// poslab wrote it, or another program has changed it since through HDF5, which cuts a seal off.
void require_unbroken(const std::string& path);

}  // namespace poslab::results
