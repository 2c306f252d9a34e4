// SPDX-License-Identifier: Apache-2.0
// One check, in the child that was started for it.
#include <algorithm>

#include "child_report.hpp"
#include "list.hpp"

namespace poslab::check {

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: return "passed";
    case Verdict::failed: return "failed";
    case Verdict::not_performed: return "not performed";
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
  if (check == checks().end()) throw NoSuchCheck(name);
  Trial trial(request, say);
  try {
    say(verdict_line(Verdict::passed, check->body(trial)));
  } catch (const WrongRequest& mistake) {
    say(line::wrong_request + mistake.reason);
  } catch (const NotPerformed& ending) {
    say(verdict_line(Verdict::not_performed, ending.reason));
  } catch (const NoGuardPages& lack) {
    say(verdict_line(Verdict::not_performed, lack.what()));
  } catch (const Failed& failure) {
    say(verdict_line(Verdict::failed, failure.what()));
  } catch (const host::PluginRefused& refusal) {
    say(verdict_line(Verdict::failed, refusal.reason));
  }
}

}  // namespace poslab::check
