// SPDX-License-Identifier: Apache-2.0
// Threads that perform cells in this process.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "poslab/base/cell.hpp"
#include "poslab/run/laboratory.hpp"

namespace poslab::run {

/// Who is told, from any thread, when a cell is begun and when it is done.
struct CrewEvents {
  std::function<void(std::size_t index)> started;
  std::function<void(std::size_t index, Performed performed)> done;
};

class Crew {
 public:
  Crew(std::function<Performed(const base::Cell&)> perform, int threads, CrewEvents events);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();  ///< waits for what was begun

  void start(std::size_t index, base::Cell cell);
  /// Has the system make all threads now, so that what it refuses ends the process before a cell is in hand.
  void gather();

 private:
  class Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace poslab::run
