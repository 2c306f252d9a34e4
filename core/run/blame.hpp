// SPDX-License-Identifier: Apache-2.0
// Who is to blame for a worker's end, in words; and which plugins have ended so many that they get no more cells.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/process/child.hpp"
#include "poslab/process/partner.hpp"
#include "poslab/run/workshop.hpp"

namespace poslab::run {

/// So many kills of its worker from outside a cell or a question survives; then it is held to be the reason itself.
constexpr int most_kills = 3;

/// "died of SIGSEGV (segmentation fault); its last words: ..."
std::string manner_of(const process::Partner& partner, const process::Ended& ended);

/// Whether a worker was ended from outside: by a person, a batch system, or the system for want of memory.
bool was_killed_by_others(const process::Partner& partner, const process::Ended& ended);

class Blame {
 public:
  /// After so many cells that ended a worker, a plugin is set aside.
  static constexpr int most = 3;

  /// Notes that a cell of this plugin has ended a worker.
  void note(const base::SchemeInfo& scheme);
  /// Empty, or why a cell of this plugin is not performed any more.
  std::string why_not(const base::SchemeInfo& scheme) const;
  const std::vector<SetAside>& set_aside() const { return set_aside_; }

 private:
  std::map<std::string, int> count_;  // by hash of the file
  std::vector<SetAside> set_aside_;
};

}  // namespace poslab::run
