// SPDX-License-Identifier: Apache-2.0
// The group `shard`, from which `poslab merge` assembles a whole file.
#pragma once

#include "poslab/results/writer.hpp"
#include "write/group.hpp"

namespace poslab::results {

/// Precondition: description.shard. Reads the outcome of every row twice, one at a time, in order.
void write_shard(const h5::Handle& file, const Description& description, const std::vector<Row>& rows);

}  // namespace poslab::results
