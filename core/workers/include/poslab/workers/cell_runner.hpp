// SPDX-License-Identifier: Apache-2.0
// Forecasts and performs cells, with schemes that are made once per variant and model.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/host/layer_schemes.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments {
class Attempt;
class CommonWork;
}  // namespace poslab::experiments

namespace poslab::workers {

/// The outcome of a cell, and whether it failed for want of memory: alone it might have enough. One that was
/// interrupted has no outcome.
struct Performed {
  data::Outcome outcome;
  bool lacked_memory = false, was_interrupted = false;
  bool lost_process =
      false;  ///< somebody else has killed the process of its Python file: it is to be tried again, once
};

/// The outcome of a cell whose second try has lost its process, too.
data::Outcome tried_twice(data::Outcome outcome);

class CellRunner {
 public:
  explicit CellRunner(host::Plugins& plugins);
  ~CellRunner();

  /// From now on cells may name these contents by their hash. Any thread.
  void provide(const std::string& hash, std::shared_ptr<const std::string> contents);

  /// Whether a cell can be performed, and what it needs. If the scheme fails here, the needs are unknown: it
  /// fails again when the cell is performed, and there the failure is a result. Any thread.
  data::Forecast forecast(const data::Cell& cell);
  /// Runs one cell. Never throws: whatever goes wrong is an Outcome with a reason. Any thread. `attempt` is told how
  /// far a long one is, on the same thread.
  Performed perform(const data::Cell& cell, experiments::Attempt& attempt);

 private:
  // A scheme that is or will be attached to a model, and whoever creates it.
  struct SchemeEntry {
    std::mutex mutex;
    std::shared_ptr<const host::Scheme> scheme;
  };
  struct Schemes;
  Schemes schemes_for(const data::Cell& cell);  // throws data::Refused, base::Error
  Schemes schemes_for(const data::Variant& variant, const host::Model& model);
  std::shared_ptr<const host::Scheme> scheme_for(const data::LayerVariant& variant, const host::Model& model);
  std::shared_ptr<SchemeEntry> entry_of(const std::string& key);

  struct CellInputs;                             // what a cell was given
  CellInputs inputs_of(const data::Cell& cell);  // throws base::Error
  // Empty, or what is said of a network that is no longer the one that its file tells of.
  std::string changed_note(const data::Cell& cell, const data::GivenNetwork& network);
  void tell_weights(const data::Cell& cell, const host::LayerSchemes& schemes, const CellInputs& inputs,
                    data::Outcome& outcome);
  struct GivenEntry {
    std::shared_ptr<const std::string> contents;
    // The contents unpacked, once a cell has asked for them; of a network with the weights of its scheme.
    std::shared_ptr<const data::GivenWeights> weights;
    std::shared_ptr<const data::GivenNetwork> network;
  };

  host::Plugins& plugins_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<SchemeEntry>> schemes_;
  std::map<std::string, GivenEntry> given_;  // by hash
  std::unique_ptr<experiments::CommonWork> common_work_;
};

}  // namespace poslab::workers
