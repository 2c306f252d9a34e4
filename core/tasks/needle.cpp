// SPDX-License-Identifier: Apache-2.0
// Four keys, each with its value behind it, anywhere in a text of 16 letters, and at the end one of the keys again:
// its value. Probes ask for the one that stands first, second, third or last.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class Needle final : public Generated {
 public:
  Needle() : Generated("needle", needles) {}
  Index vocabulary() const override { return letters + keys + values; }
  Index tokens(Index size) const override { return size + needles + 1; }
  // All four values are seen, not whose they are.
  Bounds bounds(Index /*size*/) const override {
    return certain(1.0 / values, std::log(static_cast<double>(values)), 1.0 / needles);
  }
  std::vector<std::string> probes() const override { return {"first", "second", "third", "last"}; }
  Sequence probe(std::size_t which, const base::Stream& draws, std::uint64_t i, Index size) const override {
    if (which >= needles) throw no_such_instance("probes of " + id(), which, needles);
    require(size);
    Dice dice(stream_within(draws, "probe"), Part::held_out, i, size);
    return asked(dice, size, which);
  }

 private:
  static constexpr Index needles = 4, letters = 16, keys = 32, values = 32;

  Sequence draw(Dice& dice, Index size) const override {
    const auto which = static_cast<std::size_t>(dice.below(needles));
    return asked(dice, size, which);
  }

  // The text has n places for a letter, or for a key and its value.
  static Sequence asked(Dice& dice, Index size, std::size_t which) {
    const std::vector<Index> drawn_keys = dice.different(needles, keys), drawn_values = dice.different(needles, values);
    std::vector<Index> places = dice.different(needles, size);
    std::sort(places.begin(), places.end());
    Tokens text;
    std::size_t next = 0;
    for (Index place = 0; place < size; ++place) {
      if (next == places.size() || places[next] != place) {
        text.push_back(dice.token(letters));
        continue;
      }
      text.push_back(static_cast<std::int32_t>(letters + drawn_keys[next]));
      text.push_back(static_cast<std::int32_t>(letters + keys + drawn_values[next]));
      ++next;
    }
    text.push_back(static_cast<std::int32_t>(letters + drawn_keys[which]));
    Sequence sequence = unasked(text);
    sequence.targets.back() = static_cast<std::int32_t>(letters + keys + drawn_values[which]);
    sequence.mask.back() = 1;
    return sequence;
  }
};

}  // namespace

TaskInfo make_needle() {
  return {.title = "needle in a haystack",
          .sentence = "At a key at the end, say the value that stood behind it in a long text.",
          .source = "after Hsieh et al. 2024 (COLM; arXiv:2404.06654), RULER's several keys",
          .size_means = "places of the text, of a letter or of a key with its value",
          .min_size = 4,
          .make = make_task<Needle>};
}

}  // namespace poslab::tasks
