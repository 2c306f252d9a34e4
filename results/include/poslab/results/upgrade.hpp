// SPDX-License-Identifier: Apache-2.0
// Rewrites a results file of an earlier schema as one of today's.
#pragma once

#include <map>
#include <string>

#include "poslab/data/answer.hpp"

namespace poslab::results {

/// What the experiments of this build declare, by id. A stored legend that is one of theirs becomes entries again.
using DeclaredColumns = std::map<std::string, data::AnswerColumn>;

/// Puts a file of today's schema in the place of `path`, whole or not at all. Marks, numbers, sentences and points of
/// answers are those that the file has; only their layout is made anew. All measures keep their bits. Returns the
/// schema that the file had, "1.2"; or nothing if it was today's, and is untouched. Throws base::FileError, also of the
/// file of a shard. HDF5 itself crashes on some damaged files: to be called in a child process.
std::string upgrade(const std::string& path, const DeclaredColumns& declared);

}  // namespace poslab::results
