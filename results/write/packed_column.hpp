// SPDX-License-Identifier: Apache-2.0
// Records of any length over one dimension: their bytes one after another in `<name>_words`, eight to a word, the first
// the lowest, and `<name>_end`, after how many bytes each ends. Words, because they are mostly doubles, of which HDF5's
// shuffle then brings like bytes together: a tenth of the size.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "write/group.hpp"

namespace poslab::results {

/// Calls `record` twice for each record, in order: the file must know their total length before it holds the first.
void write_packed(Group& group, const std::string& name, const std::string& dimension, std::size_t count,
                  const std::string& sentence, const std::function<std::string(std::size_t)>& record);

}  // namespace poslab::results
