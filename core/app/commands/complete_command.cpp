// SPDX-License-Identifier: Apache-2.0
// `poslab complete WORD... BEGUN`: not for people. The shell's completion (core/app/shell/poslab.bash) asks what may
// stand there.
#include <fmt/format.h>

#include <cstdio>

#include "poslab/app/arguments/completion.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/print.hpp"

namespace poslab::app {

int complete_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> before = arguments;
  const std::string begun = before.empty() ? "" : before.back();
  if (!before.empty()) before.pop_back();
  const Completion completion = completion_of(before, begun);
  std::string text;
  for (const std::string& word : completion.words) text += word + "\n";
  for (const std::string& pattern : completion.files) text += fmt::format("@files {}\n", pattern);
  if (completion.directories) text += "@directories\n";
  print_as_it_is(stdout, text);
  return all_well;
}

}  // namespace poslab::app
