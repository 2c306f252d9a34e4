// SPDX-License-Identifier: Apache-2.0
// The text of a study before it is parsed: read from a file, and searched for what toml++ 3.3 must not see.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "poslab/study/study.hpp"

namespace poslab::study {

inline constexpr std::size_t max_study_bytes = 4u << 20;  ///< bytes; a study is written by a person
inline constexpr int max_nesting = 32;                    ///< tables in tables; a study needs 5

/// The bytes of a file, or of a descriptor that this process was given, pipes included; of each as often as they are
/// asked for. Throws base::FileError: missing, unreadable, a directory, larger than 4 MiB.
std::string read_source(const std::string& path);

struct Hazard {
  SourceLocation location;
  std::string message;
};

/// The first thing in `text` that toml++ must not see. It destroys nested tables by recursion, and a key of 60,000 dots
/// overflows the stack: nesting is limited. A non-ASCII character outside of strings and comments or where two lines of
/// a string are joined, and a table header without a name, are undefined behaviour in its parser.
std::optional<Hazard> find_hazard(std::string_view text);

}  // namespace poslab::study
