// SPDX-License-Identifier: Apache-2.0
// What a training is estimated to need: operations as counted by hand, and memory that no network of the cell exceeds.
#include <tuple>

#include "catch.hpp"
#include "poslab/network/network.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;
using poslab::base::Index;
namespace network = poslab::network;

Cell counted(const Values& axes = {}) {
  Values all{{"task", word("markov")}, {"layers", whole(2)},       {"train_length", whole(6)},
             {"batch", whole(3)},      {"multiple", list({1, 4})}, {"steps", whole(40)},
             {"held_out", whole(5)},   {"feed_forward", whole(4)}, {"keep_weights", false}};
  for (const auto& [name, value] : axes) all.set(name, value);
  return {"language-model", "none", all, {}, {16, 2, 6}};
}

poslab::data::Estimate estimate_of(const Cell& cell) {
  const Values axes = cells::all_axes(cell);
  const poslab::host::Scheme scheme(cells::plugin(cell.scheme), cell.parameters, model_of(cell, axes));
  return experiments::find_experiment(cell.experiment).at(axes)->estimate({scheme, cell.placement});
}

}  // namespace

TEST_CASE("language-model: the operations of a training are those counted by hand") {
  // A layer has 4 16^2 + 2 16 64 entries, the head 8 16: 6272. A token of 6 takes 2 6272 + 4 2 16 6 operations in
  // products, and passes 2 (4 16 + 64 + 2 6) + 8 numbers; one of 24 the same with 24 for 6.
  const double near = (12544 + 768) / 20.0 + 6 * 288.0, far = (12544 + 3072) / 20.0 + 6 * 360.0;
  // 40 steps of 18 tokens, forward and backward; 20 times 30 that are held out; 30 and 120 afterwards, and 30 twice
  // more for the shift and without.
  CHECK_THAT(estimate_of(counted()).operations, check::WithinRel((3 * 720 + 600 + 30 + 60) * near + 120 * far, 1e-12));
  const double slower = (12544 + 768) / 10.0 + 6 * 288.0;
  const Cell in_double = counted({{"dtype", word("float64")}, {"multiple", list({1})}});
  CHECK_THAT(estimate_of(in_double).operations, check::WithinRel((3 * 720 + 600 + 30 + 60) * slower, 1e-12));
}

TEST_CASE("language-model: the memory of a training holds each of its networks") {
  // A batch of one, many layers: what looks into eight sequences at once is larger than what trains. Then the reverse.
  for (const auto& [batch, held_out, T] : {std::tuple<Index, Index, Index>{1, 8, 512}, {64, 500, 32}, {2, 1, 32}}) {
    CAPTURE(batch, held_out, T);
    const Cell cell = counted(
        {{"layers", whole(12)}, {"train_length", whole(T)}, {"batch", whole(batch)}, {"held_out", whole(held_out)}});
    network::Configuration c;
    c.vocabulary = 8;
    c.model_width = 16;
    c.heads = 2;
    c.layers = 12;
    c.feed_forward = 64;
    const double numbers = 4 * static_cast<double>(network::Layout(c, nullptr).size()), bytes = estimate_of(cell).bytes;
    const auto of = [&](Index sequences, Index length, bool gradient) {
      return network::Network<float>::bytes(c, nullptr, {sequences, length, gradient});
    };
    const Index at_once = 4096 / T;
    CHECK(bytes >= 4 * numbers + of(batch, T, true) + of(std::min(held_out, at_once), T, false));
    CHECK(bytes >= 2 * numbers + of(std::min<Index>(held_out, 8), T, true));
    CHECK(bytes >= numbers + of(at_once / 4, 4 * T, false));
    CHECK(bytes >= numbers + of(at_once, T, false));
    CHECK(bytes <= 20 * numbers + of(std::max<Index>(batch, 8), T, true) + of(at_once, T, false) + 1e6);
  }
}
