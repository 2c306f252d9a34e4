// SPDX-License-Identifier: Apache-2.0
// Commands and options come from their own tables; which names and files a word may be is said here.
#include "poslab/app/arguments/completion.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/check/check.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/run/library.hpp"
#include "poslab/scaffold/scheme_folder.hpp"

namespace poslab::app {
namespace {

using Names = std::vector<std::string>;

// The words that were typed, sorted.
struct Typed {
  const Command* command;
  std::vector<OptionRow> options;
  Names words;              // that are no options and no values of options
  Names plugins;            // directories
  std::string open_option;  // its value is wanted; or empty
};

const OptionRow* option_of(const std::vector<OptionRow>& options, const std::string& word) {
  const auto found = std::find_if(options.begin(), options.end(), [&](const OptionRow& row) {
    return word == "--" + row.name || (!row.letter.empty() && word == "-" + row.letter);
  });
  return found == options.end() ? nullptr : &*found;
}

Typed sorted(const Command& command, const Names& before) {
  Typed typed{&command, options_of(command), {}, {}, ""};
  for (std::size_t i = 1; i < before.size(); ++i) {
    const OptionRow* option = option_of(typed.options, before[i]);
    if (!option && !before[i].starts_with('-')) typed.words.push_back(before[i]);
    if (!option || option->value.empty()) continue;
    if (++i == before.size())
      typed.open_option = option->name;
    else if (option->name == "plugins")
      typed.plugins.push_back(before[i]);
  }
  return typed;
}

Names all_commands() {
  Names names{"help"};
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

std::vector<data::SchemeInfo> schemes_for(const Typed& typed) try {
  return run::open_library(typed.plugins).schemes();
} catch (const base::Error&) {
  return {};  // a shell that completes has nobody to complain to
}

Names scheme_names(const Typed& typed) {
  Names names;
  for (const data::SchemeInfo& scheme : schemes_for(typed)) names.push_back(scheme.id);
  return names;
}

Names scheme_and_experiment_names(const Typed& typed) {
  Names names = scheme_names(typed);
  for (const experiments::Experiment& experiment : experiments::all_experiments()) names.push_back(experiment.info.id);
  return names;
}

Names axis_names() {
  std::set<std::string> names;
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    for (const data::AxisInfo& axis : experiment.info.axes) names.insert(axis.name + "=");
  return {names.begin(), names.end()};
}

Names file_names() {
  std::set<std::string> names;
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    for (const data::FileInfo& file : experiment.info.files) names.insert(file.name + "=");
  return {names.begin(), names.end()};
}

Names parameter_names(const Typed& typed) {
  Names names;
  for (const data::SchemeInfo& scheme : schemes_for(typed))
    if (std::find(typed.words.begin(), typed.words.end(), scheme.id) != typed.words.end())
      for (const data::Quantity& parameter : scheme.parameters) names.push_back(parameter.name + "=");
  return names;
}

Names check_names() {
  Names names;
  for (const check::CheckInfo& info : check::all_checks()) names.push_back(info.name);
  return names;
}

Completion value_of_option(const Typed& typed) {
  const std::string& option = typed.open_option;
  const std::string command = typed.command->name;
  if (option == "plugins" || option == "dir") return {{}, {}, true};
  if (option == "output") return {{}, command == "report" ? Names{"*.md", "*.pdf", "*.tex"} : Names{"*.h5"}};
  if (option == "only") return {command == "check" ? check_names() : scheme_and_experiment_names(typed), {}};
  if (option == "axis") return {axis_names(), {}};
  if (option == "set") return {parameter_names(typed), {}};
  if (option == "data") return {file_names(), {}};
  if (option == "weights") return {{}, {"*.h5"}};
  if (option == "family") return {scaffold::families(), {}};
  return {};
}

Completion word_of(const Typed& typed) {
  const std::string command = typed.command->name;
  if (command == "run" || command == "submit") return {{}, {"*.toml"}};
  if (command == "status") return {{}, {"*.h5", "*.journal", "*.toml"}};
  if (command == "check") return {scheme_names(typed), {"*.so"}};
  if (command == "describe") return {typed.words.empty() ? scheme_and_experiment_names(typed) : Names{}, {}};
  if (command == "find") return {};  // of words there are too many
  if (command == "table") return {typed.words.empty() ? scheme_names(typed) : Names{}, {}};
  if (command == "list") return {typed.words.empty() ? Names{"experiments", "schemes"} : Names{}, {}};
  if (command == "new") return {typed.words.empty() ? Names{"scheme"} : Names{}, {}};
  return {{}, {"*.h5"}};  // what is left reads results
}

Completion all_after(const Names& before, const std::string& begun) {
  if (before.empty()) {
    Completion first{all_commands(), {}};
    if (begun.starts_with('-')) first.words = {"--help", "--version"};
    return first;
  }
  if (before.front() == "help") return {before.size() == 1 ? all_commands() : Names{}, {}};
  const Command* command = command_of(before.front());
  if (!command) return {};
  const Typed typed = sorted(*command, before);
  if (!typed.open_option.empty()) return value_of_option(typed);
  if (!begun.starts_with('-')) return word_of(typed);
  Completion options{{"--help"}, {}};
  for (const OptionRow& row : typed.options) options.words.push_back("--" + row.name);
  return options;
}

}  // namespace

Completion completion_of(Names before, std::string begun) {
  if (begun == "=") before.push_back(std::exchange(begun, ""));
  if (before.size() > 1 && before.back() == "=" && !before[before.size() - 2].starts_with('-'))
    return {};  // NAME=VALUE of --axis and --set: no table has the values
  before.erase(std::remove(before.begin(), before.end(), "="), before.end());
  Completion completion = all_after(before, begun);
  Names& words = completion.words;
  words.erase(std::remove_if(words.begin(), words.end(), [&](const auto& word) { return !word.starts_with(begun); }),
              words.end());
  std::sort(words.begin(), words.end());
  return completion;
}

}  // namespace poslab::app
