// SPDX-License-Identifier: Apache-2.0
// The bodies of messages come out as they went in; bodies that are cut or changed are an error, and nothing worse.
#include "protocol.hpp"

#include <cstdint>
#include <limits>

#include "catch.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"

using namespace poslab;
namespace message = workers::message;

namespace {

data::PackedOutcome sample() {
  data::Outcome outcome;
  outcome.message = "untrained weights";
  outcome.seconds = 0.25;
  outcome.record.scalar("min_distance", 1.5);
  outcome.record.coordinate("position", {0, 1, 2});
  outcome.record.curve("nearest_distance", {"position"}, {0.5, 0.25, 0.125});
  return data::PackedOutcome(std::move(outcome));
}

// As the host reads the body of a finished cell.
data::PackedOutcome received(std::string_view body) {
  message::take_number(body);
  return data::PackedOutcome(std::string(body));
}

}  // namespace

TEST_CASE("a number and what follows it") {
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    const std::string body = message::numbered(number, "the rest");
    std::string_view rest = body;
    CHECK(message::take_number(rest) == number);
    CHECK(rest == "the rest");
  }
  for (const std::string body : {"", "1234567"}) {
    std::string_view rest = body;
    CHECK_THROWS_AS(message::take_number(rest), data::NotPacked);
  }
}

TEST_CASE("a forecast") {
  data::Forecast sent;
  sent.skip = "too long for its table", sent.draws_weights = sent.shares_work = true;
  sent.estimate.bytes = 1e9, sent.estimate.operations = 2.5e12, sent.estimate.shared_operations = 1.5e12;
  sent.estimate.why_unknown = "no idea", sent.misfit = "has another shape";
  const std::string body = message::pack_forecast(sent);
  const data::Forecast got = message::unpack_forecast(body);
  CHECK(got.skip == sent.skip);
  CHECK(got.draws_weights);
  CHECK(got.shares_work);
  CHECK(got.estimate.shared_operations == 1.5e12);
  CHECK(got.estimate.bytes == 1e9);
  CHECK(got.estimate.operations == 2.5e12);
  CHECK(got.estimate.why_unknown == sent.estimate.why_unknown);
  CHECK(got.misfit == sent.misfit);
  CHECK(!message::unpack_forecast(message::pack_forecast({})).draws_weights);
  const std::size_t numbers = body.size() - sent.estimate.why_unknown.value().reason.size();
  for (std::size_t size = 0; size < numbers; ++size)
    CHECK_THROWS_AS(message::unpack_forecast(body.substr(0, size)), data::NotPacked);
}

TEST_CASE("a task with what it goes on from") {
  data::Cell cell;
  cell.id = "0123";
  cell.variant.scheme = "rope";
  const std::string kept("seven\0bytes", 11);
  for (const auto& checkpoint : {std::make_shared<const data::Checkpoint>(data::Checkpoint{{}, kept}), {}}) {
    const std::string body = message::pack_task(7, cell, checkpoint);
    const message::UnpackedTask got = message::unpack_task(body);
    CHECK(got.number == 7);
    CHECK(got.cell.id == "0123");
    CHECK(got.checkpoint == (checkpoint ? kept : ""));
    const std::size_t whole = body.size() - got.checkpoint.size();
    for (std::size_t size = 0; size < whole; ++size)
      CHECK_THROWS_AS(message::unpack_task(body.substr(0, size)), data::NotPacked);
  }
}

TEST_CASE("how far a cell is, and what it keeps") {
  const data::Progress progress{800, 2000, 51200, "step 800 of 2000, loss 1.83"};
  std::string body = message::pack_checkpoint(7, {progress, std::string(3, '\0')});
  std::string_view rest = body;
  CHECK(message::take_number(rest) == 7);
  const data::Checkpoint got = message::unpack_checkpoint(rest);
  CHECK(got.bytes == std::string(3, '\0'));
  CHECK(got.progress.done == 800);
  CHECK(got.progress.total == 2000);
  CHECK(got.progress.tokens == 51200);
  CHECK(got.progress.sentence == progress.sentence);
  for (std::size_t size = 0; size < rest.size() - 3; ++size)
    CHECK_THROWS_AS(message::unpack_checkpoint(rest.substr(0, size)), data::NotPacked);
  body = message::pack_progress(7, {1, 2, 3, std::string(1000, 'x')});
  rest = body;
  message::take_number(rest);
  CHECK(message::unpack_progress(rest).sentence == std::string(data::max_progress_sentence, 'x'));
  CHECK_THROWS_AS(message::unpack_progress(body), data::NotPacked);  // a sentence longer than any is
}

TEST_CASE("a finished cell keeps the bytes that the worker packed") {
  const data::PackedOutcome sent = sample();
  const data::PackedOutcome got = received(message::numbered(7, sent.bytes()));
  CHECK(got.bytes() == sent.bytes());
  CHECK(got.bytes() == data::pack(got.outcome()));
  CHECK(got.outcome().message == "untrained weights");
  CHECK(got.outcome().seconds == 0.25);
  CHECK(got.outcome().record.measurement("nearest_distance")->values == std::vector{0.5, 0.25, 0.125});
}

TEST_CASE("a finished cell that is cut, changed or too long is an error") {
  const std::string body = message::numbered(7, sample().bytes());
  for (std::size_t size = 0; size < body.size(); ++size)
    CHECK_THROWS_AS(received(body.substr(0, size)), data::NotPacked);
  CHECK_THROWS_AS(received(body + "x"), data::NotPacked);
  for (std::size_t i = sizeof(std::uint64_t); i < body.size(); ++i) {
    std::string changed = body;
    changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
    CHECK_THROWS_AS(received(changed), data::NotPacked);
  }
}
