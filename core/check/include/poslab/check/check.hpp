// SPDX-License-Identifier: Apache-2.0
// Named checks of a plugin: what it is, how it behaves when called, whether its gradients are right, whether its claims
// stand. Each is performed in a process of its own (judge), which calls perform_check.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/error.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::check {

struct CheckInfo {
  std::string name;
  std::string sentence;  ///< what it looks for
};
/// All checks, in the order in which they are performed.
std::vector<CheckInfo> all_checks();

enum class Verdict { passed, failed, not_performed };
const char* to_text(Verdict verdict);  ///< "passed", "failed", "not performed"

struct Finding {
  std::string check;
  Verdict verdict = Verdict::passed;
  std::string sentence;
  double seconds = 0;
};

/// In the child: what is checked.
struct Request {
  std::filesystem::path file;
  std::function<base::Values(const base::SchemeInfo&)> parameters;  ///< those that a user fixes; none: all variants
  std::vector<host::Model> models;                                  ///< empty: the usual two
};

/// The request itself is wrong (a parameter that does not exist, or a value outside its range), not the plugin.
struct WrongRequest : base::Error {
  using base::Error::Error;
};

/// In the child: performs one check; `say` gets lines for the parent: "at WHERE", then "passed: ...", "failed: ...",
/// "not performed: ..." or "wrong request: ...". Throws base::Error for a check that there is none of.
void perform_check(const std::string& name, const Request& request, const std::function<void(std::string)>& say);

struct Selection {
  std::vector<std::string> only;  ///< names of checks; empty: all
  double time_limit = 20;         ///< seconds a check
};

/// In the parent: performs the selected checks, each in a child that runs this program with `arguments` and the name of the
/// check after them. When a check on which the later ones rest fails, those are not performed. Throws WrongRequest.
std::vector<Finding> judge(const std::vector<std::string>& arguments, const Selection& selection,
                           const std::function<void(const Finding&)>& as_they_come);

}  // namespace poslab::check
