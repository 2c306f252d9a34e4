// SPDX-License-Identifier: Apache-2.0
#include "commands/identify_words.hpp"

#include <fmt/format.h>

#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {

using identify::Place;
using identify::Precision;
using identify::Silence;
using identify::Slip;
using identify::Verdict;

namespace {

std::string stored_text(const Precision& precision) {
  return std::string(precision.stored) == "float64" ? "" : fmt::format(", stored in {}", precision.stored);
}

std::string slip_sentence(const Slip& slip) {
  const std::string amount = base::shortest(slip.amount);
  switch (slip.kind) {
    case Slip::Kind::off_by_one: return fmt::format("positions are off by {}", amount);
    case Slip::Kind::restarts:
      return fmt::format("positions begin anew every {} tokens, as in packed sequences", amount);
    case Slip::Kind::cut: return fmt::format("positions stay where they are from {} on", amount);
    case Slip::Kind::joined:
      return fmt::format("tokens from {} on are as at position 0: joined without being rotated", amount);
    case Slip::Kind::twice: return fmt::format("applied {} times", amount);
    case Slip::Kind::not_at_all: return "not applied at all, if it is not meant to have no positions";
    case Slip::Kind::sign: return "the sign is the other one";
    case Slip::Kind::scale: return fmt::format("multiplied by {}", amount);
    case Slip::Kind::magnitude: return fmt::format("the attention factor is there to the power {}", amount);
    case Slip::Kind::wrong_width: return fmt::format("the exponent goes over {} times the width", amount);
    case Slip::Kind::plain_slopes: return "slopes go on as 2^(-8 h / H), though the number of heads is no power of two";
    case Slip::Kind::axes_exchanged: return "rows and columns are exchanged";
    case Slip::Kind::transposed: return "queries and keys of the bias are exchanged: it is transposed";
    case Slip::Kind::sides_exchanged:
      return slip.array.empty() ? "queries are treated as keys" : "made as that of the other side is";
    case Slip::Kind::layout_exchanged:
      return "cosines are laid out for one pairing, and channels are paired by the other";
    case Slip::Kind::mask_missing: return "keys after the query are not masked";
    case Slip::Kind::bucket_edge: return fmt::format("{} offsets lie in the bucket beside theirs", amount);
    case Slip::Kind::heads_exchanged: return "heads are in another order";
    case Slip::Kind::constant: return "each row is off by a constant, which the softmax takes away";
    case Slip::Kind::nearly: return fmt::format("the base is nearly {}", amount);
  }
  return "";
}

}  // namespace

std::vector<std::pair<const char*, base::Index>> indices_of(const Place& place) {
  std::vector<std::pair<const char*, base::Index>> indices{{"batch", place.batch},     {"position", place.position},
                                                           {"head", place.head},       {"plane", place.plane},
                                                           {"channel", place.channel}, {"key", place.key}};
  std::erase_if(indices, [](const auto& index) { return index.second < 0; });
  return indices;
}

std::string place_text(const Place& place) {
  std::vector<std::string> parts;
  if (!place.array.empty()) parts.push_back(place.array);
  for (const auto& [name, index] : indices_of(place)) parts.push_back(fmt::format("{} {}", name, index));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string precision_text(const Precision& precision) {
  switch (precision.angles) {
    case Precision::Angles::float64: return "worked out in float64";
    case Precision::Angles::rounded: return "worked out in float64" + stored_text(precision);
    case Precision::Angles::float32:
      return "worked out in float32" + (std::string(precision.stored) == "float32" ? "" : stored_text(precision));
    case Precision::Angles::frequencies: return fmt::format("inverse frequencies in {}", precision.format);
    case Precision::Angles::positions: return fmt::format("positions in {}", precision.format);
    case Precision::Angles::angles: return fmt::format("angles in {}", precision.format);
    case Precision::Angles::tables: return fmt::format("cosines and sines in {}", precision.format);
    case Precision::Angles::all: return fmt::format("frequencies, positions and angles in {}", precision.format);
    case Precision::Angles::slopes: return fmt::format("slopes in {}", precision.format);
  }
  return "";
}

std::string error_text(const Precision& precision) {
  switch (precision.angles) {
    case Precision::Angles::float64: return "float64 gives";
    case Precision::Angles::rounded: return fmt::format("rounding to {} gives", precision.stored);
    default: return "float32 angles give";
  }
}

std::string silence_text(const Silence& silence, const std::string& layout) {
  switch (silence.kind) {
    case Silence::Kind::pairing:
      return "cosines, sines and frequencies do not say which channels are paired (interleaved or half-split): dump a "
             "query before and after";
    case Silence::Kind::parameter:
      return fmt::format("this dump would look the same with another {}", silence.parameter);
    case Silence::Kind::one_head: return "one head alone does not say how slopes go from head to head: dump all heads";
    case Silence::Kind::square_grid:
      return "this dump would look the same if rows and columns were exchanged in the grid's own order: dump a grid "
             "that is no square";
    case Silence::Kind::magnitude:
      return "frequencies do not say by how much queries and keys stretch: dump cosines and sines";
    case Silence::Kind::keys_ahead:
      return "keys after the query are not what it makes of them, and were taken for masked";
    case Silence::Kind::free_table: return "any table could have been learned: by its numbers nothing is known of it";
    case Silence::Kind::layout:
      return fmt::format(
          "read as {}: {} of {}; a dump with positions, of another number than heads, "
          "settles it",
          layout, base::counted(silence.heads, "head"), base::counted(silence.positions, "position"));
    case Silence::Kind::one_place:
      return "all its tokens are at a position where schemes are alike: it says nothing without others";
    case Silence::Kind::masked:
      return fmt::format("{} {} taken for a mask and left out", base::counted(silence.numbers, "number"),
                         silence.numbers == 1 ? "was" : "were");
  }
  return "";
}

std::string slip_text(const Slip& slip) {
  return slip_sentence(slip) + (slip.array.empty() ? "" : fmt::format(" ({} alone)", slip.array));
}

bool is_near_only(const Verdict& verdict) {
  return verdict.kind == Verdict::Kind::nothing || verdict.kind == Verdict::Kind::offsets;
}

}  // namespace poslab::app
