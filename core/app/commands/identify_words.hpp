// SPDX-License-Identifier: Apache-2.0
// What places, precisions, slips and silences of a verdict are called.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "poslab/identify/verdict.hpp"

namespace poslab::app {

/// Those that a place has, with their names.
std::vector<std::pair<const char*, base::Index>> indices_of(const identify::Place& place);
std::string place_text(const identify::Place& place);

std::string precision_text(const identify::Precision& precision);
/// "float32 angles give"
std::string error_text(const identify::Precision& precision);

std::string silence_text(const identify::Silence& silence, const std::string& layout);
std::string slip_text(const identify::Slip& slip);

/// Whether what it names is the nearest, and does not fit.
bool is_near_only(const identify::Verdict& verdict);

}  // namespace poslab::app
