// SPDX-License-Identifier: Apache-2.0
// What each array of a dump is, and for which positions, heads and model a scheme would have made it.
// Dimension letters: N positions, A axes of a position, H heads, K head width, D model width.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poslab/host/scheme.hpp"
#include "poslab/identify/dump.hpp"

namespace poslab::identify {

enum class Kind { table, cosines, sines, frequencies, rotated, bias, slopes, logits, outputs };
/// "table", "cosines" ..., the words of --as; "positions" is a word, too, and no kind.
const char* to_text(Kind kind);
std::optional<Kind> kind_of(const std::string& word);
std::vector<std::string> kind_words();

/// What the user says of a dump beside it.
struct Request {
  std::optional<Kind> kind;               ///< of what its names do not tell
  std::map<std::string, std::string> as;  ///< array -> what it is: a kind, "before", "after", "query", "positions" ...
  std::optional<base::Array<double>> positions;  ///< [N, A]
  std::optional<Index> length;                   ///< of the context; else as many as there are positions
};

class Observation;

inline constexpr const char* heads_first_layout = "[B, H, N, K]";

/// One way to read a dump. Arrays of heads may be [B, H, N, K] or [B, N, H, K], so there can be several.
struct Evidence {
  base::Array<double> positions;  ///< [N, A]
  std::vector<double> extents;    ///< of the grid that they fill from 0, as the dump has them; [A]
  Index length = 0;
  host::Model model;
  std::optional<Index> rotary_width;                             ///< channels behind it never change
  std::optional<Index> rotary_width_from_end;                    ///< channels before it never change
  bool causal = false;                                           ///< logits behind the query are masked
  std::optional<double> scale;                                   ///< on q.k; else the scheme's own
  std::vector<std::shared_ptr<const Observation>> observations;  ///< at least one
  /// Arrays that are none of these: a scheme's weights if they are called so. Shared, as copies of the evidence are
  /// made.
  std::vector<std::shared_ptr<const DumpArray>> weights;
  Index max_rows = std::numeric_limits<Index>::max();  ///< of each observation that are looked at
  std::string layout;                                  ///< "[B, N, H, K]"; empty where there is no question
  bool layout_is_open = false;                         ///< the other order of heads and positions can be read, too
  Index masked = 0;                                    ///< numbers that were taken for a mask and are not looked at

  /// Positions are copied; observations and weights are shared.
  Evidence copy() const;
};

/// Throws BadDump: what the arrays are cannot be told, or their shapes do not belong together.
std::vector<Evidence> readings(const Dump& dump, const Request& request);

}  // namespace poslab::identify
