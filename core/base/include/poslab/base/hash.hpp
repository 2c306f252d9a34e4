// SPDX-License-Identifier: Apache-2.0
// SHA-256 (libcrypto), of bytes and of files.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace poslab::base {

/// 64 hex digits.
std::string sha256(std::string_view bytes);
/// The same of the first `most` bytes of a regular file; throws FileError.
std::string sha256_of_file(const std::string& path, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

}  // namespace poslab::base
