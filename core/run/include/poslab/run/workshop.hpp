// SPDX-License-Identifier: Apache-2.0
// Where plugins are opened and cells performed: in worker processes that may die without harm, or here, for a debugger.
// Spoken to by one thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/host/library.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::run {

/// A cell that is done, by the number that `start` was given.
struct Finished {
  std::size_t index = 0;
  base::Outcome outcome;
  bool performed = true;  ///< or it was given up beforehand, and the outcome says why
};

/// Something that cells are given to and that gives their outcomes back.
class Executor {
 public:
  virtual ~Executor() = default;
  /// How many cells may be in its hands at once.
  virtual int places() const = 0;
  virtual void start(std::size_t index, const base::Cell& cell) = 0;
  /// Waits until something is done, or a while has passed; to be called only while cells are in its hands.
  virtual std::vector<Finished> wait() = 0;
};

/// A plugin that was given no more cells because it ended too many workers.
struct SetAside {
  std::string scheme, file, file_hash;
};

class Workshop : public Executor {
 public:
  /// Opens a library and says what it offers. Throws host::PluginRefused, also for one that crashes or hangs on loading.
  virtual base::SchemeInfo open(const std::filesystem::path& file) = 0;
  /// From now on cells of these schemes may be asked about and started.
  virtual void know(const std::vector<base::SchemeInfo>& schemes) = 0;
  /// One for each cell. A cell whose scheme cannot even be asked gets an empty forecast: it will fail when it is performed.
  virtual std::vector<spec::Forecast> forecast(const std::vector<const base::Cell*>& cells) = 0;
  virtual std::vector<SetAside> set_aside() const { return {}; }
};

struct WorkshopOptions {
  int threads = 1;             ///< in all
  int workers = 1;             ///< that share them; 0: perform here, in this process
  double memory = 0;           ///< bytes that one worker may take; 0: no limit
  double cell_seconds = 3600;  ///< after which a cell is given up
};

std::unique_ptr<Workshop> make_workshop(const WorkshopOptions& options);

/// The whole life of a worker process: answers on its connection until that is closed. `memory` as in WorkshopOptions.
int serve(int threads, double memory);

}  // namespace poslab::run
