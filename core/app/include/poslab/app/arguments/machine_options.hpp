// SPDX-License-Identifier: Apache-2.0
// --threads, --memory and --cell-time: how much of the machine a run may use, and for how long.
#pragma once

#include "poslab/app/arguments/options.hpp"

namespace poslab::app {

/// What a worker needs beside the cells: libraries, stacks, arrays on their way to the host.
inline constexpr double bytes_beside_cells = 512 << 20;

void add_threads_option(Options& options);
void add_memory_option(Options& options);
void add_cell_time_option(Options& options);
/// Throws UsageError unless `value` is from `least` to `most`.
void require_between(const char* option, int value, int least, int most, const char* which = "");
int threads_of(const boost::program_options::variables_map& values);
/// Seconds without progress.
double cell_time_of(const boost::program_options::variables_map& values);
/// Bytes for cells.
double memory_of(const boost::program_options::variables_map& values);

}  // namespace poslab::app
