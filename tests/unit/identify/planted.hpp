// SPDX-License-Identifier: Apache-2.0
// Dumps of schemes, made through their plugins, right and with a slip planted: other parameters, positions or planes,
// or a change of the arrays that came out. No formula of a scheme is written here. Dimension letters: N positions, A
// axes of a position, H heads, K head width, P planes, D model width.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dumps.hpp"
#include "poslab/base/array.hpp"

namespace planted {

using poslab::base::Array;
using poslab::base::Index;
using poslab::identify::Named;
using poslab::identify::Slip;

enum class Shows { table, planes, rotated, bias, logits, outputs };

/// A variant, and what is dumped of it.
struct Subject {
  std::string name;  ///< of its row
  Named variant;
  Shows shows = Shows::rotated;
  poslab::host::Model model;
  Array<double> positions;    ///< [N, A]
  bool gives_weights = true;  ///< by name
  bool causal = false;        ///< of logits and outputs
  bool costly = false;        ///< only looked at with all
};
std::vector<Subject> subjects();

/// A dump, and which answers to it are right.
struct Planted {
  std::string slip;  ///< its column
  dumps::Dump dump;
  poslab::identify::Request request;
  std::vector<Slip::Kind> kinds;  ///< any of these, of the subject's scheme
  std::optional<double> amount;   ///< that the slip comes with
  std::optional<Named> other;     ///< the variant that it is exactly, which is right, too
  const char* stage = nullptr;    ///< the stage of the precision that is named, in bfloat16
};

/// The subject without a slip.
Planted right(const Subject& subject);
/// Every slip that can be made of it.
std::vector<Planted> slips_of(const Subject& subject);

}  // namespace planted
