// SPDX-License-Identifier: Apache-2.0
// Which forecasts are asked of a worker, and what becomes of cells that end it.
#include "forecast_queue.hpp"

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
  std::function<std::string(const data::Cell&)> hash_of = [](const data::Cell& cell) { return cell.variant.scheme; };

  // A cell for each letter, which is its scheme.
  explicit Cells(const std::string& schemes) : cells(schemes.size()) {
    for (std::size_t i = 0; i < schemes.size(); ++i) {
      cells[i].variant.scheme = schemes[i];
      pointers.push_back(&cells[i]);
    }
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
  const Cells cells("aaa");
  ForecastQueue queue(cells.pointers, cells.hash_of);
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
  CHECK(queue.take_forecasts().at(2).skip == "answer 2");
}

TEST_CASE("malformed answers are an error and no answer") {
  const Cells cells("a");
  ForecastQueue queue(cells.pointers, cells.hash_of);
  send_all(queue);
  CHECK_THROWS_AS(queue.take_answer("1234"), data::NotPacked);
  CHECK_THROWS_AS(queue.take_answer(answer(0).substr(0, 12)), data::NotPacked);
  CHECK(queue.skip_hopeless());
  CHECK(queue.take_answer(answer(0)));
  CHECK(!queue.skip_hopeless());
}

TEST_CASE("only so many questions are sent ahead") {
  const Cells cells(std::string(600, 'a'));
  ForecastQueue queue(cells.pointers, cells.hash_of);
  CHECK(send_all(queue) == ForecastQueue::most_ahead);
  CHECK(queue.take_answer(answer(0)));
  CHECK(send_all(queue) == 1);
}

TEST_CASE(
    "a cell that ends the worker gets an empty forecast, and after three the plugin's others are not asked about") {
  const Cells cells("bbbabbb");
  ForecastQueue queue(cells.pointers, cells.hash_of);
  for (int failure = 0; failure < 3; ++failure) {
    REQUIRE(queue.skip_hopeless());
    CHECK(send_all(queue) > 0);
    queue.give_up_first();
    queue.ask_again();
  }
  REQUIRE(queue.skip_hopeless());
  CHECK(send_all(queue) == 1);  // of the other plugin
  CHECK(queue.take_answer(answer(3)));
  CHECK(!queue.skip_hopeless());
  const auto forecasts = queue.take_forecasts();
  for (std::size_t i = 0; i < forecasts.size(); ++i) CHECK(forecasts[i].skip == (i == 3 ? "answer 3" : ""));
}
