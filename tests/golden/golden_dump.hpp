// SPDX-License-Identifier: Apache-2.0
// A golden case as the dump that somebody would make of that code: what it computes, with queries, keys and weights by
// name, and the positions.
#pragma once

#include <optional>

#include "golden_run.hpp"
#include "poslab/identify/identify.hpp"

namespace poslab::golden {

struct GoldenDump {
  identify::Dump dump;
  identify::Request request;
  identify::Named made_by;  ///< what the case says of itself
};

/// Nothing where no array of the case is one that `poslab identify` reads. Throws Unknown.
std::optional<GoldenDump> dump_of(const Case& golden, const Table& table, const host::Library& library);

}  // namespace poslab::golden
