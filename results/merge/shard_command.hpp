// SPDX-License-Identifier: Apache-2.0
// The command that performs a shard, for messages, from the command line that another shard's file has kept.
#pragma once

#include <string>

#include "merge/shard_file.hpp"
#include "poslab/data/shard.hpp"

namespace poslab::results {

/// How to run a shard, from the provenance of another one.
std::string command_for(const ShardFile& like, const data::Shard& shard);

}  // namespace poslab::results
