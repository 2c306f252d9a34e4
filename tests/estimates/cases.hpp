// SPDX-License-Identifier: Apache-2.0
// Cells whose needs are held against their estimates: of every experiment, under schemes of every family, and with one
// axis another at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/data/placement.hpp"
#include "poslab/experiment/experiment.hpp"

namespace cases {

struct Scheme {
  std::string id;
  poslab::data::Values parameters = {};
  poslab::data::Placement placement = {};
};

/// They are of every family and operation; under the first few of them every axis changes, under the others the length
/// alone.
const std::vector<Scheme>& schemes();
inline constexpr std::size_t varied = 5;

/// Large cells take memory that decides something; small ones are over in no time.
enum class Size { large, small };

struct Case {
  poslab::data::Cell cell;
  std::string changed;  ///< the axis that differs from the first case's
};

/// The cell itself, then others: whole numbers `times` as large, lists with one more value that many times the last,
/// every other choice, and with `all_axes` a wider model and one of fewer heads.
std::vector<Case> cells(const poslab::experiments::Experiment& experiment, const Scheme& scheme, Size size,
                        std::int64_t times, bool all_axes);

/// "uniqueness of rope length=512": with the axes that differ from their defaults.
std::string text(const poslab::data::Cell& cell);

}  // namespace cases
