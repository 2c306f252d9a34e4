// SPDX-License-Identifier: Apache-2.0
// What host and worker say to each other, as bodies of process::Message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "poslab/base/cell.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::run::message {

// To a worker.
inline constexpr char open_library = 'o';  // path            -> offers or refuses
inline constexpr char know_scheme = 'k';   // packed scheme
inline constexpr char ask_forecast = 'f';  // numbered cell   -> forecast
inline constexpr char perform_cell = 'p';  // numbered cell   -> started, then done or wants_memory
// From a worker.
inline constexpr char ready = 'r';         // nothing: all its threads stand
inline constexpr char offers = 'O';        // packed scheme
inline constexpr char refuses = 'R';       // why
inline constexpr char forecasts = 'F';     // numbered forecast
inline constexpr char started = 's';       // number
inline constexpr char done = 'd';          // numbered outcome
inline constexpr char wants_memory = 'm';  // numbered outcome: it failed, but alone it might not

/// A number, and what it is the number of.
std::string numbered(std::uint64_t number, std::string_view rest = "");
/// Takes the number off the front. Throws base::NotPacked.
std::uint64_t take_number(std::string_view& body);

std::string pack_forecast(const spec::Forecast& forecast);
spec::Forecast unpack_forecast(std::string_view body);  ///< throws base::NotPacked

}  // namespace poslab::run::message
