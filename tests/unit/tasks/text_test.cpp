// SPDX-License-Identifier: Apache-2.0
// Text from a file: vocabulary, split, windows, refusals.
#include <set>

#include "catch.hpp"
#include "poslab/tasks/task.hpp"
#include "tasks_at_hand.hpp"
#include "thrown.hpp"

using namespace at_hand;
using poslab::tasks::BadFile;

namespace {

// A token's byte, with the sorted set of the text's bytes as the vocabulary.
std::string read_back(const std::string& text, const Tokens& tokens) {
  const std::set<unsigned char> sorted(text.begin(), text.end());
  const std::string vocabulary(sorted.begin(), sorted.end());
  std::string out;
  for (const std::int32_t token : tokens) out += vocabulary.at(static_cast<std::size_t>(token));
  return out;
}

}  // namespace

TEST_CASE("a text's characters are numbered by their bytes, training windows lie in its first nine tenths") {
  const std::string text = some_text() + "\xC3\xA9";
  const auto task = at_hand::task("text", text);
  CHECK(task->vocabulary() == 9);
  const std::string trained = text.substr(0, text.size() * 9 / 10);
  std::set<std::size_t> offsets;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Sequence s = drawn(*task, 20, i);
    const std::size_t offset = trained.find(read_back(text, joined(s.tokens, {s.targets.back()})));
    CHECK(offset != trained.npos);
    CHECK(part_of(s.tokens, 1, 19) == part_of(s.targets, 0, 19));
    offsets.insert(offset);
  }
  CHECK(offsets.size() > 250);
}

TEST_CASE("every offset of the training part is drawn, its ends too") {
  std::string text;  // all different, so that a window tells its offset
  for (int byte = 1; byte <= 200; ++byte) text += static_cast<char>(byte);
  const auto task = at_hand::task("text", text);
  std::set<std::int32_t> first;
  for (std::uint64_t i = 0; i < 5000; ++i) first.insert(drawn(*task, 10, i).tokens[0]);
  CHECK(*first.begin() == 0);
  CHECK(*first.rbegin() == 169);  // 169 .. 178, and 179 is asked: the last that is trained on
  CHECK(first.size() == 170);
}

TEST_CASE("held-out windows follow each other, and end") {
  const std::string text = some_text();
  const auto task = at_hand::task("text", text);
  REQUIRE(task->instances(Part::held_out, 20) == 14);  // 300 characters: 299 have a next one
  for (std::uint64_t i = 0; i < 14; ++i) {
    const Sequence s = drawn(*task, 20, i, Part::held_out);
    CHECK(read_back(text, s.tokens) == text.substr(2700 + 20 * i, 20));
    CHECK(read_back(text, s.targets) == text.substr(2701 + 20 * i, 20));
  }
  CHECK(check::thrown([&] { static_cast<void>(drawn(*task, 20, 14, Part::held_out)); }).kind == check::Kind::internal);
  CHECK_THROWS_WITH(drawn(*task, 20, 14, Part::held_out),
                    check::contains("number 14") && check::contains("there are 14"));
  CHECK(task->instances(Part::held_out, 299) == 1);
  CHECK(task->instances(Part::held_out, 300) == 0);
  CHECK_THAT(task->why_not(300).value().reason,
             check::contains("the 300 that the text holds out") && check::contains("up to 299"));
  CHECK(check::thrown([&] { static_cast<void>(drawn(*task, 300, 0)); }).kind == check::Kind::argument);
  CHECK(task->instances(Part::training, 20) == Task::endless);
}

TEST_CASE("the split is nanoGPT's, by floor") {
  for (const std::size_t length : {std::size_t{1115394}, std::size_t{29}, std::size_t{1000}}) {
    const auto task = at_hand::task("text", std::string(length - 1, 'a') + "b");
    const std::size_t held_out = length - length * 9 / 10;
    CHECK(task->instances(Part::held_out, 1) == held_out - 1);
  }
  CHECK(1115394 - 1115394 * 9ULL / 10 == 111540);
}

TEST_CASE("what is no text is refused with a sentence") {
  CHECK_THROWS_AS(at_hand::task("text", ""), BadFile);
  CHECK_THROWS_WITH(at_hand::task("text", ""), check::contains("is empty") && check::contains("--data text=FILE"));
  CHECK_THROWS_WITH(at_hand::task("text", "nineteen characters"), check::contains("has 19 characters"));
  CHECK_FALSE(at_hand::task("text", "nineteen characters!")->why_not(1));
  CHECK_THROWS_WITH(at_hand::task("text", std::string("ELF\0", 4) + some_text()),
                    check::contains("byte 0 at offset 3"));
}

TEST_CASE("chance is that of the training part's characters in the part that is held out") {
  const std::string text = std::string(60, 'a') + std::string(30, 'b') + "aabbbbbbbb";
  const auto bounds = at_hand::task("text", text)->bounds(5);
  CHECK(bounds.chance_accuracy == check::Approx(0.2));
  CHECK(bounds.chance_loss == check::Approx(-0.2 * std::log(60.1 / 90.2) - 0.8 * std::log(30.1 / 90.2)).epsilon(1e-12));
  CHECK(std::isnan(bounds.best_loss));
}

TEST_CASE("masked text: some characters of a window are masked, and asked for") {
  const std::string text = some_text();
  const auto task = at_hand::task("masked-text", text);
  const auto masked = static_cast<std::int32_t>(task->vocabulary() - 1);
  CHECK(masked == 7);
  CHECK(task->instances(Part::held_out, 20) == 15);  // 300 characters
  CHECK(task->instances(Part::held_out, 300) == 1);
  double asked = 0;
  for (std::uint64_t i = 0; i < 400; ++i)
    for (const Index size : {Index{1}, Index{40}}) {
      const Part part = i < 7 ? Part::held_out : Part::training;
      const Sequence s = drawn(*task, size, i, part);
      Tokens whole = s.tokens;
      for (std::size_t t = 0; t < whole.size(); ++t) {
        CHECK((s.tokens[t] == masked) == (s.mask[t] == 1));
        if (s.mask[t]) whole[t] = s.targets[t];
      }
      const std::size_t offset = text.find(read_back(text, whole));
      CHECK((part == Part::held_out ? offset != text.npos : offset + whole.size() <= 2700));
      if (size == 1) CHECK(s.mask[0] == 1);
      if (size == 40) asked += static_cast<double>(answer(s).size());
    }
  const double p = 0.15 + std::pow(0.85, 40) / 40;
  CHECK_THAT(asked / 16000, check::WithinAbs(p, five_errors(p, 16000)));
}

TEST_CASE("text: over the characters of another text its numbers are that text's") {
  for (const char* id : {"text", "masked-text"}) {
    CAPTURE(id);
    const std::string other(some_text()), letters = "ba" + std::string(30, 'c');
    const auto one = at_hand::task(id, other + "abc"),
               over = poslab::tasks::find_task(id).make_over(letters, one->symbols());
    CHECK(over->vocabulary() == one->vocabulary());
    CHECK(over->symbols() == one->symbols());
    CHECK(at_hand::task(id, letters)->symbols() == "abc");
    const auto number = static_cast<std::int32_t>(one->symbols().find('c'));
    const poslab::tasks::Sequence sequence =
        over->sample(poslab::base::Stream("draws"), poslab::tasks::Part::held_out, 0, 1);
    CHECK(sequence.targets[0] == number);
    CHECK_THROWS_WITH(poslab::tasks::find_task(id).make_over(letters + "~", "abc"),
                      check::contains("has the byte 126"));
  }
}
