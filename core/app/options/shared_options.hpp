// SPDX-License-Identifier: Apache-2.0
// Options that several commands have.
#pragma once

#include <string>

#include "options/options.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/run/run_request.hpp"

namespace poslab::app {

/// What a worker needs beside the cells: libraries, stacks, arrays on their way to the host.
inline constexpr double bytes_beside_cells = 512 << 20;

/// For jobs: options whose value is no path, and those whose value is one.
std::string as_typed(const std::string& value);
std::string absolute_path(const std::string& path);

struct PluginsOption : Texts {
  explicit PluginsOption(Options* of);
};

struct ThreadsOption : Option<int> {
  explicit ThreadsOption(Options* of);
  int count() const;  ///< all processors if it is not given
};

struct MemoryOption : Option<Bytes> {
  explicit MemoryOption(Options* of);
  double bytes() const;  ///< for cells; most of what is free if it is not given
};

/// Seconds without progress.
struct CellTimeOption : Option<double> {
  explicit CellTimeOption(Options* of);
};

/// --data, --weights and --network: what a run is handed beside its study.
struct SupplyOptions {
  explicit SupplyOptions(Options* of);
  run::SupplyRequest request() const { return {*data, *weights, *network}; }
  Assignments data;
  Texts weights, network;
};

/// A variant of a scheme, attached to a model: --set NAME=VALUE, --d-model, --heads.
struct VariantOptions {
  VariantOptions(Options* of, base::Index usual_width = 128, base::Index usual_heads = 8);
  /// What --set gives, as the scheme's own types; empty without --set. Throws UsageError naming the parameter and its
  /// range.
  data::Values parameters(const data::SchemeInfo& scheme) const;
  /// Throws UsageError if the heads do not divide the width.
  host::Model model() const;
  bool names_model() const { return d_model.is_given() || heads.is_given(); }

  Assignments set;
  Option<base::Index> d_model, heads;
};

/// The options of a command that calls a plugin, or has HDF5 read what anybody may have written: it runs in a child,
/// and what becomes of that process is told, not suffered.
struct ContainedOptions : Options {
  /// Limits of a command that reads files: many times what a slow machine needs, and no more than that for a damaged
  /// file.
  explicit ContainedOptions(const char* suspect);
  ContainedOptions(const char* suspect, double seconds);

  const char* suspect;            ///< what could end the process
  double seconds;                 ///< that it may take, unless --time-limit says otherwise
  double seconds_a_megabyte = 0;  ///< that it has beyond these, for the files that are named
  double limit() const;           ///< all in all
  Option<double> time_limit;
};

}  // namespace poslab::app
