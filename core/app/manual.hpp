// SPDX-License-Identifier: Apache-2.0
// The manual page, as `man` reads it: commands and options from their own tables.
#pragma once

#include <string>

namespace poslab::app {

std::string manual_text();

/// `poslab manual`: not for people, who have `man poslab`. The build writes its page with it.
int manual_command();

}  // namespace poslab::app
