// SPDX-License-Identifier: Apache-2.0
#include "poslab/slurm/submission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "poslab/base/printable.hpp"

namespace poslab::slurm {
namespace {

constexpr double max_warning_time = 120;  // seconds

base::Error bad_time(const std::string& time, const std::string& wanted) {
  return {base::Error::Kind::argument, fmt::format("--time is \"{}\", but must be {}", time, wanted)};
}

}  // namespace

double seconds_of(const std::string& time) {
  static const std::regex form("(?:([0-9]{1,6})-)?([0-9]{1,9})(?::([0-9]{1,2}))?(?::([0-9]{1,2}))?");
  std::smatch parts;
  if (!std::regex_match(time, parts, form))
    throw bad_time(time, "like 90 (minutes), 2:00:00 (hours:minutes:seconds) or 1-12 (days-hours)");
  const auto number = [&](std::size_t i) { return parts[i].matched ? std::stod(parts[i]) : 0; };
  double seconds = 0;
  if (parts[1].matched)
    seconds = ((number(1) * 24 + number(2)) * 60 + number(3)) * 60 + number(4);
  else if (parts[4].matched)
    seconds = (number(2) * 60 + number(3)) * 60 + number(4);
  else
    seconds = number(2) * 60 + number(3);
  if (seconds <= 0) throw bad_time(time, "longer than nothing");
  return seconds;
}

int warning_seconds(const Submission& submission) {
  if (submission.time.empty()) return static_cast<int>(max_warning_time);
  return static_cast<int>(std::clamp(seconds_of(submission.time) / 4, 1.0, max_warning_time));
}

std::string shard_files(const Submission& submission) {
  const std::filesystem::path output = submission.output;
  return fmt::format("{}.{{1..{}}}-of-{}{}", base::shell_word((output.parent_path() / output.stem()).string()),
                     submission.tasks, submission.tasks, base::shell_word(output.extension().string() + ".journal"));
}

}  // namespace poslab::slurm
