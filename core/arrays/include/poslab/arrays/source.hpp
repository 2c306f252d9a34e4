// SPDX-License-Identifier: Apache-2.0
// The bytes of a file of arrays, read where they are wanted: a model may have gigabytes, and one table of it is asked
// for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::arrays {

/// A file that is not what it says, or an array that is not in it: one sentence, without the file's name.
struct BadArray : base::Error {
  using base::Error::Error;
};

struct Source {
  std::uint64_t size = 0;
  std::function<std::string(std::uint64_t offset, std::size_t count)> read;

  /// Exactly these bytes. Throws BadArray if the file does not have them, naming `what` is cut short.
  std::string exactly(std::uint64_t offset, std::uint64_t count, const char* what) const;
};

/// Both must outlive the source.
Source source_of(const base::RegularFile& file);
Source source_of(std::string_view bytes);

enum class Format { npy, npz, safetensors, hdf5, pickle, unknown };
/// By the first bytes, whatever the file is called.
Format format_of(const Source& source);

/// Which numbers a reader takes: whole ones are positions or buckets, and no weights.
enum class Accept { reals, reals_and_whole };

/// "has no array "wpe"; did you mean ...", or with the first of the names that the file has.
std::string no_such_array(const std::string& name, const std::vector<std::string>& names);

/// Bytes of an array in memory: more than any table of positions.
inline constexpr std::uint64_t largest_array = std::uint64_t{1} << 30;

}  // namespace poslab::arrays
