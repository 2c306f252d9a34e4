// SPDX-License-Identifier: Apache-2.0
// Sequences and targets of the user's own, from a file: each line is an instance, and its length is its size. Among the
// lines of one length, the last tenth of those with different tokens is held out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parts/dice.hpp"
#include "parts/given_lines.hpp"
#include "parts/sequences.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {
namespace {

class Instances final : public Task {
 public:
  explicit Instances(GivenLines given);
  Index vocabulary() const override { return vocabulary_; }
  std::string symbols() const override { return words_; }
  Index tokens(Index size) const override { return size; }
  std::optional<base::Refusal> why_not(Index size) const override;
  std::uint64_t instances(Part part, Index size) const override;
  Sequence sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const override;
  Bounds bounds(Index size) const override;

 private:
  using Lines = std::vector<Sequence>;
  struct OfLength {
    Lines trained, held_out;
  };
  std::vector<double> counts(const Lines& lines) const;

  Index vocabulary_;
  std::string words_;
  std::map<Index, OfLength> lengths_;
};

// So that no tokens are in both parts: the last tenth, rounded up, of the different ones.
std::set<Tokens> held_out_of(const std::vector<const Sequence*>& lines) {
  std::vector<Tokens> different;
  std::set<Tokens> seen;
  for (const Sequence* line : lines)
    if (seen.insert(line->tokens).second) different.push_back(line->tokens);
  const std::size_t held_out = (different.size() + 9) / 10;
  return {different.end() - static_cast<std::ptrdiff_t>(held_out), different.end()};
}

Instances::Instances(GivenLines given) : vocabulary_(given.vocabulary), words_(std::move(given.words)) {
  std::map<Index, std::vector<const Sequence*>> by_length;
  for (const Sequence& line : given.lines) by_length[std::ssize(line.tokens)].push_back(&line);
  for (const auto& [length, lines] : by_length) {
    const std::set<Tokens> held_out = held_out_of(lines);
    OfLength& of_length = lengths_[length];
    for (const Sequence* line : lines)
      (held_out.contains(line->tokens) ? of_length.held_out : of_length.trained).push_back(*line);
  }
}

std::optional<base::Refusal> Instances::why_not(Index size) const {
  if (lengths_.contains(size)) return std::nullopt;
  return fmt::format("the task instances has no line of {} tokens: its lines have {} to {}", size,
                     lengths_.begin()->first, lengths_.rbegin()->first);
}

// Drawn again and again while it is trained on.
std::uint64_t Instances::instances(Part part, Index size) const {
  const auto found = lengths_.find(size);
  if (found == lengths_.end()) return 0;
  if (part == Part::held_out) return found->second.held_out.size();
  return found->second.trained.empty() ? 0 : endless;
}

Sequence Instances::sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const {
  require(size);
  if (const std::uint64_t count = instances(part, size); i >= count)
    throw no_such_instance(fmt::format("{} lines of {} tokens", part == Part::held_out ? "held-out" : "trained", size),
                           i, count);
  const OfLength& of_length = lengths_.at(size);
  if (part == Part::held_out) return of_length.held_out[i];
  return of_length.trained[base::at(Dice(draws, part, i, size).below(std::ssize(of_length.trained)))];
}

// How often each word is a target.
std::vector<double> Instances::counts(const Lines& lines) const {
  std::vector<double> counted(static_cast<std::size_t>(vocabulary_), 0);
  for (const Sequence& line : lines)
    for (std::size_t t = 0; t < line.mask.size(); ++t)
      if (line.mask[t]) counted[base::at(line.targets[t])] += 1;
  return counted;
}

// Bounds for the held-out lines of this length, guessed from the others of it, or, where all are held out, from those
// of all lengths; a tenth of a count more for each word, so that none is impossible.
Bounds Instances::bounds(Index size) const {
  const auto found = lengths_.find(size);
  if (found == lengths_.end()) return {};
  std::vector<double> trained(static_cast<std::size_t>(vocabulary_), 0.1);
  const bool alone = !found->second.trained.empty();
  for (const auto& [length, of_length] : lengths_) {
    if (alone && length != size) continue;
    const std::vector<double> more = counts(of_length.trained);
    for (std::size_t w = 0; w < trained.size(); ++w) trained[w] += more[w];
  }
  const std::vector<double> asked = counts(found->second.held_out);
  const double all = std::accumulate(asked.begin(), asked.end(), 0.0),
               sum = std::accumulate(trained.begin(), trained.end(), 0.0);
  const auto likeliest = static_cast<std::size_t>(std::max_element(trained.begin(), trained.end()) - trained.begin());
  Bounds bounds;
  bounds.chance_accuracy = asked[likeliest] / all;
  bounds.chance_loss = 0;
  for (std::size_t w = 0; w < trained.size(); ++w) bounds.chance_loss -= asked[w] / all * std::log(trained[w] / sum);
  return bounds;
}

std::unique_ptr<Task> make_given(std::string_view contents) {
  if (contents.empty()) throw bad_lines("is empty");
  const bool is_npy = contents.starts_with("\x93NUMPY");
  return std::make_unique<Instances>(is_npy ? lines_of_npy(contents) : lines_of_text(contents));
}

}  // namespace

TaskInfo make_instances() {
  return {.title = "instances of your own",
          .sentence = "Say the targets of sequences that a file holds, one a line.",
          .source = "a file of yours; a tenth of its lines of each length is held out",
          .size_means = "tokens of a line",
          .file = "instances",
          .make = make_given};
}

}  // namespace poslab::tasks
