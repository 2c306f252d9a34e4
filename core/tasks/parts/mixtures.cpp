// SPDX-License-Identifier: Apache-2.0
#include "parts/mixtures.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "parts/counts.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {
using base::at;
namespace {

constexpr Index copies = 4;
constexpr auto item_token = static_cast<std::int32_t>(label_count);

class Retrieval final : public Task {
 public:
  Retrieval(const char* id, bool ends_only) : id_(id), ends_only_(ends_only) {}
  Index vocabulary() const override { return label_count + 1; }
  Index vector_width() const override { return item_width; }
  Index tokens(Index size) const override { return 2 * size + 1; }
  std::optional<base::Refusal> why_not(Index size) const override;
  Sequence sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const override;
  Bounds bounds(Index size) const override;
  std::vector<std::string> probes() const override;
  Sequence probe(std::size_t which, const base::Stream& draws, std::uint64_t i, Index size) const override;

 private:
  struct Context {
    std::vector<Item> items;     // [n]
    std::vector<Index> classes;  // [n], of the instance's n/4
    std::vector<Class> known;    // [n/4]
  };
  Context context(const base::Stream& draws, Part part, Dice& dice, Index size) const;
  Sequence asked(const base::Stream& draws, const std::vector<Item>& items, const Item& query) const;

  std::string id_;
  bool ends_only_;
};

std::optional<base::Refusal> Retrieval::why_not(Index size) const {
  const Index most = class_count * copies;
  if (size >= copies && size <= most && size % copies == 0) return std::nullopt;
  return fmt::format(
      "the task {} has no instances of size {}: each class has {} items, so a size is one of {}, {} .. {}", id_, size,
      copies, copies, 2 * copies, most);
}

Retrieval::Context Retrieval::context(const base::Stream& draws, Part part, Dice& dice, Index size) const {
  Context context;
  std::vector<Index> numbers(static_cast<std::size_t>(size / copies));
  if (part == Part::training) numbers = dice.different(size / copies, class_count);
  for (const Index number : numbers)
    context.known.push_back(part == Part::training ? learned_class(draws, number) : novel_class(dice));
  for (Index n = 0; n < size; ++n) context.classes.push_back(n % (size / copies));
  dice.shuffle(context.classes);
  for (const Index one : context.classes) context.items.push_back(item_of(context.known[at(one)], dice));
  return context;
}

Sequence Retrieval::asked(const base::Stream& draws, const std::vector<Item>& items, const Item& query) const {
  Sequence sequence;
  const auto append = [&](std::int32_t token, const Vector& vector) {
    sequence.tokens.push_back(token);
    sequence.vectors.insert(sequence.vectors.end(), vector.begin(), vector.end());
  };
  std::map<std::int32_t, Vector> labels;  // each comes several times
  for (const Item& item : items) {
    const auto [label, is_new] = labels.try_emplace(item.label);
    if (is_new) label->second = label_vector(draws, item.label);
    append(item_token, item.vector);
    append(item.label, label->second);
  }
  append(item_token, query.vector);
  sequence.targets.assign(sequence.tokens.size(), 0);
  sequence.mask.assign(sequence.tokens.size(), 0);
  sequence.targets.back() = query.label;
  sequence.mask.back() = 1;
  return sequence;
}

Sequence Retrieval::sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const {
  require(size);
  Dice dice(draws, part, i, size);
  const Context drawn = context(draws, part, dice, size);
  const bool biased = ends_only_ && part == Part::training;
  const Index place = biased ? dice.below(2) * (size - 1) : dice.below(size);
  const Class& wanted = drawn.known[at(drawn.classes[static_cast<std::size_t>(place)])];
  return asked(draws, drawn.items, item_of(wanted, dice));
}

// A network that does not see which label stands beside which item finds the labels in the context alone, each alike.
Bounds Retrieval::bounds(Index size) const {
  Bounds bounds;
  bounds.chance_accuracy = 1.0 / label_count;
  bounds.chance_loss = std::log(static_cast<double>(label_count));
  bounds.unordered_accuracy = expected_largest_share(size / copies, label_count);
  return bounds;
}

std::vector<std::string> Retrieval::probes() const {
  return {"first, not middle", "middle, not first", "first, not last",
          "last, not first",   "middle, not last",  "last, not middle"};
}

// Two places get the same item, of the class that is asked for, and one of them that class's label; in the second probe
// of a pair the two labels have changed places, so that both hold the same pairs.
Sequence Retrieval::probe(std::size_t which, const base::Stream& draws, std::uint64_t i, Index size) const {
  require(size);
  if (which >= probes().size()) throw no_such_instance("probes of " + id_, which, probes().size());
  const auto last = static_cast<std::size_t>(size - 1), middle = static_cast<std::size_t>(size / 2);
  const std::array<std::pair<std::size_t, std::size_t>, 3> places{{{0, middle}, {0, last}, {middle, last}}};
  const auto [right, wrong] = places[which / 2];
  Dice dice(stream_within(draws, fmt::format("probe {}", which / 2)), Part::held_out, i, size);
  Context drawn = context(draws, Part::held_out, dice, size);
  drawn.items[wrong].vector = drawn.items[right].vector;
  const Item query = item_of(drawn.known[at(drawn.classes[right])], dice);
  if (which % 2 == 1) std::swap(drawn.items[right].label, drawn.items[wrong].label);
  return asked(draws, drawn.items, query);
}

}  // namespace

std::unique_ptr<Task> make_retrieval_task(const char* id, bool asks_for_ends_only) {
  return std::make_unique<Retrieval>(id, asks_for_ends_only);
}

}  // namespace poslab::tasks
