// SPDX-License-Identifier: Apache-2.0
// The search for a learning rate against trainings one by one; what repeats share, and interruptions, change no bit.
#include "poslab/experiment/rate_search.hpp"

#include <cmath>
#include <limits>

#include "answers.hpp"
#include "catch.hpp"
#include "same_bits.hpp"
#include "thrown.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;
using experiments::RateSearch;

constexpr double infinite = std::numeric_limits<double>::infinity();

RateSearch search_of(const std::vector<std::pair<double, double>>& tried) {
  RateSearch search;
  for (const auto& [rate, loss] : tried) search.add(rate, loss);
  return search;
}

constexpr std::int64_t steps = 7;

Cell cell_of(const Values& axes) {
  Values all{{"layers", whole(1)},
             {"smallest", whole(4)},
             {"largest", whole(4)},
             {"batch", whole(4)},
             {"warm_up", whole(1)},
             {"size", list({4, 6})},
             {"task", word("previous-token")},
             {"steps", whole(steps)},
             {"held_out", whole(8)},
             {"learning_rate", real(0.01)}};
  for (const auto& [name, value] : axes) all.set(name, value);
  return {"length-generalisation", "rope", all, {}, {16, 2, 8}};
}

Cell searching(const std::vector<double>& factors, std::int64_t seeds = 1) {
  return cell_of({{"rate_factors", list(factors)}, {"search_seeds", whole(seeds)}});
}

Record train_repeat(Cell cell, int repeat, const Given& given = {}) {
  cell.repeat = repeat;
  return train(cell, given);
}

// A training at one rate on the draws of a search, as a cell of its own.
double loss_at(double rate, int seed) {
  return curve(train_repeat(cell_of({{"learning_rate", real(rate)}}), -1 - seed), "held_out_loss").back();
}

double scalar(const Record& record, const std::string& name) { return record.measurement(name)->values.at(0); }

// Goes on from a checkpoint, and keeps one at every progress until it is stopped at one.
class Counted : public experiments::Attempt {
 public:
  Counted(std::string from, std::size_t stop) : from_(std::move(from)), stop_(stop) {}
  const std::string& checkpoint() const override { return from_; }
  bool progress(const experiments::Progress& progress) override {
    said.push_back(progress);
    if (said.size() == stop_) throw Interruption();
    return true;
  }
  void keep(std::string checkpoint) override { kept = std::move(checkpoint); }
  std::vector<experiments::Progress> said;
  std::string kept;

 private:
  std::string from_;
  std::size_t stop_;
};

}  // namespace

TEST_CASE("rate search: the lowest loss is chosen, and of equal ones the lower rate") {
  CHECK(search_of({{3, 0.5}, {1, 0.7}, {2, 0.6}}).rates == std::vector<double>{1, 2, 3});
  CHECK(search_of({{3, 0.5}, {1, 0.7}, {2, 0.6}}).losses == std::vector<double>{0.7, 0.6, 0.5});
  CHECK(search_of({{1, 0.7}, {2, 0.5}, {4, 0.6}}).chosen() == 2);
  CHECK(search_of({{1, 0.5}, {2, 0.5}, {4, 0.6}}).chosen() == 1);
  CHECK(search_of({{1, 0.7}, {2, infinite}, {4, infinite}}).chosen() == 1);
  CHECK_FALSE(search_of({{1, 0.7}, {2, infinite}}).has_diverged_everywhere());
  CHECK(search_of({{1, infinite}, {2, infinite}}).has_diverged_everywhere());
}

TEST_CASE("rate search: a best rate at the edge has one beyond it, by the ratio there") {
  CHECK(search_of({{1, 0.5}, {4, 0.6}, {8, 0.7}}).rate_beyond() == 0.25);
  CHECK(search_of({{1, 0.7}, {4, 0.6}, {8, 0.5}}).rate_beyond() == 16);
  CHECK(std::isnan(search_of({{1, 0.7}, {4, 0.5}, {8, 0.6}}).rate_beyond()));
  CHECK(search_of({{4, infinite}, {8, infinite}}).rate_beyond() == 2);
  CHECK(std::isnan(search_of({{1, 0.5}}).rate_beyond()));
}

TEST_CASE("rate search: losses are those of trainings one by one, on draws that no repeat has") {
  const Record record = train_repeat(searching({0.1, 1, 5}, 2), 0);
  const std::vector<double>& rates = record.coordinate_of("tried_rate")->values;
  const std::vector<double>& losses = curve(record, "tried_loss");
  REQUIRE(rates.size() >= 3);
  REQUIRE(losses.size() == rates.size());
  for (std::size_t i = 0; i < rates.size(); ++i) {
    CAPTURE(rates[i]);
    CHECK(losses[i] == (loss_at(rates[i], 0) + loss_at(rates[i], 1)) / 2);
  }
  const double best = scalar(record, "chosen_rate");
  CHECK(best == rates[static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin())]);
  INFO("the rest is a training at that rate");
  const Record alone = train_repeat(cell_of({{"learning_rate", real(best)}}), 0);
  for (const char* name : {"training_loss", "held_out_loss", "rate", "accuracy", "gradient_share"})
    CHECK(curve(record, name) == curve(alone, name));
  CHECK(std::isnan(curve(alone, "tried_loss").at(0)));
  CHECK(scalar(alone, "chosen_rate") == best);
}

TEST_CASE("rate search: at the edge of the grid it goes one further, and never again") {
  const Record up = train_repeat(searching({0.01, 0.1}), 0);
  CHECK(up.coordinate_of("tried_rate")->values ==
        std::vector<double>{0.01 * 0.01, 0.01 * 0.1, 0.001 * (0.001 / 0.0001)});
  const Record down = train_repeat(searching({1e4, 1e5}), 0);
  CHECK(down.coordinate_of("tried_rate")->values.size() == 3);
  CHECK(down.coordinate_of("tried_rate")->values[0] == 100 * (100.0 / 1000));
}

TEST_CASE("rate search: repeats with a head start, and without, have the same bits") {
  const Cell cell = searching({0.1, 1, 5});
  const Record first = train_repeat(cell, 0);
  const auto at = experiments::find_experiment(cell.experiment).at(cells::all_axes(cell));
  CHECK(at->shares_work());
  CHECK_FALSE(experiments::find_experiment(cell.experiment).at(cells::all_axes(cell_of({})))->shares_work());
  const std::string begun = at->head_start(first);
  REQUIRE_FALSE(begun.empty());
  for (const int repeat : {0, 1, 2}) {
    CAPTURE(repeat);
    Counted attempt(begun, 0);
    CHECK(bytes_of(train_repeat(cell, repeat, {attempt})) == bytes_of(train_repeat(cell, repeat)));
    INFO("it has no steps of the search");
    CHECK(attempt.said.front().done == 1);
    CHECK(attempt.said.back().done == attempt.said.back().total);
    CHECK(attempt.said.back().total < 2 * steps);
  }
}

TEST_CASE("rate search: what one has found outlives it, and others begin with it") {
  const Cell cell = searching({0.1, 1, 5});
  const auto at = experiments::find_experiment(cell.experiment).at(cells::all_axes(cell));
  Counted undisturbed("", 0);
  const std::string found = at->head_start(train_repeat(cell, 0, {undisturbed}));
  CHECK(at->head_start_of("").empty());
  const std::size_t last = undisturbed.said.size();
  std::size_t first_with = 0;
  for (std::size_t stop = 1; stop <= last; ++stop) {
    CAPTURE(stop);
    Counted stopped("", stop);
    CHECK_THROWS_AS(train_repeat(cell, 0, {stopped}), Interruption);
    const std::string begun = at->head_start_of(stopped.kept);
    if (first_with == 0 && !begun.empty()) first_with = stop;
    CHECK(begun == (first_with > 0 ? found : ""));
  }
  INFO("from its first step on after the search");
  CHECK(undisturbed.said[first_with - 1].sentence.starts_with("step 1 of 7"));
  CHECK_THROWS_AS(at->head_start_of("no checkpoint"), poslab::data::NotPacked);
}

TEST_CASE("rate search: interrupted anywhere it ends with the same bits, and says how far it is") {
  const Cell cell = searching({0.1, 1, 5}, 2);
  Counted undisturbed("", 0);
  const std::string expected = bytes_of(train_repeat(cell, 1, {undisturbed}));
  const std::vector<experiments::Progress>& said = undisturbed.said;
  REQUIRE(said.size() > 7 * steps);
  for (std::size_t i = 1; i < said.size(); ++i) CHECK(said[i].done >= said[i - 1].done);
  for (const experiments::Progress& progress : said) CHECK(progress.total == said.front().total);
  CHECK(said.back().done == said.back().total);
  CHECK_THAT(said.front().sentence, check::contains("learning rate 0.001: step 1 of 7"));
  for (std::size_t stop = 1; stop <= said.size(); stop += 3) {
    CAPTURE(stop);
    Counted stopped("", stop);
    CHECK_THROWS_AS(train_repeat(cell, 1, {stopped}), Interruption);
    Counted rest(stopped.kept, 0);
    CHECK(bytes_of(train_repeat(cell, 1, {rest})) == expected);
    CHECK(rest.said.front().done <= said[stop - 1].done + 1);
  }
}

TEST_CASE("rate search: a rate that diverges loses, and if all do that is said") {
  const Values wild{{"clip", real(1e30)}, {"warm_up", whole(0)}};
  Cell cell = searching({1, 1e32});
  for (const auto& [name, value] : wild) cell.axes.set(name, value);
  const Record record = train(cell);
  CHECK(curve(record, "tried_loss").back() == infinite);
  CHECK(scalar(record, "chosen_rate") <= 0.01);
  cell = searching({1e32, 1e33});
  for (const auto& [name, value] : wild) cell.axes.set(name, value);
  const poslab::base::Error error = check::thrown([&] { static_cast<void>(train(cell)); });
  CHECK(error.kind == check::Kind::numeric);
  CHECK_THAT(error.what(), check::contains("diverged at every learning rate that was tried: 1e+29, 1e+30, 1e+31"));
}

TEST_CASE("rate search: factors that cannot be a grid are a sentence") {
  CHECK_THAT(why_skip(searching({})).value().reason, check::contains("rate_factors is empty"));
  CHECK_THAT(why_skip(searching({1, 1})).value().reason, check::contains("rate_factors rise, but are 1, 1"));
  CHECK_FALSE(why_skip(searching({0.5, 1})));
}

TEST_CASE("rate search: without a step there is nothing to search") {
  Cell cell = searching({0.5, 1});
  cell.axes.set("steps", whole(0));
  const Record record = train(cell);
  CHECK(record.coordinate_of("tried_rate")->values.size() == 1);
  CHECK(std::isnan(curve(record, "tried_loss")[0]));
}

TEST_CASE("rate search: the answer says which rate was chosen among which") {
  const auto sentence_of = [](const std::vector<double>& rates, const std::vector<double>& chosen_by_repeats) {
    std::vector<Record> records;
    for (const double chosen : chosen_by_repeats) {
      Record record;
      record.scalar("accuracy_within", 0.97 + chosen / 10);
      record.scalar("accuracy_beyond", 0.1);
      record.scalar("chosen_rate", chosen);
      record.coordinate("tried_rate", rates);
      records.push_back(record);
    }
    return cells::answer_to(searching({0.1, 1, 5}), records).sentence;
  };
  const auto sentence = [&](const std::vector<double>& rates, double chosen) {
    return sentence_of(rates, {chosen, chosen, chosen});
  };
  CHECK_THAT(sentence_of({0.001, 0.01, 0.05}, {0.01, 0.01, 0.05}), check::contains("each repeat chose its own"));
  CHECK_THAT(sentence({0.001, 0.01, 0.05}, 0.01),
             check::contains("learning rate 0.01, chosen among 0.001, 0.01, 0.05"));
  CHECK_THAT(sentence({0.001, 0.01, 0.05}, 0.05), check::contains("0.05, at their edge"));
  CHECK(sentence({0.001, 0.01, 0.05}, 0.01).find("edge") == std::string::npos);
}
