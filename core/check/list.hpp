// SPDX-License-Identifier: Apache-2.0
// The checks, each with the file that holds it.
#pragma once

#include <vector>

#include "trial.hpp"

namespace poslab::check {

// file_checks.cpp
std::string check_symbols(Trial& trial);
std::string check_version(Trial& trial);
std::string check_sizes(Trial& trial);
std::string check_table(Trial& trial);
// create_checks.cpp
std::string check_creates(Trial& trial);
std::string check_parameters(Trial& trial);
std::string check_errors(Trial& trial);
// call_checks.cpp
std::string check_returns(Trial& trial);
std::string check_quiet(Trial& trial);
std::string check_floating_point(Trial& trial);
std::string check_empty(Trial& trial);
std::string check_writing(Trial& trial);
std::string check_bounds(Trial& trial);
std::string check_inputs(Trial& trial);
// sameness_checks.cpp
std::string check_repeatable(Trial& trial);
std::string check_order(Trial& trial);
std::string check_split(Trial& trial);
std::string check_threads(Trial& trial);
// number_checks.cpp
std::string check_finite(Trial& trial);
std::string check_far(Trial& trial);
std::string check_limits(Trial& trial);
std::string check_precision(Trial& trial);
std::string check_linear(Trial& trial);
// gradient_checks.cpp
std::string check_gradients(Trial& trial);
std::string check_by_hand(Trial& trial);
// claims/
std::string check_isometry(Trial& trial);
std::string check_relative(Trial& trial);
std::string check_symmetric(Trial& trial);
std::string check_content_free(Trial& trial);
std::string check_length_free(Trial& trial);
std::string check_bounded(Trial& trial);
std::string check_constant_norm(Trial& trial);
std::string check_unique(Trial& trial);
std::string check_causal(Trial& trial);

/// In the order in which they are performed.
const std::vector<Check>& checks();

}  // namespace poslab::check
