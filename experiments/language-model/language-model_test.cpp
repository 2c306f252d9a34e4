// SPDX-License-Identifier: Apache-2.0
// A language model against a second implementation of network and curves, known answers, and itself: on other numbers
// of threads, and interrupted.
#include <cmath>

#include "answers.hpp"
#include "catch.hpp"
#include "naive_network.hpp"
#include "poslab/data/archive.hpp"
#include "poslab/tasks/task.hpp"
#include "poslab/training/trainer.hpp"
#include "same_bits.hpp"
#include "thrown.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;
using poslab::base::Index;
using poslab::data::Record;

// One layer of width 16, trained for a moment on a source of eight tokens.
Cell small(const std::string& scheme, const Values& axes = {}) {
  Values all{{"task", word("markov")}, {"layers", whole(1)},  {"train_length", whole(6)},    {"batch", whole(3)},
             {"steps", whole(7)},      {"warm_up", whole(2)}, {"multiple", list({1, 2, 4})}, {"held_out", whole(5)}};
  for (const auto& [name, value] : axes) all.set(name, value);
  return {"language-model", scheme, all, {}, {16, 2, 6}};
}

// By the definition: held-out instances one after the other.
struct Curves {
  double loss = 0, accuracy = 0;
  naive::Vector loss_at, accuracy_at;
};

double right(const naive::Vector& said, std::int32_t target) {
  return std::max_element(said.begin(), said.end()) - said.begin() == target ? 1 : 0;
}

Curves naive_curves(const naive::Network& network, const Cell& cell, Index size, std::uint64_t count) {
  const auto task = poslab::tasks::find_task(cells::all_axes(cell).text("task")).make("");
  Curves curves;
  std::vector<double> asked(static_cast<std::size_t>(size));
  curves.loss_at = curves.accuracy_at = naive::Vector(asked.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto sequence = task->sample(draws_of(cell).contents("task"), poslab::tasks::Part::held_out, i, size);
    const std::vector<naive::Vector> said = network.says(sequence.tokens);
    for (std::size_t t = 0; t < asked.size(); ++t) {
      if (!sequence.mask[t]) continue;
      ++asked[t];
      curves.loss_at[t] -= said[t][static_cast<std::size_t>(sequence.targets[t])];
      curves.accuracy_at[t] += right(said[t], sequence.targets[t]);
    }
  }
  double all = 0;
  for (std::size_t t = 0; t < asked.size(); ++t) {
    curves.loss += curves.loss_at[t];
    curves.accuracy += curves.accuracy_at[t];
    all += asked[t];
    curves.loss_at[t] /= asked[t];
    curves.accuracy_at[t] /= asked[t];
  }
  curves.loss /= all;
  curves.accuracy /= all;
  return curves;
}

double naive_sliding(const naive::Network& network, const Cell& cell, std::size_t size, std::size_t windows) {
  const auto task = poslab::tasks::find_task(cells::all_axes(cell).text("task")).make("");
  const auto all = task->sample(draws_of(cell).contents("task"), poslab::tasks::Part::held_out, 0,
                                static_cast<Index>(size + windows));
  double sum = 0;
  for (std::size_t w = 0; w < windows; ++w) {
    const std::vector<std::int32_t> window(all.tokens.begin() + static_cast<Index>(w),
                                           all.tokens.begin() + static_cast<Index>(w + size));
    sum -= network.says(window).back()[static_cast<std::size_t>(all.targets[w + size - 1])];
  }
  return sum / static_cast<double>(windows);
}

naive::Network naive_of(const Record& record, const std::string& scheme) {
  naive::Network network(record, 2, true);
  if (scheme == "alibi") network.bias = [](auto h, auto i, auto j) { return naive::alibi(2, h, i, j); };
  if (scheme == "sinusoidal") {
    network.embedding_scale = 4;  // sqrt(16)
    network.code = [](auto p, auto d) { return naive::sinusoid(p, d, 16); };
  }
  return network;
}

void check_near(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    if (std::isnan(b[i]))
      CHECK(std::isnan(a[i]));
    else
      CHECK_THAT(a[i], check::WithinAbs(b[i], 1e-10));
  }
}

const std::string rope = "rope", none = "none";

// One layer that learns to say the token before, to its end.
Cell recall(const std::string& scheme) {
  return small(scheme, {{"task", word("previous-token")},
                        {"train_length", whole(10)},
                        {"multiple", list({1})},
                        {"steps", whole(400)},
                        {"batch", whole(16)},
                        {"warm_up", whole(20)},
                        {"held_out", whole(64)},
                        {"learning_rate", real(0.01)}});
}

}  // namespace

TEST_CASE("language-model: its curves are those of a network written down a number at a time") {
  for (const std::string scheme : {"none", "alibi", "sinusoidal"})
    for (const std::string task : {"markov", "previous-token"}) {
      CAPTURE(scheme, task);
      const Cell cell = small(scheme, {{"task", word(task)},
                                       {"dtype", word("float64")},
                                       {"learning_rate", real(0.05)},
                                       {"layers", whole(2)},
                                       {"sliding", whole(9)},
                                       {"keep_weights", true}});
      const Record record = train(cell);
      const naive::Network network = naive_of(record, scheme);
      std::vector<double> loss, accuracy, perplexity, ratio, sliding;
      Curves last;
      for (const Index multiple : {1, 2, 4}) {
        last = naive_curves(network, cell, 6 * multiple, 5);
        loss.push_back(last.loss);
        accuracy.push_back(last.accuracy);
        perplexity.push_back(std::exp(last.loss));
        ratio.push_back(perplexity.back() / perplexity.front());
        sliding.push_back(naive_sliding(network, cell, static_cast<std::size_t>(6 * multiple), 9));
      }
      check_near(curve(record, "loss"), loss);
      check_near(curve(record, "accuracy"), accuracy);
      check_near(curve(record, "perplexity"), perplexity);
      check_near(curve(record, "perplexity_ratio"), ratio);
      check_near(curve(record, "sliding_loss"), sliding);
      check_near(curve(record, "loss_by_position"), last.loss_at);
      check_near(curve(record, "accuracy_by_position"), last.accuracy_at);
      CHECK_THAT(curve(record, "held_out_loss").back(), check::WithinAbs(loss.front(), 1e-10));
    }
}

TEST_CASE("language-model: an untrained network knows nothing, and schemes begin alike") {
  // A rate that float32 rounds to 0.
  const Values axes{{"steps", whole(1)}, {"learning_rate", real(1e-60)}, {"keep_weights", true}};
  std::vector<Record> records;
  for (const std::string scheme : {"none", "alibi"}) {
    records.push_back(train(small(scheme, axes)));
    CHECK_THAT(curve(records.back(), "loss").back(), check::WithinAbs(std::log(8), 0.1));
    Cell smaller = small(scheme, axes);
    smaller.axes.set("init_std", real(1e-6));
    const Record tiny = train(smaller);
    for (const double loss : curve(tiny, "loss_by_position")) CHECK_THAT(loss, check::WithinAbs(std::log(8), 1e-4));
  }
  REQUIRE(records[0].kept().size() == records[1].kept().size());
  for (std::size_t a = 0; a < records[0].kept().size(); ++a) {
    const std::string& name = records[0].kept()[a].name;
    CAPTURE(name);
    if (name == "example/logits") continue;  // what a step has seen
    CHECK(records[0].kept()[a].values == records[1].kept()[a].values);
  }
  Cell other = small("none", axes);
  other.repeat = 1;
  CHECK(bytes_of(train(other)) != bytes_of(records[0]));
}

TEST_CASE("language-model: one layer says the token before with a rotation, and cannot without positions") {
  const Record with = train(recall(rope)), without = train(recall(none));
  CHECK(with.training().text() == "trained on previous-token, 1 layer, 400 steps");
  CHECK(curve(with, "loss").front() < 0.05);
  CHECK(curve(with, "accuracy").front() > 0.98);
  // 64 sequences of 9 targets: five standard errors above what the order is worth.
  const double bound = curve(without, "unordered_accuracy").front();
  CHECK(curve(without, "accuracy").front() < bound + 5 * std::sqrt(bound * (1 - bound) / (64 * 9)));
  CHECK(std::isnan(curve(with, "loss_by_position").front()));  // nothing is before the first
}

TEST_CASE("language-model: the same bits on 1, 2 and 8 threads") {
  const Cell cell = small("t5", {{"batch", whole(40)}, {"sliding", whole(300)}, {"keep_weights", true}});
  cells::check_same_on_threads([&] { return bytes_of(train(cell)); });
}

TEST_CASE("language-model: reports progress, the evaluation too") {
  check_says_all(
      small("t5",
            {{"steps", whole(9)}, {"multiple", list({1, 2, 4})}, {"shift", list({0, 3})}, {"sliding", whole(20)}}),
      9);
  check_says_all(small("learned", {{"steps", whole(9)}, {"multiple", list({1, 4})}}), 9);  // the second is refused
}

TEST_CASE("language-model: interrupted at any step it ends with the same bits") {
  const Cell cell = small("learned", {{"steps", whole(45)}, {"keep_weights", true}, {"multiple", list({1})}});
  const std::string undisturbed = bytes_of(train(cell));
  for (std::uint64_t stop = 1; stop <= 45; ++stop) {
    CAPTURE(stop);
    CHECK(bytes_of(train_interrupted(cell, 4, {stop})) == undisturbed);
  }
  CHECK(bytes_of(train_interrupted(cell, 1, {2, 3, 4, 40, 45})) == undisturbed);
  Interrupted cut("too short to be one", 1, 0);
  CHECK_THROWS_AS(train(cell, {cut}), poslab::data::NotPacked);
}

TEST_CASE("language-model: a table beyond its end is refused, never wrapped") {
  const Record record = train(small("learned"));
  CHECK(curve(record, "refused") == std::vector<double>{0, 1, 1});
  CHECK(std::isfinite(curve(record, "loss")[0]));
  CHECK(std::isnan(curve(record, "loss")[1]));
  CHECK(std::isnan(curve(record, "perplexity_ratio")[2]));
  CHECK(curve(record, "loss_by_position").size() == 6);
  const poslab::data::Answer answer = cells::answer_to(small("learned"), {record});
  CHECK(answer.mark == poslab::data::Mark::no);
  CHECK(numbers_text(answer) == "refused");
}

TEST_CASE("language-model: a training that diverges says where") {
  const Cell cell = small("none", {{"learning_rate", real(1e30)}, {"clip", real(1e30)}, {"warm_up", whole(0)}});
  {
    const poslab::base::Error error = check::thrown([&] { train(cell); });
    CHECK(error.kind == check::Kind::numeric);
    CHECK_THAT(error.what(), check::contains("diverged at step "));
    CHECK_THAT(error.what(), check::contains("learning rate of 1e+30"));
  }
  // The last update of all is seen, too.
  Cell last = cell;
  last.axes.set("steps", whole(1));
  CHECK(check::thrown([&] { static_cast<void>(train(last)); }).kind == check::Kind::numeric);
}

TEST_CASE("language-model: what cannot be trained is skipped with a sentence") {
  CHECK_THAT(why_skip(small("none", {{"task", word("retrieval")}, {"train_length", whole(6)}})).value().reason,
             check::contains("6"));
  CHECK_THAT(why_skip(small("none", {{"task", word("previous-token")}, {"train_length", whole(1)}})).value().reason,
             check::contains("previous-token"));
  CHECK_THAT(why_skip(small("none", {{"task", word("xor-of-neighbours")}})).value().reason,
             check::contains("mask = \"none\""));
  CHECK_THAT(why_skip(small("none", {{"mask", word("none")}})).value().reason, check::contains("mask = \"causal\""));
  CHECK_THAT(why_skip(small("none", {{"multiple", list({1, 2.5})}})).value().reason, check::contains("2.5"));
  CHECK_THAT(why_skip(small("none", {{"multiple", list({})}})).value().reason, check::contains("empty"));
  Cell table = small("learned", {{"task", word("copy")}});  // 14 tokens
  table.parameters.set("max_length", whole(13));
  CHECK_THAT(why_skip(table).value().reason, check::contains("13"));
  table.parameters.set("max_length", whole(14));
  CHECK_FALSE(why_skip(table));
}

TEST_CASE("language-model: a text that it cannot use is refused before anything runs") {
  const auto& experiment = experiments::find_experiment("language-model");
  const Values axes = cells::all_axes(small("none", {{"task", word("text")}, {"train_length", whole(10)}}));
  const auto why_not = [&](const std::string& text) { return experiment.at(axes)->why_not_files({{"text", text}}); };
  CHECK(experiment.at(axes)->needs() == std::vector<std::string>{"text"});
  CHECK(experiment.at(cells::all_axes(small("none")))->needs().empty());
  CHECK_THAT(why_not("").value().reason, check::contains("empty"));
  CHECK_THAT(why_not(std::string(40, '\0')).value().reason, check::contains("binary"));
  CHECK_THAT(why_not("too short").value().reason, check::contains("9 characters"));
  CHECK_THAT(why_not(std::string(100, 'a')).value().reason, check::contains("windows of up to 9 do"));
  CHECK_FALSE(why_not(std::string(110, 'a')));
}

TEST_CASE("language-model: beyond a text's end nothing is measured, and no scheme is blamed, windows do not overlap") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "abcab"[i % 5], text += "de"[i % 2];
  const experiments::Files files{{"text", text}};
  const Cell cell = small("none", {{"task", word("text")}, {"multiple", list({1, 3, 4})}, {"sliding", whole(3)}});
  const Record record = train(cell, {experiments::unwatched(), files});
  const std::vector<double> refused = curve(record, "refused");
  CHECK((refused[0] == 0 && refused[1] == 0 && std::isnan(refused[2])));  // 20 characters are held out
  CHECK(std::isfinite(curve(record, "sliding_loss")[0]));                 // 6 + 3 of them
  CHECK(std::isnan(curve(record, "sliding_loss")[1]));                    // 18 + 3
  CHECK(std::isnan(curve(record, "loss")[2]));
  CHECK_THAT(cells::answer_to(cell, {record}).sentence, check::contains("at 3 times as many"));
  Cell far = cell;
  far.axes.set("multiple", list({1, 4}));
  const poslab::data::Answer answer = cells::answer_to(far, {train(far, {experiments::unwatched(), files})});
  CHECK(answer.mark == poslab::data::Mark::none);
  CHECK_THAT(answer.sentence, check::contains("text has no sequence of 4 times the trained length"));
}

TEST_CASE("language-model: weights that were given enter, and are trained on") {
  poslab::data::GivenWeights given{"given", {}};
  given.arrays.push_back({"table", {6, 16}, std::vector<double>(96, 0.5)});
  const auto table_after = [&](double rate) {
    const Record record = train(small("learned", {{"learning_rate", real(rate)}, {"keep_weights", true}}),
                                {experiments::unwatched(), experiments::no_files(), &given});
    std::vector<double> numbers;
    const poslab::data::KeptArray* table = poslab::data::find_array(record.kept(), "scheme/table");
    REQUIRE(table);
    for (std::size_t i = 0; i < table->size(); ++i) numbers.push_back(table->value(i));
    return numbers;
  };
  CHECK(table_after(1e-60) == std::vector<double>(96, 0.5));
  const std::vector<double> after = table_after(1e-3);
  CHECK(after != std::vector<double>(96, 0.5));
  for (const double number : after) CHECK_THAT(number, check::WithinAbs(0.5, 0.01));
}
