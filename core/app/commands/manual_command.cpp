// SPDX-License-Identifier: Apache-2.0
// `poslab manual`: not for people, who have `man poslab`. The build writes its page with it.
#include <cstdio>

#include "poslab/app/commands.hpp"
#include "poslab/app/text/manual_text.hpp"
#include "poslab/app/text/print.hpp"

namespace poslab::app {

int manual_command(const std::vector<std::string>& /*arguments*/) {
  print_as_it_is(stdout, manual_text());
  return all_well;
}

}  // namespace poslab::app
