// SPDX-License-Identifier: Apache-2.0
// One check, in the child that was started for it.
#include <fmt/format.h>

#include <algorithm>

#include "list.hpp"

namespace poslab::check {
namespace {

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

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
  if (check == checks().end()) throw base::Error(fmt::format("there is no check \"{}\"", name));
  const auto conclude = [&](Verdict verdict, const std::string& sentence) {
    say(fmt::format("{}: {}", to_text(verdict), one_line(sentence)));
  };
  Trial trial(request, say);
  try {
    conclude(Verdict::passed, check->body(trial));
  } catch (const WrongRequest& mistake) {
    say(wrong_request + one_line(mistake.what()));
  } catch (const NotPerformed& reason) {
    conclude(Verdict::not_performed, reason.what());
  } catch (const Failed& failure) {
    conclude(Verdict::failed, failure.what());
  } catch (const host::PluginRefused& refusal) {
    conclude(Verdict::failed, refusal.reason);
  }
}

}  // namespace poslab::check
