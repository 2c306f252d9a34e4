// SPDX-License-Identifier: Apache-2.0
#include "outcome.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>

#include "poslab/base/printable.hpp"

namespace poslab::host {

void raise(const std::string& where, std::int32_t status, const poslab_error& error) {
  const std::string given = base::printable({error.text, strnlen(error.text, sizeof error.text)});
  const std::string text = given.empty() ? "the plugin gave no reason" : given;
  switch (status) {
    case POSLAB_REFUSED: throw base::Refused(fmt::format("{}: {}", where, text));
    case POSLAB_OUT_OF_RANGE: throw base::PositionOutOfRange(fmt::format("{}: {}", where, text));
    case POSLAB_OUT_OF_MEMORY: throw std::bad_alloc();
    case POSLAB_FAILED: throw base::Error(fmt::format("{}: {}", where, text));
    default: throw base::Error(fmt::format("{}: the plugin answered the unknown status {}: {}", where, status, text));
  }
}

void raise_thrown(const std::string& where, const std::string& what) {
  throw base::Error(
      fmt::format("{}: the plugin threw an exception across the C boundary: {}", where, base::printable(what)));
}

}  // namespace poslab::host
