// SPDX-License-Identifier: Apache-2.0
// Which poslab this is.
#pragma once

#include <string>

namespace poslab::run {

std::string version();     ///< "0.1.0"
std::string git_commit();  ///< of the tree that was built, with "-dirty" if it had changes; "unknown" outside a clone
std::string build();       ///< both
std::string compiler();
std::string compile_flags();
std::string library_versions();  ///< one JSON object
/// One JSON object: all of these, the instruction set, and the versions of the plugin boundary and of results files.
std::string build_json();

}  // namespace poslab::run
