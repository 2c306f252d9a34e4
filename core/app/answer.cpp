// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/answer.hpp"

#include <unistd.h>

#include "poslab/process/child.hpp"

namespace poslab::app {

bool answer(const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = write(process::answer_descriptor, text.data() + written, text.size() - written);
    if (count <= 0) return false;
    written += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace poslab::app
