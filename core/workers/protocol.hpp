// SPDX-License-Identifier: Apache-2.0
// The messages between host and worker: kinds and bodies of process::Message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "poslab/data/cell.hpp"

namespace poslab::workers::message {

// To a worker.
inline constexpr char open_library = 'o';  // path            -> offers or refuses
inline constexpr char know_scheme = 'k';   // packed scheme
inline constexpr char give = 'g';          // contents that cells name by their hash
inline constexpr char ask_forecast = 'f';  // numbered cell   -> forecast
inline constexpr char perform_cell = 'p';  // numbered cell   -> started, then done or lacks_memory
// From a worker.
inline constexpr char ready = 'r';         // nothing: all its threads have started
inline constexpr char offers = 'O';        // packed scheme
inline constexpr char refuses = 'R';       // the reason
inline constexpr char forecasts = 'F';     // numbered forecast
inline constexpr char started = 's';       // number
inline constexpr char done = 'd';          // numbered outcome
inline constexpr char lacks_memory = 'm';  // numbered outcome: it failed, but alone it might have enough

/// A number, as of a cell, followed by `rest`.
std::string numbered(std::uint64_t number, std::string_view rest = "");
/// Takes the number off the front. Throws data::NotPacked.
std::uint64_t take_number(std::string_view& body);

/// The hash of contents, and the contents.
std::string pack_contents(const std::string& hash, std::string_view contents);
std::pair<std::string, std::string> unpack_contents(std::string_view body);  ///< throws data::NotPacked

std::string pack_forecast(const data::Forecast& forecast);
data::Forecast unpack_forecast(std::string_view body);  ///< throws data::NotPacked

}  // namespace poslab::workers::message
