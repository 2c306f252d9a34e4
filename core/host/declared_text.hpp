// SPDX-License-Identifier: Apache-2.0
// Texts and numbers of things that a plugin declares, within the limits of plugin.h: what is too long is not read on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "poslab/plugin.h"

namespace poslab::host {

inline constexpr std::size_t longest_name = POSLAB_LONGEST_NAME, longest_sentence = POSLAB_LONGEST_SENTENCE;

struct DeclaredText {
  std::string text;
  std::string problem;  ///< "is null", "has more than 200 bytes" ...; empty: the text may be used
};
DeclaredText declared_text(const char* given, std::size_t longest);

/// "17 parameters, but at most 10 are taken"; empty if they are not too many.
std::string why_not_so_many(std::int64_t count, std::int64_t most, const char* of_what);

}  // namespace poslab::host
