// SPDX-License-Identifier: Apache-2.0
// Opens plugins and performs cells: in worker processes, which may crash without harm, or in this process, for a
// debugger. Used by one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/host/library.hpp"
#include "poslab/workers/cell_executor.hpp"

namespace poslab::workers {

/// Contents that cells name by their hash (data::Given).
struct GivenContents {
  std::string hash;
  std::shared_ptr<const std::string> contents;
};

/// A plugin that was given no more cells because it ended too many workers.
struct QuarantinedPlugin {
  std::string scheme, file, file_hash;
};

class Backend : public CellExecutor {
 public:
  /// What a library offers. Throws host::PluginRefused, also for one that crashes or hangs on loading.
  virtual data::SchemeInfo open(const std::filesystem::path& file) = 0;
  /// From now on cells of these schemes may be forecast and started.
  virtual void register_schemes(const std::vector<data::SchemeInfo>& schemes) = 0;
  /// From now on cells may name these contents. Workers get them once each, and when they are first needed.
  virtual void provide(const std::vector<GivenContents>& contents) = 0;
  /// One for each cell: empty for a cell whose scheme fails or crashes here, and will fail when it is performed.
  virtual std::vector<data::Forecast> forecast(const std::vector<const data::Cell*>& cells) = 0;
  virtual std::vector<QuarantinedPlugin> quarantined() const { return {}; }
};

struct BackendOptions {
  int threads = 1;                 ///< in all
  int workers = 1;                 ///< that share them; 0: in this process
  double memory = 0;               ///< bytes that one worker may take; 0: no limit
  double cell_seconds = 3600;      ///< that a cell may take without any progress
  double checkpoint_seconds = 20;  ///< between those of a long cell
};

std::unique_ptr<Backend> make_backend(const BackendOptions& options);

/// The main function of a worker process: answers on its connection until it is closed. Of the options it uses threads,
/// memory and checkpoint_seconds.
int worker_main(const BackendOptions& options);

}  // namespace poslab::workers
