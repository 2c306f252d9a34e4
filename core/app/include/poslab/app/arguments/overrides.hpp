// SPDX-License-Identifier: Apache-2.0
// --axis and --only, which change what a study asks for.
#pragma once

#include "poslab/app/arguments/options.hpp"
#include "poslab/study/study.hpp"

namespace poslab::app {

study::Overrides overrides_of(const boost::program_options::variables_map& values);

}  // namespace poslab::app
