// SPDX-License-Identifier: Apache-2.0
// The page of a results file, which poslab's Python package makes.
#pragma once

#include <string>

namespace poslab::app {

/// Writes `page`: the answers of `results`, with those of `beside` among them. What that program says goes to stdout
/// and stderr; false: there is no page. Throws process::NoProgram.
bool write_report(const std::string& results, const std::string& beside, const std::string& page);

}  // namespace poslab::app
