// SPDX-License-Identifier: Apache-2.0
// Scores by size against a second implementation of the network, answers that it generates itself, and batches drawn
// by the definition; sizes that a task does not have; the same bits on other numbers of threads, and interrupted.
#include <cmath>

#include "answers.hpp"
#include "catch.hpp"
#include "naive_network.hpp"
#include "poslab/tasks/task.hpp"
#include "poslab/training/trainer.hpp"
#include "same_bits.hpp"
#include "thrown.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;
using poslab::base::Index;
using poslab::data::Mark;
using poslab::data::Record;
using poslab::tasks::Sequence;

Cell small(const std::string& scheme, const Values& axes = {}) {
  Values all{{"layers", whole(1)},  {"largest", whole(3)},     {"batch", whole(4)},    {"steps", whole(6)},
             {"warm_up", whole(2)}, {"size", list({1, 3, 4})}, {"held_out", whole(12)}};
  for (const auto& [name, value] : axes) all.set(name, value);
  return {"length-generalisation", scheme, all, {}, {16, 2, 8}};
}

// It has learnt to copy one letter for the most part, and two now and then.
Cell half_taught() {
  Cell cell = small("alibi", {{"largest", whole(2)},
                              {"size", list({1, 2, 3})},
                              {"steps", whole(250)},
                              {"batch", whole(16)},
                              {"learning_rate", real(0.01)},
                              {"held_out", whole(40)},
                              {"dtype", word("float64")},
                              {"keep_weights", true}});
  cell.model.model_width = 32;
  return cell;
}

naive::Network naive_of(const Record& record, const std::string& scheme, bool causal = true) {
  naive::Network network(record, 2, causal);
  if (scheme == "alibi") network.bias = [](auto h, auto i, auto j) { return naive::alibi(2, h, i, j); };
  return network;
}

std::unique_ptr<poslab::tasks::Task> task_of(const Cell& cell) {
  return poslab::tasks::find_task(cells::all_axes(cell).text("task")).make("");
}

Sequence held_out(const Cell& cell, std::uint64_t i, Index size) {
  return task_of(cell)->sample(draws_of(cell).contents("task"), poslab::tasks::Part::held_out, i, size);
}

std::int32_t likeliest(const naive::Vector& said) {
  return static_cast<std::int32_t>(std::max_element(said.begin(), said.end()) - said.begin());
}

// Whether the network, fed what it has said itself, gives the whole answer.
bool generates(const naive::Network& network, const Sequence& sequence) {
  std::vector<std::int32_t> text;
  for (std::size_t t = 0; t < sequence.tokens.size(); ++t) {
    const bool prompt = t == 0 || !sequence.mask[t - 1];
    text.push_back(prompt ? sequence.tokens[t] : likeliest(network.says(text).back()));
  }
  text.push_back(likeliest(network.says(text).back()));
  for (std::size_t t = 0; t < sequence.tokens.size(); ++t)
    if (sequence.mask[t] && text[t + 1] != sequence.targets[t]) return false;
  return true;
}

struct Sums {
  double loss = 0, right = 0, asked = 0;
};

// Adds what is asked of one sequence, shown by itself.
void add(const naive::Network& network, const Sequence& sequence, Sums& sums) {
  const std::vector<naive::Vector> said = network.says(sequence.tokens);
  for (std::size_t t = 0; t < sequence.tokens.size(); ++t)
    if (sequence.mask[t]) {
      sums.loss -= said[t][static_cast<std::size_t>(sequence.targets[t])];
      sums.right += likeliest(said[t]) == sequence.targets[t];
      ++sums.asked;
    }
}

}  // namespace

TEST_CASE("length-generalisation: scores are those of a network that is fed one sequence, and of what it generates") {
  const Cell cell = half_taught();
  const Record record = train(cell);
  const naive::Network network = naive_of(record, "alibi");
  double solved = 0;
  for (const std::size_t at : {0, 1, 2}) {
    CAPTURE(at);
    Sums sums;
    double exact = 0;
    for (std::uint64_t i = 0; i < 40; ++i) {
      const Sequence sequence = held_out(cell, i, static_cast<Index>(at) + 1);
      add(network, sequence, sums);
      exact += generates(network, sequence) / 40.0;
    }
    solved += exact;
    CHECK_THAT(curve(record, "loss")[at], check::WithinAbs(sums.loss / sums.asked, 1e-9));
    CHECK_THAT(curve(record, "accuracy")[at], check::WithinAbs(sums.right / sums.asked, 1e-12));
    CHECK_THAT(curve(record, "exact")[at], check::WithinAbs(exact, 1e-12));
  }
  INFO("it proves something where some are solved and some are not");
  CHECK(solved > 0.1);
  CHECK(solved < 2.9);
  const std::vector<double>&accuracy = curve(record, "accuracy"), &exact = curve(record, "exact");
  CHECK_THAT(curve(record, "accuracy_within")[0], check::WithinAbs((accuracy[0] + accuracy[1]) / 2, 1e-12));
  CHECK_THAT(curve(record, "exact_within")[0], check::WithinAbs((exact[0] + exact[1]) / 2, 1e-12));
  CHECK(curve(record, "accuracy_beyond")[0] == accuracy[2]);
  CHECK(curve(record, "exact_beyond")[0] == exact[2]);
}

// At a rate that changes nothing, the loss of the first batch is that of the network that is kept.
TEST_CASE("length-generalisation: decoders are trained on a size for each sequence, encoders on one for each batch") {
  for (const bool causal : {true, false})
    for (const std::string scheme : {"none", "alibi", "normalised-index"}) {
      CAPTURE(causal, scheme);
      const Cell cell = small(scheme, {{"task", word(causal ? "copy" : "reverse-string")},
                                       {"mask", word(causal ? "causal" : "none")},
                                       {"largest", whole(5)},
                                       {"smallest", whole(2)},
                                       {"batch", whole(6)},
                                       {"steps", whole(1)},
                                       {"learning_rate", real(1e-300)},
                                       {"init_std", real(0.5)},
                                       {"dtype", word("float64")},
                                       {"keep_weights", true}});
      const Record record = train(cell);
      naive::Network network = naive_of(record, scheme, causal);
      const auto sizes = draws_of(cell).contents("sizes");
      Sums sums;
      for (std::uint64_t i = 0; i < 6; ++i) {
        const Sequence sequence = task_of(cell)->sample(draws_of(cell).contents("task"), poslab::tasks::Part::training,
                                                        i, 2 + static_cast<Index>(sizes.below(causal ? i : 0, 4)));
        if (scheme == "normalised-index")  // a part of the sequence's own length, not of the batch's longest one
          network.code = [last = static_cast<double>(sequence.tokens.size()) - 1](auto p, auto d) {
            return d == 0 ? static_cast<double>(p) / last : 0;
          };
        add(network, sequence, sums);
      }
      CHECK_THAT(curve(record, "training_loss")[0], check::WithinAbs(sums.loss / sums.asked, 1e-10));
    }
}

TEST_CASE("length-generalisation: an untrained network guesses, and chance is beside it") {
  const Record record =
      train(small("none", {{"steps", whole(1)}, {"learning_rate", real(1e-60)}, {"init_std", real(1e-6)}}));
  for (const double loss : curve(record, "loss")) CHECK_THAT(loss, check::WithinAbs(std::log(53), 1e-3));
  CHECK_THAT(curve(record, "chance")[1], check::WithinAbs(1.0 / 4, 1e-12));
  CHECK(std::isnan(curve(record, "unordered")[1]));
  const Record bits = train(small("none", {{"task", word("bucket-sort")}, {"mask", word("none")}}));
  CHECK_THAT(curve(bits, "chance")[1], check::WithinAbs(1.0 / 5, 1e-12));
  CHECK(curve(bits, "unordered")[1] > 0.2);
}

TEST_CASE("length-generalisation: a record has the bounds of its task, and says whether it is of a control") {
  for (const char* task : {"copy", "s3", "golden-mean", "mqar"}) {
    CAPTURE(task);
    const Cell cell = small("none", {{"task", word(task)}, {"steps", whole(1)}, {"warm_up", whole(0)}});
    const Record record = train(cell);
    const poslab::tasks::Bounds bounds = task_of(cell)->bounds(3);
    const auto is = [](double measured, double expected) {
      return measured == expected || (std::isnan(measured) && std::isnan(expected));
    };
    CHECK(is(curve(record, "chance_accuracy")[0], bounds.chance_accuracy));
    CHECK(is(curve(record, "chance_loss")[0], bounds.chance_loss));
    CHECK(is(curve(record, "best_accuracy")[0], bounds.best_accuracy));
    CHECK(is(curve(record, "best_loss")[0], bounds.best_loss));
  }
  CHECK(curve(train(small("none")), "is_control")[0] == 1);
  for (const char* scheme : {"rope", "alibi", "sinusoidal", "path"})
    CHECK(curve(train(small(scheme)), "is_control")[0] == 0);
}

TEST_CASE("length-generalisation: what lies below the smallest size was not trained on, nor does it lie beyond") {
  const Record record = train(small("alibi", {{"smallest", whole(3)}, {"size", list({1, 3, 4})}}));
  const std::vector<double>& accuracy = curve(record, "accuracy");
  CHECK(curve(record, "accuracy_within")[0] == accuracy[1]);
  CHECK(curve(record, "accuracy_beyond")[0] == accuracy[2]);
}

TEST_CASE("length-generalisation: sizes beyond a table are refused, never wrapped") {
  const Record record = train(small("learned"));
  CHECK(curve(record, "refused") == std::vector<double>{0, 0, 1});
  CHECK(std::isfinite(curve(record, "accuracy")[1]));
  CHECK(std::isnan(curve(record, "accuracy")[2]));
  CHECK(std::isnan(curve(record, "accuracy_beyond")[0]));
  CHECK(std::isfinite(curve(record, "accuracy_within")[0]));
}

TEST_CASE("length-generalisation: the same bits on 1, 2 and 8 threads") {
  const Cell cell = small("rope", {{"batch", whole(40)}, {"keep_weights", true}});
  cells::check_same_on_threads([&] { return bytes_of(train(cell)); });
}

TEST_CASE("length-generalisation: reports progress, the evaluation too") {
  check_says_all(small("rope", {{"steps", whole(9)}}), 9);
  check_says_all(small("learned", {{"steps", whole(9)}}), 9);  // which serves not all sizes
}

TEST_CASE("length-generalisation: interrupted at any step it ends with the same bits") {
  for (const char* mask : {"causal", "none"}) {
    CAPTURE(mask);
    const Cell cell = small(
        "t5", {{"task", word("reverse-string")}, {"mask", word(mask)}, {"steps", whole(43)}, {"keep_weights", true}});
    const std::string undisturbed = bytes_of(train(cell));
    for (std::uint64_t stop = 1; stop <= 43; ++stop) {
      CAPTURE(stop);
      CHECK(bytes_of(train_interrupted(cell, 3, {stop})) == undisturbed);
    }
    CHECK(bytes_of(train_interrupted(cell, 2, {5, 6, 12, 43})) == undisturbed);
  }
}

TEST_CASE("length-generalisation: a training that diverges says where") {
  const Cell cell = small("none", {{"learning_rate", real(1e30)}, {"clip", real(1e30)}, {"warm_up", whole(0)}});
  CHECK(check::thrown([&] { static_cast<void>(train(cell)); }).kind == check::Kind::numeric);
}

TEST_CASE("length-generalisation: sizes that a task does not have are a sentence, or left out of the training") {
  const auto of_retrieval = [](std::int64_t smallest, std::int64_t largest) {
    return small("none", {{"task", word("retrieval")},
                          {"smallest", whole(smallest)},
                          {"largest", whole(largest)},
                          {"size", list({4, 6, 8})}});
  };
  CHECK_THAT(why_skip(of_retrieval(5, 7)).value().reason, check::contains("no instance of a size in 5 to 7"));
  CHECK_FALSE(why_skip(of_retrieval(3, 9)));
  const Record record = train(of_retrieval(3, 9));
  const std::vector<double> refused = curve(record, "refused");
  CHECK((refused[0] == 0 && std::isnan(refused[1]) && refused[2] == 0));  // 6 is no multiple of 4
  CHECK(std::isnan(curve(record, "accuracy")[1]));
  CHECK(std::isfinite(curve(record, "accuracy_within")[0]));
  Cell odd = of_retrieval(3, 4);
  odd.axes.set("size", list({4, 5, 6}));
  const poslab::data::Answer answer = cells::answer_to(odd, {train(odd)});
  CHECK(answer.mark == Mark::none);
  CHECK_THAT(answer.sentence, check::contains("retrieval has no instance of these sizes beyond 4"));
  CHECK_THAT(why_skip(small("none", {{"smallest", whole(4)}})).value().reason, check::contains("above the largest, 3"));
  CHECK_THAT(why_skip(small("none", {{"task", word("previous-token")}, {"largest", whole(1)}})).value().reason,
             check::contains("no instance of a size in 1 to 1"));
  CHECK_THAT(why_skip(small("none", {{"size", list({1, 1.5})}})).value().reason, check::contains("1.5"));
  CHECK_THAT(why_skip(small("none", {{"size", list({})}})).value().reason, check::contains("empty"));
  CHECK_THAT(why_skip(small("none", {{"mask", word("none")}})).value().reason, check::contains("mask = \"causal\""));
  Cell table = small("learned");  // copies of 3 are 8 tokens
  table.parameters.set("max_length", whole(7));
  CHECK_THAT(why_skip(table).value().reason, check::contains("7"));
}

TEST_CASE("length-generalisation: the answer says what was solved and what was not") {
  const Cell cell = small("none", {{"size", list({1, 3, 4})}});
  const auto answer = [&](std::initializer_list<std::pair<double, double>> repeats, const Cell& of) {
    std::vector<Record> records;
    for (const auto& [within, beyond] : repeats) {
      Record record;
      record.scalar("accuracy_within", within);
      record.scalar("accuracy_beyond", beyond);
      records.push_back(record);
    }
    return cells::answer_to(of, records);
  };
  CHECK(answer({{1, 0.99}, {0.99, 0.98}, {1, 0.99}}, cell).mark == Mark::yes);
  CHECK(answer({{1, 0.3}, {0.99, 0.31}, {1, 0.29}}, cell).mark == Mark::no);
  CHECK(answer({{1, 0.95}, {0.99, 0.2}, {1, 0.99}}, cell).mark == Mark::cannot_tell);
  const poslab::data::Answer alone = answer({{1, 0.99}}, cell);
  CHECK(alone.mark == Mark::cannot_tell);
  CHECK(numbers_text(alone) == "0.99, 1 repeat");  // what is missing
  CHECK_THAT(alone.sentence, check::contains("one repeat has no error"));
  CHECK(numbers_text(answer({{0.5, 0.1}, {0.51, 0.1}, {0.49, 0.1}}, cell)) == "untaught");
  CHECK(numbers_text(answer({{1, NAN}, {1, NAN}}, cell)) == "refused");
  Cell near = cell;
  near.axes.set("size", list({1, 3}));
  CHECK(answer({{1, NAN}, {1, NAN}}, near).mark == Mark::none);
}

TEST_CASE("length-generalisation: a control is never untaught, and what cannot be guessed is judged by its loss") {
  const Cell cell = small("none", {{"size", list({1, 3, 4})}, {"steps", whole(500)}, {"warm_up", whole(100)}});
  struct Facts {
    double is_control = 0, best_accuracy = NAN, chance_loss = NAN;
    std::vector<double> held_out_loss = {1, 1, 1};
  };
  const auto answer = [&](const Facts& facts, const Cell& of) {
    std::vector<Record> records;
    for (const double within : {0.5, 0.51, 0.49}) {
      Record record;
      record.scalar("accuracy_within", within);
      record.scalar("accuracy_beyond", 0.1);
      record.scalar("is_control", facts.is_control);
      record.scalar("best_accuracy", facts.best_accuracy);
      record.scalar("chance_loss", facts.chance_loss);
      record.coordinate("held_out_step", {100, 400, 500});
      record.curve("held_out_loss", {"held_out_step"}, facts.held_out_loss);
      records.push_back(record);
    }
    return cells::answer_to(of, records);
  };
  const auto is_untaught = [&](const Facts& facts) { return numbers_text(answer(facts, cell)) == "untaught"; };
  CHECK(is_untaught({}));
  CHECK(is_untaught({.best_accuracy = 1}));
  CHECK_FALSE(is_untaught({.is_control = 1}));
  CHECK_FALSE(is_untaught({.best_accuracy = 0.6, .chance_loss = 1.1}));
  CHECK(is_untaught({.best_accuracy = 0.6, .chance_loss = 0.9}));
  CHECK_FALSE(is_untaught({.best_accuracy = 0.6}));  // no bound is known

  const auto sentence = [&](const Facts& facts, const Cell& of) { return answer(facts, of).sentence; };
  const Facts falling{.is_control = 1, .held_out_loss = {2, 1, 0.9}};
  CHECK_THAT(sentence(falling, cell), check::contains("fell by 10 % in the last fifth"));
  CHECK(sentence({.is_control = 1}, cell).find("still") == std::string::npos);
  Cell short_run = cell;
  short_run.axes.set("steps", whole(100));
  CHECK_THAT(sentence({.is_control = 1}, short_run), check::contains("still rising: warm_up is 100 of 100 steps"));
}
