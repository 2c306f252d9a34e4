// SPDX-License-Identifier: Apache-2.0
// Named checks of a plugin: what it is, how it behaves when called, whether its gradients are right, whether its claims
// hold. They are performed in processes of their own (perform_checks), which call perform_in_turn.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::check {

struct CheckInfo {
  std::string name;
  std::string sentence;  ///< what it looks for
};
/// All checks, in the order in which they are performed.
std::vector<CheckInfo> all_checks();

enum class CheckResult { passed, failed, not_performed };
const char* to_text(CheckResult result);  ///< "passed", "failed", "not performed"

/// A claim that no variant makes, although each that can be attacked stood every attack.
struct Unclaimed {
  std::string claim;  ///< "relative"
  int attacks = 0;
};

struct Finding {
  std::string check;
  CheckResult result = CheckResult::passed;
  std::string sentence = {};
  double seconds = 0;
  std::vector<std::string> warnings = {};  ///< what is no failure, but hardly meant
  std::optional<Unclaimed> unclaimed = {};
  std::string rests_on = {};  ///< the gate that failed, and because of which this check was not performed; else empty
};
/// "not claimed, but stood 108 attacks: relative, symmetric"; empty: there is no such claim.
std::string unclaimed_text(const std::vector<Finding>& findings);

/// In the child: what is checked.
struct Request {
  std::filesystem::path file;
  std::function<data::Values(const data::SchemeInfo&)> parameters;  ///< those that a user fixes; none: all variants
  std::vector<host::Model> models;                                  ///< empty: the usual two
  std::string variant = {};                                         ///< label of the only one to call; empty: all
};

/// The request itself is wrong (a parameter that does not exist, or a value outside its range), not the plugin.
struct WrongRequest : base::Error {
  explicit WrongRequest(const std::string& problem) : Error(Kind::request, problem) {}
};

/// In the child: performs these checks, one after the other, on the plugin as the first of them opens it, until a check
/// fails on which later ones rest; `say` gets lines for the parent (child_report.hpp), and `on_end` is called after
/// each. Throws base::Error if there is no such check.
void perform_in_turn(const std::vector<std::string>& names, const Request& request,
                     const std::function<void(std::string)>& say, const std::function<void()>& on_end);

struct Selection {
  std::vector<std::string> only;  ///< names of checks; empty: all
  double time_limit = 20;         ///< seconds a check
  /// One child performs all, and another one what is left when it has died: for a file that takes long to open.
  bool in_one_child = false;
};

/// The option, with a value, that restricts a child to one variant (Request::variant).
inline constexpr const char* variant_option = "variant";

/// In the parent: performs the selected checks in children that run this program with `arguments`, the names of one
/// child's checks after them, then perhaps `--variant LABEL`. When a check on which the later ones rest fails, those
/// are not performed. Throws WrongRequest.
std::vector<Finding> perform_checks(const std::vector<std::string>& arguments, const Selection& selection,
                                    const std::function<void(const Finding&)>& as_they_come);

}  // namespace poslab::check
