// SPDX-License-Identifier: Apache-2.0
// Whether what the study expects was measured.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/expectation.hpp"

namespace poslab::app {

/// ✓, ✗ or ?
const char* sign_of(data::Verdict verdict);
/// "mean rise_shifted scheme=learned shift=64 less that of scheme=none": which values an expectation speaks of.
std::string subject_text(const data::Expectation& expectation);
/// "0.5", or "0.5 ± 0.01" where it is a mean of repeats.
std::string measured_text(const data::ExpectationResult& result);

/// How many hold, and each that does not; with `verbose` each.
std::string expectations_text(const std::vector<data::ExpectationResult>& expectations, bool verbose);

}  // namespace poslab::app
