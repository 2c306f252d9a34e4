// SPDX-License-Identifier: Apache-2.0
// Sequences of a user's own from a file: what is read, what is refused and where, how it is split, and its bounds.
#include <map>
#include <set>

#include "catch.hpp"
#include "poslab/arrays/write.hpp"
#include "poslab/tasks/task.hpp"
#include "tasks_at_hand.hpp"
#include "thrown.hpp"

using namespace at_hand;
using poslab::tasks::BadFile;

namespace {

std::string problem_of(const std::string& contents) {
  try {
    static_cast<void>(at_hand::task("instances", contents));
  } catch (const BadFile& bad) {
    return bad.problem;
  }
  return "";
}

}  // namespace

TEST_CASE("a line is an instance: words in order are the vocabulary, and - or _ asks for nothing") {
  const auto task = at_hand::task("instances", "b a  10\tx - b\r\n\n  \nb b b\t_ _ b\nc\tc");
  CHECK(task->symbols() == "10 a b c x");
  CHECK(task->vocabulary() == 5);  // 10 a b c x
  const Sequence s = drawn(*task, 3, 0);
  CHECK(s.tokens == Tokens{2, 1, 0});
  CHECK(s.targets == Tokens{4, 0, 2});
  CHECK(s.mask == std::vector<std::uint8_t>{1, 0, 1});
  CHECK(drawn(*task, 3, 0, Part::held_out).tokens == Tokens{2, 2, 2});
  CHECK(drawn(*task, 1, 0, Part::held_out).tokens == Tokens{3});
  CHECK(task->instances(Part::training, 1) == 0);
  CHECK_THAT(task->why_not(2).value().reason, check::contains("no line of 2 tokens") && check::contains("1 to 3"));
}

TEST_CASE("a mistake in a file of instances is said with its line and column") {
  CHECK_THAT(problem_of("a\tb\na b"), check::contains("line 2, column 4: there is no tab"));
  CHECK_THAT(problem_of("\n\na\tb\tc\n"), check::contains("line 3, column 4: there is a second tab"));
  CHECK_THAT(problem_of("a b c\tx y"), check::contains("line 1, column 7") && check::contains("2 for 3"));
  CHECK_THAT(problem_of(" \tx"), check::contains("line 1, column 1: there are no tokens"));
  CHECK_THAT(problem_of("a b\t- _"), check::contains("line 1, column 5: no target counts"));
  CHECK_THAT(problem_of(""), check::contains("is empty"));
  CHECK_THAT(problem_of("\n \n"), check::contains("has no lines"));
  CHECK_THAT(problem_of(std::string("a\t\0", 3)), check::contains("byte 0 at offset 2"));
  CHECK_THROWS_WITH(at_hand::task("instances", "x"), check::contains("--data instances=FILE"));
}

TEST_CASE("a tenth of the different lines of each length is held out, and no tokens are in both parts") {
  std::string text;
  for (int i = 0; i < 25; ++i) text += "n" + std::to_string(i) + " a\t- a\n";
  text += "n24 a\t- b\n";            // the same tokens as a line that is held out
  text += "n0 a\t- b\nn0 a\t- b\n";  // and as one that is trained on
  const auto task = at_hand::task("instances", text);
  CHECK(task->instances(Part::held_out, 2) == 4);  // n22, n23, n24 twice
  std::set<Tokens> held_out, trained;
  for (std::uint64_t i = 0; i < 4; ++i) held_out.insert(drawn(*task, 2, i, Part::held_out).tokens);
  std::map<Tokens, double> often;
  for (std::uint64_t i = 0; i < 5000; ++i) often[drawn(*task, 2, i).tokens] += 1;
  CHECK((held_out.size() == 3 && often.size() == 22));
  for (const auto& [tokens, count] : often) {
    CHECK(held_out.count(tokens) == 0);
    const double p = (tokens == drawn(*task, 2, 0).tokens || count < 400 ? 1 : 3) / 24.0;
    CHECK_THAT(count / 5000, check::WithinAbs(p, five_errors(p, 5000)));
  }
  CHECK(check::thrown([&] { static_cast<void>(drawn(*task, 2, 4, Part::held_out)); }).kind == check::Kind::internal);
}

TEST_CASE("instances may come as an array: -1 ends a line, or asks for nothing") {
  const auto npy = [](const std::vector<double>& numbers, const std::vector<std::size_t>& shape) {
    return poslab::arrays::npy_bytes({"", shape, numbers});
  };
  const auto task = at_hand::task("instances", npy({3, 1, 0, -1, 2, 0,  //
                                                    1, 2, -1, 1, -1, 4},
                                                   {2, 2, 3}));
  CHECK(task->vocabulary() == 4);
  CHECK(drawn(*task, 3, 0, Part::held_out).tokens == Tokens{3, 1, 0});
  CHECK(drawn(*task, 3, 0, Part::held_out).targets == Tokens{0, 2, 0});
  CHECK(drawn(*task, 3, 0, Part::held_out).mask == std::vector<std::uint8_t>{0, 1, 1});
  CHECK(drawn(*task, 2, 0, Part::held_out).targets == Tokens{1, 0});
  CHECK_THAT(problem_of(npy({1, 2}, {1, 2})), check::contains("1 x 2") && check::contains("lines x 2 x tokens"));
  CHECK_THAT(problem_of(npy({1, 2.5}, {1, 2, 1})), check::contains("2.5 at [0, 1, 0]"));
  CHECK_THAT(problem_of(npy({1, -1}, {1, 2, 1})), check::contains("asks for nothing in line 0"));
  CHECK_FALSE(problem_of("\x93NUMPY").empty());
}

TEST_CASE("chance of instances is that of the training lines' targets at the lines that are held out") {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "n" + std::to_string(i) + (i < 12 || i == 19 ? "\ta\n" : "\tb\n");
  const auto bounds = at_hand::task("instances", text)->bounds(1);  // 12 a, 6 b; b and a are held out
  CHECK(bounds.chance_accuracy == check::Approx(0.5));
  const double all = 18 + 2.2;  // a tenth for each of 22 words
  CHECK(bounds.chance_loss == check::Approx(-0.5 * std::log(12.1 / all) - 0.5 * std::log(6.1 / all)).epsilon(1e-12));
  CHECK(std::isnan(bounds.best_accuracy));
  INFO("lines of another length guess nothing, unless this one has no others");
  for (int i = 0; i < 100; ++i) text += "m m" + std::to_string(i) + "\t- c\n";
  text += "one of four words\t- - - c\n";
  const auto task = at_hand::task("instances", text);
  CHECK(task->bounds(1).chance_accuracy == check::Approx(0.5));
  CHECK(task->bounds(4).chance_accuracy == 1);
}
