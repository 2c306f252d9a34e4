// SPDX-License-Identifier: Apache-2.0
// --data and --weights: what a run is handed beside its study.
#pragma once

#include "poslab/app/arguments/options.hpp"
#include "poslab/run/run_request.hpp"

namespace poslab::app {

void add_supply_options(Options& options);
/// Throws UsageError.
run::SupplyRequest supply_of(const boost::program_options::variables_map& values);
/// The same for a job that starts in another directory.
run::SupplyRequest with_absolute_paths(run::SupplyRequest supply);

}  // namespace poslab::app
