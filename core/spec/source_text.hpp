// SPDX-License-Identifier: Apache-2.0
// The text of a study before TOML is read from it: getting it from a file, and refusing what toml++ 3.3 cannot bear.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "poslab/spec/study.hpp"

namespace poslab::spec {

inline constexpr std::size_t largest_study = 4u << 20;  ///< bytes; a study is written by a person
inline constexpr int deepest_nesting = 32;              ///< tables in tables; a study needs 5

/// The bytes of a file, pipes included. Throws base::FileError: missing, unreadable, a directory, larger than 4 MiB.
std::string read_source(const std::string& path);

struct Problem {
  Place place;
  std::string message;
};

/// The first thing in `text` that toml++ must not see: a non-ASCII character outside strings and comments, or where two lines
/// of a string are joined, and a table header without a name (all reach undefined behaviour in its parser), and nesting that
/// would exhaust the stack.
std::optional<Problem> find_unbearable(std::string_view text);

}  // namespace poslab::spec
