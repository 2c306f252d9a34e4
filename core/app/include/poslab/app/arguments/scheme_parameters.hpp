// SPDX-License-Identifier: Apache-2.0
// A variant from the command line: --set NAME=VALUE, --d-model, --heads.
#pragma once

#include "poslab/app/arguments/options.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::app {

/// --set, --d-model (128 unless said) and --heads (8).
void add_variant_options(Options& options, base::Index model_width = 128, base::Index heads = 8);
/// What --set gives, as the scheme's own types; empty without --set. Throws UsageError naming the parameter and its
/// range.
data::Values parameters_of(const boost::program_options::variables_map& values, const data::SchemeInfo& scheme);
/// What --d-model and --heads give. Throws UsageError if the heads do not divide the width.
host::Model model_of(const boost::program_options::variables_map& values);

}  // namespace poslab::app
