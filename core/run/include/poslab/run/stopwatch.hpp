// SPDX-License-Identifier: Apache-2.0
// When something began and how long it has taken: for provenance alone.
#pragma once

#include <chrono>
#include <ctime>
#include <string>

namespace poslab::run {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  std::string started() const;  ///< as `utc` writes it

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::system_clock::time_point date_ = std::chrono::system_clock::now();
};

std::string utc(std::time_t time);  ///< ISO 8601

}  // namespace poslab::run
