// SPDX-License-Identifier: Apache-2.0
// The schedule, batches of unequal sequences, and trainings that are interrupted or diverge.
#include "poslab/training/trainer.hpp"

#include <cmath>

#include "catch.hpp"
#include "poslab/training/task_batch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

network::Configuration small() {
  network::Configuration c;
  c.vocabulary = 5;
  c.model_width = 8;
  c.heads = 2;
  c.layers = 1;
  c.feed_forward = 8;
  c.train_length = 4;
  return c;
}

training::Trainer<float> trainer(const network::Layout& layout, const training::Schedule& schedule) {
  auto parameters = network::draw_parameters<float>(layout, nullptr, data::Draws(1, "trainer", "", 0));
  return {small(), nullptr, std::move(parameters), {}, schedule, {2, 4, true}};
}

training::TaskBatch batch() {
  training::TaskBatch batch;
  batch.add({{1, 2, 3, 4}, {2, 3, 4, 0}, {1, 1, 1, 0}});
  batch.add({{4, 3}, {3, 2}, {1, 1}});
  return batch;
}

}  // namespace

TEST_CASE("a schedule rises in a line and falls along half a cosine") {
  const training::Schedule schedule{100, 10, 2.0, 0.1};
  CHECK(std::abs(schedule.rate(0) - 2.0 / 11) < 1e-15);
  CHECK(std::abs(schedule.rate(9) - 20.0 / 11) < 1e-15);
  CHECK(std::abs(schedule.rate(10) - 2) < 1e-15);
  CHECK(std::abs(schedule.rate(55) - 1.1) < 1e-12);  // half way: the mean of both ends
  CHECK(std::abs(schedule.rate(100) - 0.2) < 1e-12);
  CHECK(training::Schedule{100, 0, 2.0, 1.0}.rate(73) == 2.0);
}

TEST_CASE("shorter sequences of a batch are filled up with what does not count") {
  training::TaskBatch sequences = batch();
  const network::Batch view = sequences.view();
  CHECK(view.tokens.shape[0] == 2);
  CHECK(view.tokens.shape[1] == 4);
  CHECK(view.tokens(1, 1) == 3);
  CHECK(view.targets(1, 1) == 2);
  CHECK(view.loss_mask(1, 1) == 1);
  CHECK(view.tokens(1, 2) == 0);
  CHECK(view.loss_mask(1, 2) == 0);
  CHECK(sequences.length(0) == 4);
  CHECK(sequences.length(1) == 2);
  sequences.clear();
  CHECK(sequences.sequences() == 0);
}

TEST_CASE("what a sequence is filled up with changes nothing before it") {
  const network::Layout layout(small(), nullptr);
  const auto parameters = network::draw_parameters<float>(layout, nullptr, data::Draws(1, "trainer", "", 0));
  network::Network<float> net(small(), nullptr, layout, {2, 4, false});
  training::TaskBatch both = batch(), alone;
  alone.add({{4, 3}, {3, 2}, {1, 1}});
  const auto of_both = net.evaluate(parameters, both.view());
  const double first = of_both[4].loss, second = of_both[5].loss;
  const auto of_one = net.evaluate(parameters, alone.view());
  CHECK(std::abs(of_one[0].loss - first) < 1e-6);
  CHECK(std::abs(of_one[1].loss - second) < 1e-6);
}

TEST_CASE("sequences of a batch may stand at positions of their own, on a grid, or packed in twos") {
  training::TaskBatch sequences = batch();
  CHECK(sequences.view().positions.data == nullptr);
  sequences.place([](auto sequence, auto length) {
    std::vector<double> positions;
    for (int t = 0; t < length; ++t) positions.push_back(10.0 * static_cast<double>(sequence) + t + 0.5);
    return positions;
  });
  const network::Batch placed = sequences.view();
  REQUIRE((placed.has_own_positions() && placed.positions.size() == 8));
  CHECK(placed.positions(0, 3, 0) == 3.5);
  CHECK(placed.positions(1, 1, 0) == 11.5);
  CHECK(placed.positions(1, 3, 0) == 11.5);  // where its last token stands
  CHECK(placed.sequence(1).positions(1, 0) == 11.5);
  CHECK(placed.rows(1, 1).positions(0, 1, 0) == 11.5);

  sequences = batch();
  sequences.add({{2}, {1}, {1}});
  sequences.pack();
  const network::Batch packed = sequences.view();
  REQUIRE((packed.tokens.shape[0] == 2 && packed.tokens.shape[1] == 6));
  CHECK((packed.tokens(0, 4) == 4 && packed.targets(0, 5) == 2 && packed.loss_mask(0, 5) == 1));
  CHECK((packed.positions(0, 3, 0) == 3 && packed.positions(0, 4, 0) == 0 && packed.positions(0, 5, 0) == 1));
  CHECK((packed.tokens(1, 0) == 2 && packed.loss_mask(1, 1) == 0));

  sequences.clear();
  sequences.add({{1, 2, 3, 4, 0, 1}, {0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}, {}, {2, 3}});
  sequences.place_on_grid();
  const network::Batch image = sequences.view();
  REQUIRE((image.positions.rank == 2 && image.positions.shape[0] == 6 && image.positions.shape[1] == 2));
  CHECK((image.positions(4, 0) == 1 && image.positions(4, 1) == 1));
  CHECK((image.positions(2, 0) == 0 && image.positions(2, 1) == 2));
  CHECK_THROWS_WITH(sequences.add({{1}, {1}, {1}}), check::contains("different grids"));
  training::TaskBatch line = batch();
  CHECK_THROWS_WITH(line.place_on_grid(), check::contains("no grid"));
}

TEST_CASE("sequences that go through the network one by one give the update of all at once") {
  const network::Layout layout(small(), nullptr);
  training::Trainer<float> at_once = trainer(layout, {9, 0, 1e-2, 1}), one_by_one = trainer(layout, {9, 0, 1e-2, 1});
  training::TaskBatch together = batch(), apart = batch();
  apart.place([](auto, auto length) { return std::vector<double>(static_cast<std::size_t>(length), 0.0); });
  for (int i = 0; i < 9; ++i) {
    const training::StepReport all = at_once.step(together.view()), each = one_by_one.step(apart.view());
    CHECK(std::abs(all.loss - each.loss) < 1e-5);
    CHECK(std::abs(all.gradient_norm - each.gradient_norm) < 1e-5);
  }
}

TEST_CASE("a training that goes on from its state has the bits of one that was not interrupted") {
  const network::Layout layout(small(), nullptr);
  const training::Schedule schedule{20, 3, 1e-2, 0.1};
  training::TaskBatch sequences = batch();
  training::Trainer<float> whole = trainer(layout, schedule), begun = trainer(layout, schedule),
                           resumed = trainer(layout, schedule);
  for (int i = 0; i < 20; ++i) whole.step(sequences.view());
  for (int i = 0; i < 7; ++i) begun.step(sequences.view());
  resumed.resume(begun.state());
  CHECK(resumed.steps() == 7);
  for (int i = 7; i < 20; ++i) resumed.step(sequences.view());
  CHECK(resumed.state() == whole.state());
  CHECK(check::thrown([&] { static_cast<void>(resumed.resume(whole.state().substr(1))); }).kind ==
        check::Kind::damaged);
}

TEST_CASE("a training that diverges says at which step and rate") {
  const network::Layout layout(small(), nullptr);
  training::Trainer<float> diverging = trainer(layout, {20, 0, 1e30, 1});
  training::TaskBatch sequences = batch();
  {
    const poslab::base::Error error = check::thrown([&] {
      for (int i = 0; i < 20; ++i) diverging.step(sequences.view());
    });
    CHECK(error.kind == check::Kind::numeric);
    CHECK_THAT(error.what(), check::contains("diverged at step "));
    CHECK_THAT(error.what(), check::contains("learning rate of 1e+30"));
  }
}
