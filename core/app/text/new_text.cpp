// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/new_text.hpp"

#include <fmt/format.h>

namespace poslab::app {
namespace {

std::string next_steps(const scaffold::SchemeFolder& written) {
  if (written.in_tree)
    return fmt::format(
        "In poslab's own tree: nothing else to edit. Next:\n"
        "  ./dev build poslab poslab_scheme_{0} && build/release/bin/poslab check {0}\n  ./dev test -R {0}\n",
        written.name);
  return fmt::format(
      "Next:\n  cmake -S {0} -B {0}/build -DCMAKE_BUILD_TYPE=Release{1}\n  cmake --build {0}/build && ctest --test-dir "
      "{0}/build\n"
      "and in studies: poslab run STUDY.toml --plugins {0}/build\n",
      written.folder.string(), written.prefix.empty() ? "" : " -DCMAKE_PREFIX_PATH=" + written.prefix.string());
}

}  // namespace

std::string new_scheme_text(const scaffold::SchemeFolder& written) {
  const bool sounds_open = std::string("aeiou").find(written.family.front()) != std::string::npos;
  return fmt::format("{} is written: {} {} scheme to change into yours.\n{}", written.folder.string(),
                     sounds_open ? "an" : "a", written.family, next_steps(written));
}

}  // namespace poslab::app
