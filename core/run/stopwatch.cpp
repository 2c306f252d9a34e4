// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/stopwatch.hpp"

#include <fmt/chrono.h>

namespace poslab::run {

std::string utc(std::time_t time) { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time)); }

std::string Stopwatch::started() const { return utc(std::chrono::system_clock::to_time_t(date_)); }

}  // namespace poslab::run
