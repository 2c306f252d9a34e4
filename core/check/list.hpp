// SPDX-License-Identifier: Apache-2.0
// The checks, by the file that holds them.
#pragma once

#include <string>
#include <vector>

#include "trial.hpp"

namespace poslab::check {

/// A check: its body returns the sentence of success, or throws Failed or NotPerformed.
struct Check {
  const char* name;
  const char* sentence;
  std::string (*body)(Trial&);
  bool is_gate = false;  ///< later checks rest on it
};
/// In the order in which they are performed.
const std::vector<Check>& checks();

// file_checks.cpp
std::string check_symbols(Trial& trial);
std::string check_linking(Trial& trial);
std::string check_version(Trial& trial);
std::string check_sizes(Trial& trial);
std::string check_table(Trial& trial);
// create_checks.cpp
std::string check_creates(Trial& trial);
// refusal_checks.cpp
std::string check_parameters(Trial& trial);
std::string check_errors(Trial& trial);
// calls/call_checks.cpp
std::string check_returns(Trial& trial);
std::string check_quiet(Trial& trial);
std::string check_floating_point(Trial& trial);
std::string check_empty(Trial& trial);
// calls/array_checks.cpp
std::string check_writing(Trial& trial);
std::string check_bounds(Trial& trial);
std::string check_inputs(Trial& trial);
// calls/repeat_checks.cpp
std::string check_repeatable(Trial& trial);
std::string check_order(Trial& trial);
// calls/split_checks.cpp
std::string check_split(Trial& trial);
std::string check_threads(Trial& trial);
// calls/number_checks.cpp
std::string check_finite(Trial& trial);
std::string check_precision(Trial& trial);
std::string check_linear(Trial& trial);
// calls/position_checks.cpp
std::string check_far(Trial& trial);
std::string check_limits(Trial& trial);
// gradients/gradient_checks.cpp
std::string check_gradients(Trial& trial);
// gradients/by_hand.cpp
std::string check_by_hand(Trial& trial);
// claims/vectors.cpp
std::string check_isometry(Trial& trial);
std::string check_constant_norm(Trial& trial);
// claims/relative_symmetric.cpp
std::string check_relative(Trial& trial);
std::string check_symmetric(Trial& trial);
// claims/content_free.cpp
std::string check_content_free(Trial& trial);
// claims/length_free.cpp
std::string check_length_free(Trial& trial);
// claims/bounded.cpp
std::string check_bounded(Trial& trial);
// claims/unique.cpp
std::string check_unique(Trial& trial);
// claims/causal.cpp
std::string check_causal(Trial& trial);

}  // namespace poslab::check
