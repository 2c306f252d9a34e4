// SPDX-License-Identifier: Apache-2.0
// SCAN against its grammar, written down once more: commands as text, interpreted from the outside in.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "tasks_at_hand.hpp"

using namespace at_hand;

namespace {

using Words = std::vector<std::string>;

const Words scan_words{"walk",   "run", "jump",  "look", "turn", "left", "right", "opposite", "around", "twice",
                       "thrice", "and", "after", "WALK", "RUN",  "JUMP", "LOOK",  "LTURN",    "RTURN"};

std::string text_of(const Tokens& tokens) {
  std::string text;
  for (const std::int32_t token : tokens)
    text += (text.empty() ? "" : " ") + scan_words.at(static_cast<std::size_t>(token));
  return text;
}

// C -> S and S | S after S | S;  S -> V twice | V thrice | V;  V -> D1 opposite D2 | D1 around D2 | D | U;
// D -> U left | U right | turn left | turn right;  U -> walk | run | jump | look
Words all_commands() {
  Words phrases, sentences, commands;
  for (const std::string verb : {"walk", "run", "jump", "look", "turn"}) {
    if (verb != "turn") phrases.push_back(verb);
    for (const std::string how : {" ", " opposite ", " around "})
      for (const std::string where : {"left", "right"}) phrases.push_back(std::string(verb).append(how).append(where));
  }
  for (const std::string& phrase : phrases)
    for (const std::string often : {"", " twice", " thrice"}) sentences.push_back(phrase + often);
  for (const std::string& first : sentences) {
    commands.push_back(first);
    for (const std::string& second : sentences)
      for (const std::string how : {" and ", " after "})
        commands.push_back(std::string(first).append(how).append(second));
  }
  return commands;
}

std::string meaning(const std::string& command);

// Empty if it has no such word; else what stands before it and what behind.
std::vector<std::string> split_at(const std::string& command, const std::string& word) {
  const std::string spaced = " " + command + " ";
  const std::size_t at = spaced.find(" " + word + " ");
  if (at == std::string::npos) return {};
  const auto trimmed = [](std::string text) {
    while (!text.empty() && text.front() == ' ') text.erase(0, 1);
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  };
  return {trimmed(spaced.substr(0, at)), trimmed(spaced.substr(at + word.size() + 1))};
}

std::string times(const std::string& actions, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += actions;
  return all;
}

// Each action with a space behind it.
std::string meaning(const std::string& command) {
  if (const auto both = split_at(command, "and"); !both.empty()) return meaning(both[0]) + meaning(both[1]);
  if (const auto both = split_at(command, "after"); !both.empty()) return meaning(both[1]) + meaning(both[0]);
  if (const auto once = split_at(command, "twice"); !once.empty()) return times(meaning(once[0]), 2);
  if (const auto once = split_at(command, "thrice"); !once.empty()) return times(meaning(once[0]), 3);
  if (const auto both = split_at(command, "around"); !both.empty())
    return times(meaning("turn " + both[1]) + meaning(both[0]), 4);
  if (const auto both = split_at(command, "opposite"); !both.empty())
    return times(meaning("turn " + both[1]), 2) + meaning(both[0]);
  if (const auto verb = split_at(command, "left"); !verb.empty()) return "LTURN " + meaning(verb[0]);
  if (const auto verb = split_at(command, "right"); !verb.empty()) return "RTURN " + meaning(verb[0]);
  const std::map<std::string, std::string> verbs{
      {"walk", "WALK "}, {"run", "RUN "}, {"jump", "JUMP "}, {"look", "LOOK "}, {"turn", ""}};
  return verbs.at(command);
}

std::map<Index, std::set<std::string>> by_actions() {
  std::map<Index, std::set<std::string>> all;
  for (const std::string& command : all_commands()) {
    const std::string actions = meaning(command);
    all[std::count(actions.begin(), actions.end(), ' ')].insert(command);
  }
  return all;
}

}  // namespace

TEST_CASE("scan: the grammar has its published commands, and its split by length too") {
  std::size_t all = 0, within = 0;
  const auto task = at_hand::task("scan");
  const auto commands = by_actions();
  for (Index size = 1; size <= 60; ++size) CHECK(task->why_not(size).has_value() == (commands.count(size) == 0));
  for (const auto& [actions, of_size] : commands) {
    all += of_size.size();
    if (actions <= 22) within += of_size.size();
    CHECK((actions <= 22 || (actions >= 24 && actions <= 48)));
  }
  CHECK(all == 20910);
  CHECK(within == 16990);
  CHECK(meaning("jump opposite left after walk around left") ==
        "LTURN WALK LTURN WALK LTURN WALK LTURN WALK LTURN LTURN JUMP ");
  CHECK_THAT(task->why_not(49).value().reason, check::contains("scan") && check::contains("up to 48"));
}

TEST_CASE("scan: each drawn command is one of the grammar, with what it means, and all are drawn") {
  const auto task = at_hand::task("scan");
  for (const auto& [size, commands] : by_actions()) {
    std::set<std::string> seen;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const Sequence s = drawn(*task, size, i);
      const auto separator =
          static_cast<std::size_t>(std::find(s.tokens.begin(), s.tokens.end(), 20) - s.tokens.begin());
      const std::string command = text_of(part_of(s.tokens, 1, separator - 1));
      seen.insert(command);
      Tokens actions = answer(s);
      CHECK(actions.back() == 21);
      actions.pop_back();
      REQUIRE(std::ssize(actions) == size);
      REQUIRE(text_of(actions) + " " == meaning(command));
      REQUIRE(commands.count(command) == 1);
      CHECK(part_of(s.tokens, separator + 1, actions.size()) == actions);
    }
    if (commands.size() < 150) CHECK(seen == commands);
  }
}

TEST_CASE("scan: chance is counted over all commands of a size") {
  const auto task = at_hand::task("scan");
  for (const auto& [size, commands] : by_actions()) {
    std::map<std::string, double> often;
    for (const std::string& command : commands) {
      std::istringstream actions(meaning(command) + "end");
      for (std::string one; actions >> one;) often[one] += 1;
    }
    double most = 0;
    for (const auto& [one, count] : often) most = std::max(most, count);
    const double all = static_cast<double>(commands.size()) * static_cast<double>(size + 1);
    CHECK(task->bounds(size).chance_accuracy == check::Approx(most / all).epsilon(1e-12));
  }
}
