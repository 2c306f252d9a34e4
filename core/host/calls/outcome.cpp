// SPDX-License-Identifier: Apache-2.0
#include "calls/outcome.hpp"

#include <fmt/format.h>

#include <cstring>

#include "poslab/base/error.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::host {
namespace {

base::Error plugin_failed(const std::string& where, const std::string& reason) {
  return {base::Error::Kind::plugin, fmt::format("{}: {}", where, reason)};
}

}  // namespace

OutOfMemory::OutOfMemory(const std::string& where_) : where(where_), message_(where_ + ": not enough memory") {}

void raise(const std::string& where, std::int32_t status, const poslab_error& error) {
  const std::string given = base::printable({error.text, strnlen(error.text, sizeof error.text)});
  const std::string text = given.empty() ? "the plugin gave no reason" : given;
  switch (status) {
    case POSLAB_REFUSED: throw data::Refused(where, text);
    case POSLAB_OUT_OF_RANGE: throw data::PositionOutOfRange(where, text);
    case POSLAB_OUT_OF_MEMORY: throw OutOfMemory(where);
    case POSLAB_FAILED: throw plugin_failed(where, text);
    default: throw plugin_failed(where, fmt::format("the plugin answered the unknown status {}: {}", status, text));
  }
}

void raise_thrown(const std::string& where, const char* what) {
  throw plugin_failed(where, "the plugin threw an exception across the C boundary: " +
                                 base::printable({what, strnlen(what, sizeof poslab_error::text)}));
}

void raise_mode(const std::string& where, const FloatingPointMode& before, const FloatingPointMode& after) {
  restore_floating_point_mode();
  throw plugin_failed(
      where, fmt::format("the plugin changed the floating-point mode from {} to {}, with which everything after "
                         "it would be computed",
                         before.text(), after.text()));
}

}  // namespace poslab::host
