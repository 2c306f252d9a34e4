// SPDX-License-Identifier: Apache-2.0
// How many numbers a cell asks of its scheme: those of every output, forward and backward.
#pragma once

#include <memory>

#include "poslab/host/library.hpp"

namespace counted {

/// From now on the calls of this plugin are counted, until another one's are.
void count_calls_of(const std::shared_ptr<const poslab::host::Plugin>& plugin);
/// Since the last time that this was asked.
double numbers();

}  // namespace counted
