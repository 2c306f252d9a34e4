// SPDX-License-Identifier: Apache-2.0
// From words to a command, and what becomes of exceptions.
#include "poslab/app/main_program.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/internal.hpp"
#include "contained.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/process/child.hpp"
#include "poslab/process/family.hpp"
#include "poslab/run/version.hpp"
#include "poslab/study/study.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

using Names = std::vector<std::string>;

std::string overview() {
  std::string text =
      "poslab: a laboratory for the positional encodings of Transformers\n\nusage: poslab COMMAND [options]\n\n";
  for (const Command& command : commands()) text += fmt::format("  {:<10} {}\n", command.name, command.sentence);
  return text + "\n`poslab help COMMAND` has the details, `poslab --version [--json]` the version.\n";
}

std::string version_text(const Names& words) {
  if (words.empty()) return fmt::format("poslab {} ({})\n", run::version(), run::git_commit());
  if (words == Names{"--json"}) return run::build_json() + "\n";
  throw UsageError(fmt::format("--version takes --json or nothing, and not {}", base::excerpt(words.back())));
}

std::string no_such_command(const std::string& name) {
  if (name.ends_with(".toml")) return fmt::format("\"{0}\" is no command but a study: poslab run {0}", name);
  Names names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return fmt::format("\"{}\" is not a poslab command{}", name, base::did_you_mean(name, names));
}

// `poslab help run` is `poslab run --help`.
Names without_help(const Names& arguments) {
  return arguments.size() < 2 || arguments.front() != "help" ? arguments : Names{arguments[1], "--help"};
}

int say(const std::string& text) {
  print(stdout, text);
  return all_well;
}

int perform(const Names& asked, bool is_child) {
  if (asked.empty()) throw UsageError("no command given");
  const Names arguments = without_help(asked);
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") return say(overview());
  const Names words(arguments.begin() + 1, arguments.end());
  if (name == "--version") return say(version_text(words));
  if (name == "worker") return worker_command(words);
  if (name == "complete") return complete_command(words);
  if (name == "manual") return manual_command();
  if (name == "look" && is_child) return look_command(words);
  if (name == "kept" && is_child) return kept_command(words);
  if (name == "networks" && is_child) return networks_command(words);
  const Command* command = command_of(name);
  if (!command) throw UsageError(no_such_command(name));
  const auto options = command->options();
  try {
    if (!options->parse(words)) return say(help_of(*command));
  } catch (const WrongWords& mistake) {
    throw UsageError(fmt::format("{}; it is: {}", mistake.what(), usage_of(*command)));
  }
  const auto* in_child = is_child ? nullptr : dynamic_cast<const ContainedOptions*>(options.get());
  return in_child ? contained(arguments, *in_child) : command->run(*options);
}

// "poslab run --help", if these words name a command.
std::string help_hint(const Names& arguments) {
  const bool known = !arguments.empty() && command_of(arguments.front());
  return fmt::format("poslab {}--help", known ? arguments.front() + " " : "");
}

// Nothing lives on unsaid.
void tell_survivors() {
  for (const process::Survivor& survivor : process::survivors())
    print(stderr, fmt::format("poslab: process {} ({}) lives on; it was started while this ran, perhaps by a plugin\n",
                              survivor.process, base::printable(survivor.command)));
}

int exit_code_of(const Names& arguments, bool is_child) {
  try {
    if (const auto refusal = base::why_not_this_machine())
      throw base::Error(base::Error::Kind::request, refusal->reason);
    return perform(arguments, is_child);
  } catch (const study::StudyErrors& mistakes) {
    print(stderr, fmt::format("{}\n", mistakes.what()));
    return wrong_input;
  } catch (const std::exception& failure) {
    const base::Error::Kind kind = base::kind_of(failure);
    print(stderr, fmt::format("poslab: {}\n", failure.what()));
    if (kind == base::Error::Kind::argument)
      print(stderr, fmt::format("({} shows how it is used)\n", help_hint(arguments)));
    return exit_code(kind);
  }
}

}  // namespace

int main_program(const Names& all_arguments) {
  const bool is_child = !all_arguments.empty() && all_arguments.front() == process::in_child;
  if (is_child) process::end_with_parent();
  const Names arguments(all_arguments.begin() + (is_child ? 1 : 0), all_arguments.end());
  const int code = exit_code_of(arguments, is_child);
  if (!is_child) tell_survivors();
  return code;
}

}  // namespace poslab::app
