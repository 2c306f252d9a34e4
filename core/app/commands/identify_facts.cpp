// SPDX-License-Identifier: Apache-2.0
// Ids, numbers and sentences of what `poslab identify` says.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "commands/identify.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

using identify::Place;
using identify::Precision;
using identify::Silence;
using identify::Slip;

template <class Kind>
struct KindWords {
  Kind kind;
  const char *id, *sentence;  ///< with a place for its number, or for its format
  bool has_amount = false;    ///< a number goes with it
};

template <class Kind, std::size_t count>
const KindWords<Kind>& kind_words(const KindWords<Kind> (&all)[count], Kind kind) {
  return *std::find_if(std::begin(all), std::end(all), [&](const KindWords<Kind>& one) { return one.kind == kind; });
}

constexpr KindWords<Slip::Kind> slip_words[] = {
    {Slip::Kind::off_by_one, "off-by-one", "positions are off by {}", true},
    {Slip::Kind::restarts, "restarts", "positions begin anew every {} tokens, as in packed sequences", true},
    {Slip::Kind::cut, "cut", "positions stay where they are from {} on", true},
    {Slip::Kind::joined, "joined", "tokens from {} on are as at position 0: joined without being rotated", true},
    {Slip::Kind::twice, "twice", "applied {} times", true},
    {Slip::Kind::not_at_all, "not-at-all", "not applied at all, if it is not meant to have no positions"},
    {Slip::Kind::sign, "sign", "the sign is the other one"},
    {Slip::Kind::scale, "scale", "multiplied by {}", true},
    {Slip::Kind::magnitude, "magnitude", "the attention factor is there to the power {}", true},
    {Slip::Kind::wrong_width, "wrong-width", "the exponent goes over {} times the width", true},
    {Slip::Kind::plain_slopes, "plain-slopes",
     "slopes go on as 2^(-8 h / H), though the number of heads is no power of two"},
    {Slip::Kind::axes_exchanged, "axes-exchanged", "rows and columns are exchanged"},
    {Slip::Kind::transposed, "transposed", "queries and keys of the bias are exchanged: it is transposed"},
    {Slip::Kind::sides_exchanged, "sides-exchanged", "queries are treated as keys"},
    {Slip::Kind::layout_exchanged, "layout-exchanged",
     "cosines are laid out for one pairing, and channels are paired by the other"},
    {Slip::Kind::mask_missing, "mask-missing", "keys after the query are not masked"},
    {Slip::Kind::bucket_edge, "bucket-edge", "{} offsets lie in the bucket beside theirs", true},
    {Slip::Kind::heads_exchanged, "heads-exchanged", "heads are in another order"},
    {Slip::Kind::constant, "constant", "each row is off by a constant, which the softmax takes away"},
    {Slip::Kind::nearly, "nearly", "the base is nearly {}", true}};

constexpr KindWords<Precision::Angles> precision_words[] = {
    {Precision::Angles::float64, "float64", "worked out in float64"},
    {Precision::Angles::rounded, "rounded", "worked out in float64"},
    {Precision::Angles::float32, "float32", "worked out in float32"},
    {Precision::Angles::frequencies, "frequencies", "inverse frequencies in {}"},
    {Precision::Angles::positions, "positions", "positions in {}"},
    {Precision::Angles::angles, "angles", "angles in {}"},
    {Precision::Angles::tables, "tables", "cosines and sines in {}"},
    {Precision::Angles::all, "all", "frequencies, positions and angles in {}"},
    {Precision::Angles::slopes, "slopes", "slopes in {}"}};

// Whether numbers were rounded once more when they were stored, in fewer bits than they were worked out in.
bool says_stored(const Precision& precision) {
  const std::string_view stored = precision.stored;
  if (precision.is_emulated() || stored == "float64") return false;
  return precision.angles == Precision::Angles::rounded ||
         (precision.angles == Precision::Angles::float32 && stored != "float32");
}

std::vector<std::pair<const char*, base::Index>> indices_of(const Place& place) {
  std::vector<std::pair<const char*, base::Index>> indices{{"batch", place.batch},     {"position", place.position},
                                                           {"head", place.head},       {"plane", place.plane},
                                                           {"channel", place.channel}, {"key", place.key}};
  std::erase_if(indices, [](const auto& index) { return index.second < 0; });
  return indices;
}

}  // namespace

Fact fact_of(const Slip& slip) {
  const KindWords<Slip::Kind>& words = kind_words(slip_words, slip.kind);
  Fact fact{words.id, base::Json::object(), fmt::format(fmt::runtime(words.sentence), base::shortest(slip.amount))};
  if (words.has_amount) fact.values["amount"] = slip.amount;
  if (slip.array.empty()) return fact;
  fact.values["array"] = slip.array;
  if (slip.kind == Slip::Kind::sides_exchanged) fact.sentence = "made as that of the other side is";
  fact.sentence += fmt::format(" ({} alone)", slip.array);
  return fact;
}

Fact fact_of(const Precision& precision) {
  const KindWords<Precision::Angles>& words = kind_words(precision_words, precision.angles);
  Fact fact{words.id, {{"stored", precision.stored}}, fmt::format(fmt::runtime(words.sentence), precision.format)};
  if (precision.is_emulated()) fact.values["format"] = precision.format;
  if (says_stored(precision)) fact.sentence += fmt::format(", stored in {}", precision.stored);
  return fact;
}

Fact fact_of(const Silence& silence, const std::string& layout) {
  switch (silence.kind) {
    case Silence::Kind::pairing:
      return {"pairing", base::Json::object(),
              "cosines, sines and frequencies do not say which channels are paired (interleaved or half-split): dump a "
              "query before and after"};
    case Silence::Kind::parameter:
      return {"parameter",
              {{"parameter", silence.parameter}},
              fmt::format("this dump would look the same with another {}", silence.parameter)};
    case Silence::Kind::one_head:
      return {"one-head", base::Json::object(),
              "one head alone does not say how slopes go from head to head: dump all heads"};
    case Silence::Kind::square_grid:
      return {"square-grid", base::Json::object(),
              "this dump would look the same if rows and columns were exchanged in the grid's own order: dump a grid "
              "that is no square"};
    case Silence::Kind::magnitude:
      return {"magnitude", base::Json::object(),
              "frequencies do not say by how much queries and keys stretch: dump cosines and sines"};
    case Silence::Kind::keys_ahead:
      return {"keys-ahead", base::Json::object(),
              "keys after the query are not what it makes of them, and were taken for masked"};
    case Silence::Kind::free_table:
      return {"free-table", base::Json::object(),
              "any table could have been learned: by its numbers nothing is known of it"};
    case Silence::Kind::layout:
      return {"layout",
              {{"layout", layout}, {"heads", silence.heads}, {"positions", silence.positions}},
              fmt::format("read as {}: {} of {}; a dump with positions, of another number than heads, settles it",
                          layout, base::counted(silence.heads, "head"), base::counted(silence.positions, "position"))};
    case Silence::Kind::one_place:
      return {"one-place", base::Json::object(),
              "all its tokens are at a position where schemes are alike: it says nothing without others"};
    case Silence::Kind::masked:
      return {"masked",
              {{"numbers", silence.numbers}},
              fmt::format("{} {} taken for a mask and left out", base::counted(silence.numbers, "number"),
                          silence.numbers == 1 ? "was" : "were")};
  }
  return {};
}

base::Json json_of(const Place& place) {
  base::Json json = base::Json::object();
  if (!place.array.empty()) json["array"] = place.array;
  for (const auto& [name, index] : indices_of(place)) json[name] = index;
  return json;
}

std::string place_text(const Place& place) {
  std::vector<std::string> parts;
  if (!place.array.empty()) parts.push_back(place.array);
  for (const auto& [name, index] : indices_of(place)) parts.push_back(fmt::format("{} {}", name, index));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace poslab::app
