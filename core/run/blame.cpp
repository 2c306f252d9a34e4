// SPDX-License-Identifier: Apache-2.0
#include "blame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <csignal>

namespace poslab::run {
namespace {

constexpr std::size_t most_words = 400;

std::string last_words(const std::string& complaint) {
  std::string end = complaint.substr(complaint.size() - std::min(complaint.size(), most_words));
  std::replace_if(
      end.begin(), end.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  while (!end.empty() && end.back() == ' ') end.pop_back();
  return end;
}

}  // namespace

std::string manner_of(const process::Partner& partner, const process::Ended& ended) {
  std::string manner;
  if (partner.spoke_nonsense())
    manner = "wrote into the connection between worker and host";
  else if (partner.was_killed_by_us())
    manner = "closed the connection between worker and host";
  else if (ended.how == process::End::killed)
    manner = "died of " + process::signal_text(ended.code);
  else
    manner = fmt::format("ended its process with exit code {}", ended.code);
  const std::string words = last_words(ended.complaint);
  return words.empty() ? manner : manner + "; its last words: " + words;
}

bool was_killed_by_others(const process::Partner& partner, const process::Ended& ended) {
  return !partner.was_killed_by_us() && ended.how == process::End::killed &&
         (ended.code == SIGKILL || ended.code == SIGTERM || ended.code == SIGINT || ended.code == SIGHUP);
}

void Blame::note(const base::SchemeInfo& scheme) {
  if (++count_[scheme.file_hash] == most) set_aside_.push_back({scheme.id, scheme.file, scheme.file_hash});
}

std::string Blame::why_not(const base::SchemeInfo& scheme) const {
  const auto count = count_.find(scheme.file_hash);
  if (count == count_.end() || count->second < most) return "";
  return fmt::format(
      "not performed: {} cells of this plugin ended their workers, so it was set aside for this run ({}, sha256 {})",
      most, scheme.file, scheme.file_hash.substr(0, 12));
}

}  // namespace poslab::run
