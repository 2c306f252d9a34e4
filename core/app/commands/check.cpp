// SPDX-License-Identifier: Apache-2.0
// `poslab check`: checks in children, which are this command again with --perform.
#include "commands/check.hpp"

#include <algorithm>
#include <cstdio>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/check/plugin_checks.hpp"
#include "poslab/host/python.hpp"
#include "poslab/process/child.hpp"
#include "poslab/run/version.hpp"
#include "poslab/workers/backend.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

using Findings = std::vector<check::Finding>;

// The child's whole life.
int perform_in_child(const CheckOptions& asked, const std::string& file) {
  process::end_with_parent();
  check::perform_in_turn(
      asked.performed(), asked.request(file), [](const std::string& line) { process::answer(line + "\n"); },
      process::end_piece);
  return all_well;
}

// A model or a parameter that makes no sense is refused before anything is printed.
void require_request(const CheckOptions& asked, const std::string& file, const check::Selection& selection) {
  const std::vector<std::string> words = asked.child_arguments(file);
  if (asked.variant.set.is_given())
    check::perform_checks(words, {{"table"}, selection.time_limit, false}, [](const check::Finding&) {});
}

// What hung or crashed when it was opened is not opened once more.
bool can_be_opened(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const check::Finding& finding) {
    return finding.check == "table" && finding.result == check::CheckResult::passed;
  });
}

void keep_findings(const std::string& file, const Findings& findings) try {
  const data::SchemeInfo scheme = workers::make_backend({})->open(file);
  check::FindingStore::of_user(run::build()).keep(scheme.code_hash(), check::failed_checks(findings));
} catch (const host::PluginRefused&) {
  // what cannot be opened cannot be run either
}

int check_files(const CheckOptions& asked) {
  if (*asked.list) return print(checks_document(check::all_checks()), *asked.json), all_well;
  check::Selection selection = asked.selection();
  const std::vector<std::string> files = asked.files();
  if (asked.perform.is_given()) return perform_in_child(asked, files.front());
  for (const std::string& file : files) require_request(asked, file, selection);
  base::Json plugins = base::Json::array();
  bool good = true;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    selection.in_one_child = host::is_python(file);
    Document document((i == 0 ? "" : "\n") + base::printable(file));
    const auto print_as_it_grows = [&] {
      if (!*asked.json) print(stdout, document.new_text());
    };
    document.add("plugin", file);
    document.add("checks", base::Json::array());
    print_as_it_grows();
    const Findings findings =
        check::perform_checks(asked.child_arguments(file), selection, [&](const check::Finding& finding) {
          add_finding(document, finding);
          print_as_it_grows();
        });
    add_totals(document, findings);
    print_as_it_grows();
    plugins.push_back(document.json());
    good = good && check::failed_checks(findings).empty();
    if (asked.is_whole() && can_be_opened(findings)) keep_findings(file, findings);
  }
  if (*asked.json) print_json(plugins);
  return good ? all_well : expectation_failed;
}

}  // namespace

Command check_command() {
  return with_action(
      {.name = "check",
       .sentence = "try to refute what a plugin promises",
       .usage = "PLUGIN.so|SCHEME ...",
       .what = "Performs every check in a process of its own, those of a Python file in one. Without --set: on the "
               "default variant and, "
               "a parameter at a time, on other choices and ends of ranges.",
       .shown = {"poslab check rope", "poslab check build/mine.so --only relative,gradients --set base=500000"},
       .exit_codes = "0 all passed, 1 a check failed, 2 the command is wrong.",
       .json = "plugin, checks, resting, passed, failed, not_performed, warnings, seconds"},
      check_files);
}

}  // namespace poslab::app
