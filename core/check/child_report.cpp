// SPDX-License-Identifier: Apache-2.0
#include "child_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace poslab::check {
namespace {

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// What follows `opening`, if the line begins with it.
std::optional<std::string> after(const std::string& line, const std::string& opening) {
  if (line.rfind(opening, 0) != 0) return std::nullopt;
  return line.substr(opening.size());
}

Unclaimed read_unclaimed(const std::string& text) {
  Unclaimed unclaimed;
  std::istringstream words(text);
  words >> unclaimed.attacks >> std::ws;
  std::getline(words, unclaimed.claim);
  return unclaimed;
}

}  // namespace

std::string result_line(CheckResult result, const std::string& sentence) {
  return fmt::format("{}: {}", to_text(result), in_one_line(sentence));
}

std::string unclaimed_line(const Unclaimed& unclaimed) {
  return fmt::format("{}{} {}", line::unclaimed, unclaimed.attacks, unclaimed.claim);
}

ChildReport read_child_report(const std::string& lines) {
  ChildReport report;
  std::istringstream stream(lines);
  for (std::string text; std::getline(stream, text);) {
    if (const auto rest = after(text, line::wrong_request)) throw WrongRequest(*rest);
    if (const auto rest = after(text, line::at)) report.where = *rest;
    if (const auto rest = after(text, line::variant)) report.variant = *rest;
    if (const auto rest = after(text, line::outside)) report.outside = *rest;
    if (const auto rest = after(text, line::warning)) report.warnings.push_back(*rest);
    if (const auto rest = after(text, line::if_stopped)) report.if_stopped = rest->empty() ? std::nullopt : rest;
    if (const auto rest = after(text, line::unclaimed)) report.unclaimed = read_unclaimed(*rest);
    for (const CheckResult result : {CheckResult::passed, CheckResult::failed, CheckResult::not_performed})
      if (const auto rest = after(text, std::string(to_text(result)) + ": ")) {
        report.result = result;
        report.sentence = *rest;
      }
  }
  return report;
}

}  // namespace poslab::check
