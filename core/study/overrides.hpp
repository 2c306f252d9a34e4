// SPDX-License-Identifier: Apache-2.0
// --axis and --only: changes of a study from the command line.
#pragma once

#include "readers/readers.hpp"

namespace poslab::study {

/// Changes a study that was read without mistakes. Mistakes are reported as of the command line. Expectations that
/// match no cell any more are left out.
void apply_overrides(const Overrides& overrides, Draft& draft);

}  // namespace poslab::study
