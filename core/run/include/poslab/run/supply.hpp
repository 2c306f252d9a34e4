// SPDX-License-Identifier: Apache-2.0
// What a run is handed beside its study: files (--data), trained weights (--weights) and networks (--network).
// Everything that can be wrong with them is found when they are read, or when cells are planned: before any work.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/run/run_request.hpp"
#include "poslab/run/supplied_networks.hpp"
#include "poslab/run/supplied_weights.hpp"
#include "poslab/study/plan.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::run {

inline constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;  ///< bytes: every worker that needs it keeps it

/// A cell needs a file that was not given.
struct MissingFile : base::Error {
  MissingFile(const data::Cell& cell, const std::string& name, const std::string& sentence);
};

struct SuppliedFile {
  std::string name, path, hash;
  std::shared_ptr<const std::string> contents;
};

class Supply : public study::SupplyView {
 public:
  /// Reads all files. Throws base::Error, and what SuppliedWeights and SuppliedNetworks throw.
  explicit Supply(const SupplyRequest& request);

  /// Throws MissingFile, base::FileError.
  std::vector<data::Given> of(const data::Cell& cell) const override;
  std::optional<int> repeats_of(const data::Cell& cell) const override;

  std::vector<workers::GivenContents> contents() const;
  /// Throws base::Error if there are weights or networks that no planned cell has.
  void require_used() const {
    weights_.require_used();
    networks_.require_used();
  }
  /// What of it these cells have, as JSON: names, paths, hashes, sizes; empty if they have nothing.
  std::string provenance(const std::vector<data::Cell>& cells) const;

 private:
  void require_usable(const data::Cell& cell, const std::vector<std::string>& names) const;

  std::vector<SuppliedFile> files_;
  SuppliedWeights weights_;
  SuppliedNetworks networks_;
  mutable std::set<std::string> usable_;  // experiments with their axes, whose files were looked at
};

}  // namespace poslab::run
