// SPDX-License-Identifier: Apache-2.0
// Which forecasts are asked of a worker, and what becomes of cells that end it.
#include "plugin_probe.hpp"

#include "catch.hpp"
#include "poslab/data/pack.hpp"
#include "protocol.hpp"

using namespace poslab;
using workers::ForecastQueue;
namespace message = workers::message;

namespace {

struct Cells {
  std::vector<data::Cell> cells;
  std::vector<const data::Cell*> pointers;

  explicit Cells(std::size_t count) : cells(count) {
    for (const data::Cell& cell : cells) pointers.push_back(&cell);
  }
};

std::size_t send_all(ForecastQueue& queue) {
  std::size_t sent = 0;
  while (queue.next_question()) ++sent;
  return sent;
}

std::string answer(std::size_t index) {
  return message::numbered(index, message::pack_forecast({"answer " + std::to_string(index), false, {}}));
}

}  // namespace

TEST_CASE("answers are taken in the order of the questions, and no others") {
  const Cells cells(3);
  ForecastQueue queue(cells.pointers);
  CHECK(!queue.take_answer(answer(0)));  // nothing was asked
  CHECK(send_all(queue) == 3);
  CHECK(!queue.take_answer(answer(1)));
  CHECK(!queue.take_answer(answer(17)));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(queue.skip_hopeless());
    CHECK(queue.take_answer(answer(i)));
  }
  CHECK(!queue.skip_hopeless());
  CHECK(!queue.take_answer(answer(3)));
  CHECK(queue.take_forecasts().at(2).skip == base::Refusal("answer 2"));
}

TEST_CASE("malformed answers are an error and no answer") {
  const Cells cells(1);
  ForecastQueue queue(cells.pointers);
  send_all(queue);
  CHECK_THROWS_AS(queue.take_answer("1234"), data::NotPacked);
  CHECK_THROWS_AS(queue.take_answer(answer(0).substr(0, 12)), data::NotPacked);
  CHECK(queue.skip_hopeless());
  CHECK(queue.take_answer(answer(0)));
  CHECK(!queue.skip_hopeless());
}

TEST_CASE("only so many questions are sent ahead") {
  const Cells cells(600);
  ForecastQueue queue(cells.pointers);
  CHECK(send_all(queue) == ForecastQueue::max_ahead);
  CHECK(queue.take_answer(answer(0)));
  CHECK(send_all(queue) == 1);
}

TEST_CASE("what a cell needs that ends the worker is unknown, and after three the others are not asked about") {
  const Cells cells(7);
  ForecastQueue queue(cells.pointers);
  REQUIRE(send_all(queue) == 7);
  CHECK(queue.take_answer(answer(0)));
  for (int failure = 0; failure < ForecastQueue::max_failures; ++failure) {
    REQUIRE(queue.skip_hopeless());
    queue.give_up_first();
    queue.ask_again();
    CHECK((send_all(queue) > 0) == (failure + 1 < ForecastQueue::max_failures));
  }
  CHECK(!queue.skip_hopeless());
  const auto forecasts = queue.take_forecasts();
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    CHECK(base::reason_of(forecasts[i].skip) == (i == 0 ? "answer 0" : ""));
    CHECK(forecasts[i].estimate.why_unknown.has_value() == (i != 0));
  }
}
