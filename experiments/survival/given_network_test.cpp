// SPDX-License-Identifier: Apache-2.0
// The residual stream of a trained network, against the same network written down a number at a time.
#include "catch.hpp"
#include "naive_network.hpp"
#include "probe.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;
using poslab::data::Record;
using poslab::experiments::survival::probe_places;

constexpr std::size_t width = 16, length = 6, symbols = 5, fitted = 30, all = 40;

}  // namespace

TEST_CASE("survival: the stream of a network that is given is that of the network") {
  const Cell training{"language-model",
                      "sinusoidal",
                      {{"task", word("markov")},
                       {"layers", whole(2)},
                       {"train_length", whole(length)},
                       {"batch", whole(8)},
                       {"steps", whole(40)},
                       {"multiple", list({1})},
                       {"learning_rate", real(0.03)},
                       {"dtype", word("float64")},
                       {"keep_weights", true}},
                      {},
                      {width, 2, length}};
  const Record trained = train(training);
  const poslab::data::GivenNetwork network = network_of(trained, cells::all_axes(training));
  const Cell cell{"survival",
                  "sinusoidal",
                  {{"length", whole(length)},
                   {"symbols", whole(symbols)},
                   {"sequences", whole(fitted)},
                   {"held_out", whole(all - fitted)},
                   {"depth", list({0, 1, 2})}},
                  {},
                  {width, 2, length}};
  REQUIRE_FALSE(why_not_network(cell, network));
  const Record record = train(cell, {.network = &network});
  naive::Network naive(trained, 2, true);
  naive.embedding_scale = 4;  // sqrt(16)
  naive.code = [](auto p, auto d) { return naive::sinusoid(p, d, width); };
  const poslab::base::Stream tokens = draws_of(cell).contents("tokens", {all, length});
  std::vector<std::vector<naive::Vector>> streams(all);
  for (std::size_t b = 0; b < all; ++b)
    for (std::size_t t = 0; t < length; ++t)
      streams[b].push_back(naive.embedded(static_cast<std::int32_t>(tokens.below(b * length + t, symbols)), t));
  for (std::size_t depth = 0; depth < 3; ++depth) {
    if (depth > 0)
      for (auto& stream : streams) naive.layer(depth - 1, stream);
    poslab::base::Array<double> rows{all, length, width};
    for (std::size_t i = 0; i < all * length * width; ++i)
      rows.data()[i] = streams[i / (length * width)][i / width % length][i % width];
    CHECK_THAT(curve(record, "r2").at(depth), check::WithinAbs(probe_places(rows, fitted, 1.0, 1e-9).r2, 1e-8));
  }
}
