// SPDX-License-Identifier: Apache-2.0
// The parent's side: one child a check, and what its end means.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "list.hpp"
#include "poslab/base/text.hpp"
#include "poslab/check/check.hpp"
#include "poslab/process/child.hpp"

namespace poslab::check {
namespace {

constexpr std::size_t most_complaint = 300;

// What the lines of a child say: where it was last, and its verdict, if it came to one.
struct Account {
  std::string where;
  bool concluded = false;
  Verdict verdict = Verdict::failed;
  std::string sentence;
};

Account read_account(const std::string& answer) {
  Account account;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("at ", 0) == 0) account.where = line.substr(3);
    if (line.rfind(wrong_request, 0) == 0) throw WrongRequest(line.substr(std::string(wrong_request).size()));
    for (const Verdict verdict : {Verdict::passed, Verdict::failed, Verdict::not_performed}) {
      const std::string opening = std::string(to_text(verdict)) + ": ";
      if (line.rfind(opening, 0) != 0) continue;
      account.concluded = true;
      account.verdict = verdict;
      account.sentence = line.substr(opening.size());
    }
  }
  return account;
}

std::string end_of(const std::string& text) {
  std::string end = text.substr(text.size() - std::min(text.size(), most_complaint));
  while (!end.empty() && end.back() == '\n') end.pop_back();
  std::replace(end.begin(), end.end(), '\n', ' ');
  return end;
}

std::string death(const process::Ended& ended, const Account& account, double time_limit) {
  std::string sentence;
  switch (ended.how) {
    case process::End::killed: sentence = "died of " + process::signal_text(ended.code); break;
    case process::End::timed_out:
      sentence = fmt::format("did not come back within {} s", base::shortest(time_limit));
      break;
    case process::End::exited: sentence = fmt::format("ended the process with exit code {}", ended.code); break;
  }
  if (!account.where.empty()) sentence += " at " + account.where;
  if (const std::string words = end_of(ended.complaint); !words.empty()) sentence += "; its last words: " + words;
  return sentence;
}

Finding finding_of(const std::string& check, const process::Ended& ended, double time_limit) {
  const Account account = read_account(ended.answer);
  const bool came_back = ended.how == process::End::exited && account.concluded;
  Finding finding{check, Verdict::failed, "", ended.seconds};
  if (!came_back) {
    finding.sentence = death(ended, account, time_limit);
    return finding;
  }
  finding.verdict = account.verdict;
  finding.sentence = account.sentence;
  if (check == "quiet" && finding.verdict == Verdict::passed && !(ended.output + ended.complaint).empty()) {
    finding.verdict = Verdict::failed;
    finding.sentence = fmt::format("it wrote to {}: {}", ended.output.empty() ? "stderr" : "stdout",
                                   end_of(ended.output.empty() ? ended.complaint : ended.output));
  }
  return finding;
}

bool wanted(const Selection& selection, const std::string& name) {
  return selection.only.empty() ||
         std::find(selection.only.begin(), selection.only.end(), name) != selection.only.end();
}

}  // namespace

std::vector<Finding> judge(const std::vector<std::string>& arguments, const Selection& selection,
                           const std::function<void(const Finding&)>& as_they_come) {
  std::vector<Finding> findings;
  std::string failed_gate;
  for (const Check& check : checks()) {
    if (!wanted(selection, check.name)) continue;
    Finding finding{check.name, Verdict::not_performed, fmt::format("rests on {}, which failed", failed_gate), 0};
    if (failed_gate.empty()) {
      std::vector<std::string> words = arguments;
      words.emplace_back(check.name);
      finding = finding_of(check.name, process::run_self(words, selection.time_limit), selection.time_limit);
      if (check.is_gate && finding.verdict == Verdict::failed) failed_gate = check.name;
    }
    as_they_come(finding);
    findings.push_back(finding);
  }
  return findings;
}

}  // namespace poslab::check
