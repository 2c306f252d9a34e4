// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/shared_files.hpp"

namespace poslab::app {

std::filesystem::path shared_folder() {
  return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "share/poslab";
}

}  // namespace poslab::app
