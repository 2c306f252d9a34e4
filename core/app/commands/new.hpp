// SPDX-License-Identifier: Apache-2.0
// What `poslab new` says.
#pragma once

#include <string>

#include "poslab/scaffold/scheme_folder.hpp"

namespace poslab::app {

/// What was written, and the commands that come next.
std::string new_scheme_text(const scaffold::SchemeFolder& written);

}  // namespace poslab::app
