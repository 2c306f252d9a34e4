// SPDX-License-Identifier: Apache-2.0
// One check, in the child that was started for it.
#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "child_report.hpp"
#include "list.hpp"

namespace poslab::check {

const char* to_text(CheckResult result) {
  switch (result) {
    case CheckResult::passed: return "passed";
    case CheckResult::failed: return "failed";
    case CheckResult::not_performed: return "not performed";
  }
  return "?";
}

std::vector<CheckInfo> all_checks() {
  std::vector<CheckInfo> infos;
  for (const Check& check : checks()) infos.push_back({check.name, check.sentence});
  return infos;
}

void perform_check(const std::string& name, const Request& request, const std::function<void(std::string)>& say) {
  const auto check = std::find_if(checks().begin(), checks().end(), [&](const Check& c) { return c.name == name; });
  if (check == checks().end())
    throw base::Error(base::Error::Kind::request, fmt::format("there is no check \"{}\"", name),
                      "`poslab check --list` names them");
  Trial trial(request, say);
  try {
    say(result_line(CheckResult::passed, check->body(trial)));
  } catch (const WrongRequest& mistake) {
    say(std::string(line::wrong_request) + mistake.what());
  } catch (const NotPerformed& ending) {
    say(result_line(CheckResult::not_performed, ending.what()));
  } catch (const Failed& failure) {
    say(result_line(CheckResult::failed, failure.what()));
  } catch (const host::OutOfMemory& lack) {
    say(result_line(CheckResult::failed, lack.what()));
  } catch (const std::bad_alloc&) {
    say(result_line(CheckResult::not_performed, "there is not enough memory for it here"));
  } catch (const host::PluginRefused& refusal) {
    say(result_line(CheckResult::failed, refusal.reason));
  }
}

}  // namespace poslab::check
