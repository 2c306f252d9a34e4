// SPDX-License-Identifier: Apache-2.0
// What `poslab status` says of the journals that it found.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "poslab/run/run_status.hpp"

namespace poslab::app {

/// The table continues below itself where it is wider than `width` characters.
std::string status_text(const std::vector<run::PartitionStatus>& all, std::size_t width);
std::string status_json(const std::vector<run::PartitionStatus>& all);
/// For stderr: the journals that cannot be read, and why.
std::string unreadable_text(const std::vector<run::PartitionStatus>& all);

}  // namespace poslab::app
