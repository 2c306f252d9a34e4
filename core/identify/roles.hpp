// SPDX-License-Identifier: Apache-2.0
// What an array is, as far as its name and shape tell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poslab/identify/evidence.hpp"

namespace poslab::identify {

enum class Role {
  positions,
  table,
  cosines,
  sines,
  frequencies,
  query,  // before it is rotated
  key,
  rotated_query,
  rotated_key,
  bias,
  slopes,
  logits,
  value,
  outputs,
  layer_input,
  weight  // or nothing that is known
};

struct ArrayRole {
  const DumpArray* array;
  Role role;
};

/// Throws BadDump for a word of --as that is none, an array that is not there, or two arrays of one role.
std::vector<ArrayRole> roles_of(const Dump& dump, const Request& request);

}  // namespace poslab::identify
