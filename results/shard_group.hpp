// SPDX-License-Identifier: Apache-2.0
// The group `shard`: what `poslab merge` puts a whole file together from.
#pragma once

#include "group.hpp"
#include "poslab/results/writer.hpp"

namespace poslab::results {

/// Precondition: description.shard. Asks twice for the outcome of every row, one at a time, in order.
void write_shard(const h5::Handle& file, const Description& description, const std::vector<Row>& rows);

}  // namespace poslab::results
