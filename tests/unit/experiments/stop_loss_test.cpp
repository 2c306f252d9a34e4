// SPDX-License-Identifier: Apache-2.0
// A training that stops at a held-out loss against one that goes on: the same until then, and nothing after.
#include <algorithm>
#include <cmath>

#include "answers.hpp"
#include "catch.hpp"
#include "same_bits.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;

constexpr std::int64_t steps = 30;
constexpr double out_of_reach = 1e-9;

Cell stopping(double stop_loss, const Values& axes = {}) {
  Values all{{"layers", whole(1)},          {"train_length", whole(6)},     {"batch", whole(4)},
             {"warm_up", whole(1)},         {"steps", whole(steps)},        {"held_out", whole(8)},
             {"learning_rate", real(0.01)}, {"stop_loss", real(stop_loss)}, {"multiple", list({1, 2})},
             {"task", word("markov")}};
  for (const auto& [name, value] : axes) all.set(name, value);
  return {"language-model", "rope", all, {}, {16, 2, 6}};
}

double scalar(const Record& record, const std::string& name) { return record.measurement(name)->values.at(0); }

}  // namespace

TEST_CASE("stop loss: training is what it is without it, up to the first held-out loss that is low enough") {
  const Record whole_way = train(stopping(out_of_reach));
  const std::vector<double> losses = curve(whole_way, "held_out_loss");
  REQUIRE(losses.size() == steps);
  CHECK(scalar(whole_way, "steps_made") == steps);
  CHECK(whole_way.training().steps == steps);
  for (const std::size_t last : std::vector<std::size_t>{0, 7, 19}) {
    const double wanted = *std::min_element(losses.begin(), losses.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    const auto first = static_cast<std::size_t>(std::find(losses.begin(), losses.end(), wanted) - losses.begin());
    CAPTURE(last, first);
    const Record record = train(stopping(wanted, {{"keep_weights", true}}));
    CHECK(scalar(record, "steps_made") == static_cast<double>(first + 1));
    CHECK(record.training().steps == static_cast<std::int64_t>(first + 1));
    for (const char* name : {"held_out_loss", "training_loss", "rate"}) {
      const std::vector<double>& all = curve(whole_way, name);
      CHECK(curve(record, name) ==
            std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first) + 1));
    }
    INFO("what is measured is the network of that step: at the trained length the loss is the held-out one");
    CHECK(std::abs(curve(record, "loss")[0] - wanted) < 1e-6);
  }
}

// One token is always followed by the same one, and at float32 the loss of that is soon 0.
TEST_CASE("stop loss: 0 is none, and a loss of 0 ends no training") {
  const Record record = train({"length-generalisation",
                               "none",
                               {{"task", word("even-pairs")},
                                {"mask", word("causal")},
                                {"layers", whole(1)},
                                {"smallest", whole(1)},
                                {"largest", whole(1)},
                                {"size", list({1})},
                                {"batch", whole(4)},
                                {"held_out", whole(4)},
                                {"warm_up", whole(1)},
                                {"steps", whole(400)},
                                {"learning_rate", real(0.1)},
                                {"last_rate", real(1)}},
                               {},
                               {16, 2, 6}});
  REQUIRE(curve(record, "held_out_loss").back() == 0);
  CHECK(scalar(record, "steps_made") == 400);
}

TEST_CASE("stop loss: interrupted anywhere, and after its last step, it ends with the same bits") {
  const std::vector<double> losses = curve(train(stopping(out_of_reach)), "held_out_loss");
  const Cell cell = stopping(*std::min_element(losses.begin(), losses.end()));
  const Record undisturbed = train(cell);
  const auto made = static_cast<std::uint64_t>(scalar(undisturbed, "steps_made"));
  REQUIRE(made > 3);
  for (std::uint64_t stop = 1; stop <= made + 1; ++stop) {  // made + 1: in the evaluation
    CAPTURE(stop);
    Interrupted stopped("", 1, stop == made + 1 ? steps + 2 : stop);
    CHECK_THROWS_AS(train(cell, {stopped}), Interruption);
    Interrupted rest(stopped.kept, 1, 0);
    CHECK(bytes_of(train(cell, {rest})) == bytes_of(undisturbed));
  }
}

TEST_CASE("stop loss: a network that is given and good enough makes no step") {
  const Cell first = stopping(0, {{"keep_weights", true}});
  const Record trained = train(first);
  const poslab::data::GivenNetwork network = network_of(trained, cells::all_axes(first));
  const Record record = train(stopping(100), {.network = &network});
  CHECK(scalar(record, "steps_made") == 0);
  CHECK(curve(record, "held_out_loss").size() == 1);
  CHECK(std::isnan(curve(record, "training_loss")[0]));
  CHECK(curve(record, "loss") == curve(trained, "loss"));
}

TEST_CASE("stop loss: a search for the learning rate goes its whole way, as rates are compared by where they end") {
  const Values search{{"rate_factors", list({0.1, 1, 5})}};
  const Record stopped = train(stopping(100, search)), whole_way = train(stopping(0, search));
  CHECK(scalar(stopped, "steps_made") == 1);
  CHECK(curve(stopped, "tried_loss") == curve(whole_way, "tried_loss"));
  CHECK(scalar(stopped, "chosen_rate") == scalar(whole_way, "chosen_rate"));
}

TEST_CASE("stop loss: the answer says where training stopped, or in how many repeats it did not") {
  const auto sentence_of = [](const std::vector<double>& last_losses) {
    std::vector<Record> records;
    for (const double loss : last_losses) {
      Record record;
      record.coordinate("multiple", {1, 2});
      record.curve("loss", {"multiple"}, {loss, loss + 1});
      record.coordinate("held_out_step", {1, 2});
      record.curve("held_out_loss", {"held_out_step"}, {4, loss});
      record.scalar("steps_made", 2);
      records.push_back(record);
    }
    return cells::answer_to(stopping(2.5, {{"multiple", list({1, 2})}}), records).sentence;
  };
  CHECK_THAT(sentence_of({2.4, 2.5, 2.45}), check::contains("for up to 30 steps"));
  CHECK_THAT(sentence_of({2.4, 2.5, 2.45}),
             check::contains("; stopped at a held-out loss of 2.5, after 2 of 30 steps"));
  CHECK_THAT(sentence_of({2.4, 2.6, 2.45}),
             check::contains("; the held-out loss came down to stop_loss = 2.5 in 2 of 3"));
}
