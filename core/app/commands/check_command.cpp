// SPDX-License-Identifier: Apache-2.0
// `poslab check`: every check in a child of its own, which is this command again with --perform.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "poslab/app/arguments/check_options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/check_text.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/check/plugin_checks.hpp"
#include "poslab/host/library.hpp"
#include "poslab/process/child.hpp"
#include "poslab/run/version.hpp"
#include "poslab/workers/backend.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

using Findings = std::vector<check::Finding>;

// The child's whole life.
int perform(const po::variables_map& values, const std::string& file) {
  process::end_with_parent();
  check::perform_check(values["perform"].as<std::string>(), request_of(values, file),
                       [](const std::string& line) { process::answer(line + "\n"); });
  return all_well;
}

int list_checks(bool json) {
  json ? print_as_it_is(stdout, checks_json(check::all_checks())) : print(stdout, checks_text(check::all_checks()));
  return all_well;
}

// A model or a parameter that makes no sense is refused before anything is printed.
void require_request(const po::variables_map& values, const std::string& file, const check::Selection& selection) {
  const std::vector<std::string> words = child_arguments(values, file);
  if (values.count("set") > 0)
    check::perform_checks(words, {{"table"}, selection.time_limit}, [](const check::Finding&) {});
}

// Whether all checks run, on the usual variants and models.
bool is_whole(const po::variables_map& values) {
  return values.count("only") == 0 && values.count("set") == 0 && values["d-model"].defaulted() &&
         values["heads"].defaulted();
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

}  // namespace

int check_command(const std::vector<std::string>& arguments) {
  Options options("check");
  add_check_options(options);
  const po::variables_map values = options.parse(arguments);
  const bool json = values.count("json") > 0;
  if (values.count("list") > 0) return list_checks(json);
  const check::Selection selection = selection_of(values);
  const auto [files, notices] = plugin_files_of(values);
  print(stderr, notices);
  if (values.count("perform") > 0) return perform(values, files.front());
  for (const std::string& file : files) require_request(values, file, selection);
  base::Json all = base::Json::array();
  bool good = true;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    if (!json) print(stdout, fmt::format("{}{}\n", i == 0 ? "" : "\n", base::printable(file)));
    const Findings findings =
        check::perform_checks(child_arguments(values, file), selection, [json](const check::Finding& finding) {
          if (!json) print(stdout, finding_text(finding));
        });
    if (json)
      all.push_back(findings_json(file, findings));
    else
      print(stdout, findings_text(findings));
    good = good && check::failed_checks(findings).names.empty();
    if (is_whole(values) && can_be_opened(findings)) keep_findings(file, findings);
  }
  if (json) print_as_it_is(stdout, base::json_text(all, 1) + "\n");
  return good ? all_well : expectation_failed;
}

}  // namespace poslab::app
