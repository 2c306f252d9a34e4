// SPDX-License-Identifier: Apache-2.0
// Checks, in the child that was started for them.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>

#include "child_report.hpp"
#include "list.hpp"
#include "poslab/host/scheme_errors.hpp"

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

namespace {

const Check& check_of(const std::string& name) {
  const auto check = std::find_if(checks().begin(), checks().end(), [&](const Check& c) { return c.name == name; });
  if (check != checks().end()) return *check;
  throw base::Error(base::Error::Kind::request, fmt::format("there is no check \"{}\"", name),
                    "`poslab check --list` names them");
}

using Say = std::function<void(std::string)>;
using Opened = std::shared_ptr<const host::Plugin>;  // by an earlier check, for the next one

CheckResult told(const Say& say, CheckResult result, const std::string& sentence) {
  say(result_line(result, sentence));
  return result;
}

std::string passed_sentence(const Check& check, const Request& request, const Say& say, Opened& plugin) {
  Trial trial(request, say, plugin);
  return check.body(trial);
}

CheckResult perform(const Check& check, const Request& request, const Say& say, Opened& plugin) {
  try {
    return told(say, CheckResult::passed, passed_sentence(check, request, say, plugin));
  } catch (const WrongRequest& mistake) {
    say(std::string(line::wrong_request) + mistake.what());
    return CheckResult::failed;
  } catch (const NotPerformed& ending) {
    return told(say, CheckResult::not_performed, ending.what());
  } catch (const Failed& failure) {
    return told(say, CheckResult::failed, failure.what());
  } catch (const host::OutOfMemory& lack) {
    return told(say, CheckResult::failed, lack.what());
  } catch (const std::bad_alloc&) {
    return told(say, CheckResult::not_performed, "there is not enough memory for it here");
  } catch (const host::PluginRefused& refusal) {
    return told(say, CheckResult::failed, refusal.reason);
  }
}

// The plugin is not to blame where somebody else kills its Python process: the check is tried again, once, in a new
// one. It has not passed where that happens twice.
CheckResult perform_despite_kills(const Check& check, const Request& request, const Say& say, Opened& plugin) {
  try {
    return perform(check, request, say, plugin);
  } catch (const host::ProcessLost&) {
    plugin.reset();
  }
  try {
    return perform(check, request, say, plugin);
  } catch (const host::ProcessLost& lost) {
    plugin.reset();
    return told(say, CheckResult::failed, std::string(lost.what()) + "; the check was tried twice");
  }
}

}  // namespace

void perform_in_turn(const std::vector<std::string>& names, const Request& request, const Say& say,
                     const std::function<void()>& on_end) {
  Opened plugin;
  for (const std::string& name : names) {
    const Check& check = check_of(name);
    const CheckResult result = perform_despite_kills(check, request, say, plugin);
    on_end();
    if (check.is_gate && result == CheckResult::failed) return;
  }
}

}  // namespace poslab::check
