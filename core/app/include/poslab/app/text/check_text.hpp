// SPDX-License-Identifier: Apache-2.0
// What `poslab check` says.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/json.hpp"
#include "poslab/check/check.hpp"

namespace poslab::app {

/// One line, as each check ends.
std::string finding_text(const check::Finding& finding);
/// "33 passed, 0 failed, 1 not performed, in 2 s"
std::string findings_text(const std::vector<check::Finding>& findings);
/// What was found of one plugin.
base::Json findings_json(const std::string& file, const std::vector<check::Finding>& findings);

std::string checks_text(const std::vector<check::CheckInfo>& checks);
std::string checks_json(const std::vector<check::CheckInfo>& checks);

}  // namespace poslab::app
