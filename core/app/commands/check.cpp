// SPDX-License-Identifier: Apache-2.0
// `poslab check`: checks in children, which are this command again with --perform.
#include "commands/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

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

int list_checks(bool json) {
  json ? print_as_it_is(stdout, checks_json(check::all_checks())) : print(stdout, checks_text(check::all_checks()));
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
  const bool json = *asked.json;
  if (*asked.list) return list_checks(json);
  check::Selection selection = asked.selection();
  const std::vector<std::string> files = asked.files();
  if (asked.perform.is_given()) return perform_in_child(asked, files.front());
  for (const std::string& file : files) require_request(asked, file, selection);
  base::Json all = base::Json::array();
  bool good = true;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    selection.in_one_child = host::is_python(file);
    if (!json) print(stdout, fmt::format("{}{}\n", i == 0 ? "" : "\n", base::printable(file)));
    const Findings findings =
        check::perform_checks(asked.child_arguments(file), selection, [json](const check::Finding& finding) {
          if (!json) print(stdout, finding_text(finding));
        });
    if (json)
      all.push_back(findings_json(file, findings));
    else
      print(stdout, findings_text(findings));
    good = good && check::failed_checks(findings).empty();
    if (asked.is_whole() && can_be_opened(findings)) keep_findings(file, findings);
  }
  if (json) print_as_it_is(stdout, base::json_text(all, 1) + "\n");
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
       .exit_codes = "0 all passed, 1 a check failed, 2 the command is wrong."},
      check_files);
}

}  // namespace poslab::app
