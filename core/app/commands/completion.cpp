// SPDX-License-Identifier: Apache-2.0
#include "commands/internal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

using Names = std::vector<std::string>;

const Row* row_of(const Options& options, const std::string& word) {
  for (const Row* row : options.shown())
    if (word == "--" + row->declared.name || (row->declared.letter && word == std::string("-") + row->declared.letter))
      return row;
  return nullptr;
}

Names all_commands() {
  Names names{"help"};
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

Completion completed_by(Completer completer, const Typed& typed) { return completer ? completer(typed) : Completion{}; }

// Within a command: `before` begins with its name.
Completion within(const Options& options, const Names& before, const std::string& begun) {
  Typed typed;
  const Row* open = nullptr;  // the option whose value is wanted
  for (std::size_t i = 1; i < before.size(); ++i) {
    open = row_of(options, before[i]);
    if (!open && !before[i].starts_with('-')) typed.words.push_back(before[i]);
    if (!open || open->declared.value.empty() || ++i == before.size()) continue;
    if (open->declared.name == "plugins") typed.plugins.push_back(before[i]);
    open = nullptr;
  }
  if (open && !open->declared.value.empty()) return completed_by(open->declared.completer, typed);
  if (!begun.starts_with('-')) return completed_by(options.words.completer, typed);
  Completion names{{"--help"}};
  for (const Row* row : options.shown()) names.words.push_back("--" + row->declared.name);
  return names;
}

Completion all_after(const Names& before, const std::string& begun) {
  if (before.empty()) return {begun.starts_with('-') ? Names{"--help", "--version"} : all_commands()};
  if (before.front() == "--version") return {before.size() == 1 ? Names{"--json"} : Names{}};
  if (before.front() == "help") return {before.size() == 1 ? all_commands() : Names{}};
  const Command* command = command_of(before.front());
  return command ? within(*command->options(), before, begun) : Completion{};
}

}  // namespace

Completion completion_of(Names before, std::string begun) {
  if (begun == "=") before.push_back(std::exchange(begun, ""));
  if (before.size() > 1 && before.back() == "=" && !before[before.size() - 2].starts_with('-'))
    return {};  // NAME=VALUE of --axis and --set: no table has the values
  std::erase(before, "=");
  Completion completion = all_after(before, begun);
  std::erase_if(completion.words, [&](const std::string& word) { return !word.starts_with(begun); });
  std::sort(completion.words.begin(), completion.words.end());
  return completion;
}

int complete_command(const Names& arguments) {
  Names before = arguments;
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
