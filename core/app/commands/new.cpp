// SPDX-License-Identifier: Apache-2.0
// `poslab new scheme NAME`: a folder that builds, tests and checks.
#include "commands/texts.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "options/completers.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

Completion scheme_first(const Typed& typed) {
  return {typed.words.empty() ? std::vector<std::string>{"scheme"} : std::vector<std::string>()};
}

struct NewOptions final : Options {
  NewOptions() { words = {2, 2, scheme_first}; }
  Text dir{this, option("dir", "DIR", "make the folder in here", folders), usual<std::string>(".")};
  Text family{this,
              option("family", "FAMILY", "one of " + base::enumerate(scaffold::families()),
                     [](const Typed&) { return Completion{scaffold::families()}; }),
              usual<std::string>("additive")};
  Flag python{this, flag("python", "a Python file, for which nothing is built")};
};

// What must be installed before the commands that are printed; empty: nothing.
std::string missing_text(const std::vector<scaffold::BuildTool>& tools) {
  if (tools.empty()) return "";
  std::vector<std::string> names;
  std::string debian, pip;
  for (const scaffold::BuildTool& tool : tools) {
    names.push_back(tool.name);
    debian += " " + tool.debian_package;
    if (!tool.pip_package.empty()) pip += " " + tool.pip_package;
  }
  return fmt::format("which need {}, not found here: apt install{} on Debian{}\n", base::enumerate(names), debian,
                     pip.empty() ? "" : ", or pip install" + pip);
}

std::string next_steps(const scaffold::SchemeFolder& written) {
  if (written.in_tree)
    return fmt::format(
        "In poslab's own tree: nothing else to edit. Next:\n"
        "  ./dev build poslab poslab_scheme_{0} && build/release/bin/poslab check {0}\n  ./dev test -R {0}\n",
        written.name);
  return fmt::format(
      "Next:\n  cmake -S {0} -B {0}/build -G Ninja -DCMAKE_BUILD_TYPE=Release{1}\n"
      "  cmake --build {0}/build && ctest --test-dir {0}/build --output-on-failure\n"
      "{2}and in studies: poslab run STUDY.toml --plugins {0}/build\n",
      base::shell_word(written.folder.string()),
      written.prefix.empty() ? "" : " -DCMAKE_PREFIX_PATH=" + base::shell_word(written.prefix.string()),
      missing_text(written.missing));
}

int make(const NewOptions& asked) {
  const std::vector<std::string>& what = asked.words.given;
  if (what[0] != "scheme") throw UsageError(fmt::format("\"{}\" cannot be made; a scheme can", what[0]));
  if (*asked.python) {
    const auto file = scaffold::write_scheme_file(what[1], *asked.family, *asked.dir);
    print_as_it_is(stdout, new_scheme_text(file, *asked.family));
    return all_well;
  }
  const scaffold::SchemeFolder written = scaffold::write_scheme_folder(what[1], *asked.family, *asked.dir);
  print_as_it_is(stdout, new_scheme_text(written));  // commands to copy
  return all_well;
}

}  // namespace

std::string new_scheme_text(const std::filesystem::path& written, const std::string& family) {
  return fmt::format(
      "{0} is written: a scheme in Python to change into yours, of the family {1}.\nNext:\n  poslab check {0}\n  "
      "poslab "
      "table {0}\nand in studies beside it: use = \"{2}\"\n",
      base::shell_word(written.string()), family, written.filename().string());
}

std::string new_scheme_text(const scaffold::SchemeFolder& written) {
  return fmt::format("{} is written: a scheme to change into yours, of the family {}.\n{}", written.folder.string(),
                     written.family, next_steps(written));
}

Command new_command() {
  return with_action(
      {.name = "new",
       .sentence = "create a new scheme from a template",
       .usage = "scheme NAME",
       .what = "Writes DIR/NAME with a scheme that builds, its page, its test and its CMake lines; in "
               "poslab's own plugins/ and anywhere else. With --python DIR/NAME.py, which is all.",
       .shown = {"poslab new scheme my-rope --family rotary", "poslab new scheme my-bias --family bias --python"}},
      make);
}

}  // namespace poslab::app
