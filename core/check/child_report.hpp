// SPDX-License-Identifier: Apache-2.0
// The lines by which a child tells its parent how far its check has come.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poslab/check/check.hpp"

namespace poslab::check {

/// How the lines begin; a result's line begins with its text and ": ".
namespace line {
inline constexpr const char *at = "at ", *variant = "variant ", *outside = "outside ",
                            *warning = "warning: ", *unclaimed = "unclaimed ",
                            *if_stopped = "if stopped: ", *wrong_request = "wrong request: ";
}
std::string result_line(CheckResult result, const std::string& sentence);
std::string unclaimed_line(const Unclaimed& unclaimed);

/// What the lines say together, whether or not the child came to its end.
struct ChildReport {
  std::string where;                      ///< what it did last
  std::string variant;                    ///< the instance that it called last; empty: none
  std::string outside;                    ///< how a call touched guard pages
  std::optional<CheckResult> result;      ///< none: it did not finish
  std::string sentence;                   ///< of the result
  std::optional<std::string> if_stopped;  ///< why it counts as not performed should its time end now
  std::vector<std::string> warnings;
  std::optional<Unclaimed> unclaimed;
};
/// Throws WrongRequest if the child says so.
ChildReport read_child_report(const std::string& lines);

}  // namespace poslab::check
