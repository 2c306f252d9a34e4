// SPDX-License-Identifier: Apache-2.0
// A command of two or of one phrase -> the actions that it asks for. All
// commands of the grammar are listed; a size is a number of actions.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

// Words, then actions: those of the verbs have the verbs' order.
namespace scan_word {
constexpr std::int32_t verbs = 4, turn = 4, left = 5, right = 6, opposite = 7, around = 8, twice = 9, thrice = 10,
                       both = 11, after = 12, action = 13, left_turn = 17, right_turn = 18;
}
constexpr Index scan_symbols = 19, max_phrase = 4, max_command = 2 * max_phrase + 1;

struct Phrase {
  Tokens words, actions;
};

Tokens repeated(const Tokens& tokens, int times) {
  Tokens all;
  for (; times > 0; --times) all = joined(std::move(all), tokens);
  return all;
}

// V of the grammar: a verb; a verb or "turn" with a direction, plainly, by the
// opposite, or all around.
std::vector<Phrase> directed_phrases() {
  std::vector<Phrase> all;
  for (std::int32_t verb = 0; verb < scan_word::verbs; ++verb) all.push_back({{verb}, {scan_word::action + verb}});
  for (std::int32_t verb = 0; verb <= scan_word::turn; ++verb)
    for (const auto& [direction, turned] :
         {std::pair{scan_word::left, scan_word::left_turn}, std::pair{scan_word::right, scan_word::right_turn}}) {
      const Tokens done = verb == scan_word::turn ? Tokens{} : Tokens{scan_word::action + verb};
      all.push_back({{verb, direction}, joined({turned}, done)});
      all.push_back({{verb, scan_word::opposite, direction}, joined({turned, turned}, done)});
      all.push_back({{verb, scan_word::around, direction}, repeated(joined({turned}, done), 4)});
    }
  return all;
}

// S: such a phrase once, twice or thrice.
std::vector<Phrase> all_phrases() {
  std::vector<Phrase> all = directed_phrases();
  for (const Phrase& once : directed_phrases()) {
    all.push_back({joined(once.words, {scan_word::twice}), repeated(once.actions, 2)});
    all.push_back({joined(once.words, {scan_word::thrice}), repeated(once.actions, 3)});
  }
  return all;
}

class Scan final : public Generated {
 public:
  Scan() : Generated("scan", 1), phrases_(all_phrases()) {
    for (std::size_t first = 0; first < phrases_.size(); ++first) {
      commands_[std::ssize(phrases_[first].actions)].push_back({first, first, 0});
      for (std::size_t second = 0; second < phrases_.size(); ++second)
        for (const std::int32_t connective : {scan_word::both, scan_word::after})
          commands_[std::ssize(phrases_[first].actions) + std::ssize(phrases_[second].actions)].push_back(
              {first, second, connective});
    }
  }
  Index vocabulary() const override { return scan_symbols + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(max_command, size); }
  std::optional<base::Refusal> why_not(Index size) const override {
    if (size < 1 || commands_.contains(size)) return Generated::why_not(size);
    return "the task scan has no command of " + std::to_string(size) + " actions: they have up to " +
           std::to_string(commands_.rbegin()->first);
  }
  Bounds bounds(Index size) const override {
    std::array<double, scan_symbols + 1> asked{};
    for (const Command& command : commands_.at(size)) {
      for (const std::int32_t one : made(command).actions) asked[base::at(one)] += 1;
      asked.back() += 1;  // the end
    }
    return certain(asked);
  }

 private:
  struct Command {
    std::size_t first, second;
    std::int32_t connective;  // 0: there is no second phrase
  };

  Phrase made(const Command& command) const {
    const Phrase &first = phrases_[command.first], &second = phrases_[command.second];
    if (command.connective == 0) return first;
    const Tokens words = joined(joined(first.words, {command.connective}), second.words);
    if (command.connective == scan_word::after) return {words, joined(second.actions, first.actions)};
    return {words, joined(first.actions, second.actions)};
  }

  Sequence draw(Dice& dice, Index size) const override {
    const std::vector<Command>& of_size = commands_.at(size);
    const Phrase command = made(of_size[base::at(dice.below(std::ssize(of_size)))]);
    const Index filled = max_command - std::ssize(command.words);
    return prompted(command.words, command.actions, marks_after(scan_symbols), size + filled);
  }

  std::vector<Phrase> phrases_;
  std::map<Index, std::vector<Command>> commands_;  // by the number of actions
};

}  // namespace

TaskInfo make_scan() {
  return {.title = "SCAN",
          .sentence = "Say the actions that a command of a small grammar asks for.",
          .source = "Lake and Baroni 2018 (ICML; arXiv:1711.00350), SCAN",
          .bidirectional = false,
          .size_means = "actions",
          .make = make_task<Scan>};
}

}  // namespace poslab::tasks
