// SPDX-License-Identifier: Apache-2.0
// The parent's side: children that perform checks, and what their ends mean.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "child_report.hpp"
#include "list.hpp"
#include "poslab/base/text.hpp"
#include "poslab/check/check.hpp"
#include "poslab/process/child.hpp"

namespace poslab::check {
namespace {

constexpr std::size_t max_last_words = 300;
constexpr const char *finds_wrong_access = "bounds", *watches_output = "quiet";

std::string end_of(const std::string& text) {
  std::string end = text.substr(text.size() - std::min(text.size(), max_last_words));
  while (!end.empty() && end.back() == '\n') end.pop_back();
  std::replace(end.begin(), end.end(), '\n', ' ');
  return end;
}

std::string death(const process::Ended& ended, const ChildReport& report, double time_limit) {
  std::string sentence;
  switch (ended.how) {
    case process::End::killed: sentence = "died of " + process::signal_text(ended.code); break;
    case process::End::timed_out:
      sentence = fmt::format("did not come back within {} s (--time-limit)", base::shortest(time_limit));
      break;
    case process::End::exited: sentence = fmt::format("ended the process with exit code {}", ended.code); break;
  }
  if (!report.outside.empty())
    sentence = fmt::format("{} {}, and {}", report.where, report.outside, sentence);
  else if (!report.where.empty())
    sentence += " at " + report.where;
  sentence += process::left_text(ended);
  if (const std::string words = end_of(ended.error_output); !words.empty()) sentence += "; its last words: " + words;
  return sentence;
}

Finding finding_of(const std::string& check, const process::Ended& ended, const ChildReport& report,
                   double time_limit) {
  Finding finding{check, CheckResult::failed, "", ended.seconds, report.warnings, report.unclaimed};
  if (ended.how == process::End::timed_out && report.if_stopped) {
    finding.result = CheckResult::not_performed;
    finding.sentence = *report.if_stopped;
    return finding;
  }
  if (ended.how != process::End::exited || !report.result) {
    finding.sentence = death(ended, report, time_limit);
    return finding;
  }
  finding.result = *report.result;
  finding.sentence = report.sentence;
  if (check == watches_output && finding.result == CheckResult::passed &&
      !(ended.output + ended.error_output).empty()) {
    finding.result = CheckResult::failed;
    finding.sentence = fmt::format("it wrote to {}: {}", ended.output.empty() ? "stderr" : "stdout",
                                   end_of(ended.output.empty() ? ended.error_output : ended.output));
  }
  return finding;
}

// Ends by which a write to the wrong address shows, at once or when the heap is found broken.
bool may_be_wrong_write(const process::Ended& ended) {
  if (ended.how == process::End::exited) return ended.error_output.find("AddressSanitizer") != std::string::npos;
  return ended.how == process::End::killed && (ended.code == SIGSEGV || ended.code == SIGBUS || ended.code == SIGABRT);
}

// The second goes on where the first was cut.
process::Ended joined(const process::Ended& first, process::Ended second) {
  second.answer.insert(0, first.answer);
  second.output.insert(0, first.output);
  second.error_output.insert(0, first.error_output);
  second.seconds += first.seconds;
  return second;
}

// How a child ended, for each check that it began: as if it had been started for that one alone, but that the first of
// them opened the plugin. `on_end` says whether the child goes on.
void run_child(std::vector<std::string> arguments, const std::vector<std::string>& names,
               const std::vector<std::string>& more, double time_limit,
               const std::function<bool(const process::Ended&)>& on_end) {
  arguments.push_back(fmt::format("{}", fmt::join(names, ",")));
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::size_t count = 0;
  bool goes_on = true;
  process::Ended last;  // a child that dies at its end dies in its last check
  const process::Ended ended = process::run_self_in_pieces(arguments, time_limit, [&](const process::Ended& piece) {
    if (++count < names.size())
      goes_on = on_end(piece);
    else
      last = piece;
  });
  if (goes_on) on_end(joined(last, ended));
}

process::Ended with_output(const process::Ended& earlier, process::Ended ended) {
  ended.output.insert(0, earlier.output);
  ended.error_output.insert(0, earlier.error_output);
  return ended;
}

// The finding of the check; where the child died of a wrong access, with what is found beside guard pages.
Finding with_cause(const std::vector<std::string>& arguments, const std::string& check, const process::Ended& ended,
                   double time_limit) {
  const ChildReport report = read_child_report(ended.answer);
  Finding finding = finding_of(check, ended, report, time_limit);
  if (check == finds_wrong_access || report.result || report.variant.empty() || !may_be_wrong_write(ended))
    return finding;
  // With arrays on the heap a wrong write kills late or elsewhere; beside guard pages it shows its array and index.
  const std::string option = std::string("--") + variant_option;
  ChildReport guarded_report;
  Finding cause;
  run_child(arguments, {finds_wrong_access}, {option, report.variant}, time_limit, [&](const process::Ended& guarded) {
    guarded_report = read_child_report(guarded.answer);
    cause = finding_of(finds_wrong_access, guarded, guarded_report, time_limit);
    return true;
  });
  const bool is_named = !guarded_report.outside.empty() || guarded_report.result == CheckResult::failed;
  finding.seconds += cause.seconds;
  finding.sentence += is_named ? fmt::format("; `{}` finds: {}", finds_wrong_access, cause.sentence)
                               : fmt::format(
                                     "; `{}` watches the arrays of a call and saw nothing outside them: look "
                                     "at indices of weights (w[i]), at far ones, and at arrays of the scheme's own",
                                     finds_wrong_access);
  return finding;
}

bool is_selected(const Selection& selection, const std::string& name) {
  return selection.only.empty() ||
         std::find(selection.only.begin(), selection.only.end(), name) != selection.only.end();
}

}  // namespace

std::string unclaimed_text(const std::vector<Finding>& findings) {
  std::vector<Unclaimed> all;
  for (const Finding& finding : findings)
    if (finding.unclaimed) all.push_back(*finding.unclaimed);
  if (all.empty()) return "";
  const int attacks = all.front().attacks;
  const bool same = std::all_of(all.begin(), all.end(), [&](const Unclaimed& each) { return each.attacks == attacks; });
  std::string names;
  for (const Unclaimed& each : all)
    names +=
        fmt::format("{}{}{}", names.empty() ? "" : ", ", each.claim, same ? "" : fmt::format(" ({})", each.attacks));
  return same ? fmt::format("not claimed, but stood {} attack{}: {}", attacks, attacks == 1 ? "" : "s", names)
              : fmt::format("not claimed, but stood every attack (how many): {}", names);
}

std::vector<Finding> perform_checks(const std::vector<std::string>& arguments, const Selection& selection,
                                    const std::function<void(const Finding&)>& as_they_come) {
  std::vector<Finding> findings;
  std::vector<const Check*> left;
  for (const Check& check : checks())
    if (is_selected(selection, check.name)) left.push_back(&check);
  std::string failed_gate;
  const auto add = [&](Finding finding) {
    const Check& check = *left.front();
    left.erase(left.begin());
    if (check.is_gate && finding.result == CheckResult::failed) failed_gate = check.name;
    as_they_come(finding);
    findings.push_back(std::move(finding));
  };
  while (!left.empty() && failed_gate.empty()) {
    std::vector<std::string> names;
    for (const Check* check : left) names.push_back(check->name);
    if (!selection.in_one_child) names.resize(1);
    process::Ended opening;  // by the first check that was performed: what the file writes then, no other sees
    bool is_open = false;
    run_child(arguments, names, {}, selection.time_limit, [&](const process::Ended& ended) {
      const bool is_quiet = left.front()->name == std::string(watches_output);
      Finding finding = with_cause(arguments, left.front()->name, is_quiet ? with_output(opening, ended) : ended,
                                   selection.time_limit);
      if (!is_open && finding.result != CheckResult::not_performed) is_open = true, opening = ended;
      add(std::move(finding));
      return failed_gate.empty();
    });
  }
  while (!left.empty()) {
    Finding finding{left.front()->name, CheckResult::not_performed,
                    fmt::format("rests on {}, which failed", failed_gate)};
    finding.rests_on = failed_gate;
    add(std::move(finding));
  }
  return findings;
}

}  // namespace poslab::check
