// SPDX-License-Identifier: Apache-2.0
#include "declared.hpp"

#include <fmt/format.h>

#include <cstring>

#include "poslab/base/printable.hpp"

namespace poslab::host {

DeclaredText declared_text(const char* given, std::size_t longest) {
  if (!given) return {"", "is null"};
  const std::size_t size = strnlen(given, longest + 1);
  if (size > longest) return {"", fmt::format("has more than {} bytes", longest)};
  const std::string text(given, size), shown = base::printable(text);
  if (shown != text) return {"", fmt::format("holds what cannot be printed: \"{}\"", base::shortened(shown, 80))};
  return {text, ""};
}

std::string why_not_so_many(std::int64_t count, std::int64_t most, const char* of_what) {
  return count <= most ? "" : fmt::format("{} {}, but at most {} are taken", count, of_what, most);
}

}  // namespace poslab::host
