// SPDX-License-Identifier: Apache-2.0
// Facts of the machine that poslab runs on.
#pragma once

#include <string>

#include "poslab/base/refusal.hpp"

namespace poslab::base {

int processors();              ///< that this process may use
double available_memory();     ///< bytes that could be taken without swapping (MemAvailable), or half of what there is
std::string processor_name();  ///< from /proc/cpuinfo
std::string host_name();
/// Why this machine cannot run what was built (instructions that it lacks).
std::optional<Refusal> why_not_this_machine();

}  // namespace poslab::base
