// SPDX-License-Identifier: Apache-2.0
// What a file that is to be overwritten holds.
#pragma once

#include <string>
#include <vector>

namespace poslab::results {

struct OutputContent {
  enum class Kind { nothing, run, table };
  Kind kind = Kind::nothing;
  std::string study_hash;  ///< of a run
  bool complete = false;
  std::vector<std::string> measured = {};  ///< identities of its cells that are ok
  bool is_shard = false;                   ///< a run of a part of the plan
};
/// Throws base::FileError if it is neither a results file nor a table of poslab. HDF5 itself crashes on some damaged
/// files: to be called in a child process.
OutputContent read_output_content(const std::string& path);

}  // namespace poslab::results
