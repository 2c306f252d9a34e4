// SPDX-License-Identifier: Apache-2.0
// How a shard is performed, from the command that performed it or another one.
#pragma once

#include <string>

namespace poslab::results {

/// The words of `command` (quoted for bash, as provenance keeps them) for another shard: the value of `--shard` is
/// `option`, and there is no `--fresh`, which would forget what that shard has done, and no `--fail-fast`, which might
/// not finish it.
std::string with_shard(const std::string& command, const std::string& option);

}  // namespace poslab::results
