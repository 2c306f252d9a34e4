// SPDX-License-Identifier: Apache-2.0
// Experiments that look into a trained network, against the same network written down a number at a time.
#include <cmath>

#include "catch.hpp"
#include "naive_network.hpp"
#include "trainings.hpp"

namespace {

using namespace trainings;
using cells::Cell;
using naive::Vector;
using poslab::data::GivenNetwork;
using poslab::data::Record;

constexpr std::size_t width = 16, heads = 2, head_width = 8, length = 6, vocabulary = 8;

// Two layers that have been trained hard enough not to be random.
Cell training_of(const std::string& scheme) {
  return {"language-model",
          scheme,
          {{"task", word("markov")},
           {"layers", whole(2)},
           {"train_length", whole(length)},
           {"batch", whole(8)},
           {"steps", whole(60)},
           {"warm_up", whole(5)},
           {"multiple", list({1})},
           {"held_out", whole(3)},
           {"learning_rate", real(0.03)},
           {"dtype", word("float64")},
           {"keep_weights", true}},
          {},
          {width, heads, length}};
}

struct Trained {
  explicit Trained(const std::string& scheme)
      : record(train(training_of(scheme))),
        network(network_of(record, cells::all_axes(training_of(scheme)))),
        naive(record, heads, true),
        bare(record, heads, true) {
    if (scheme == "alibi") naive.bias = [](auto h, auto i, auto j) { return naive::alibi(heads, h, i, j); };
    if (scheme != "sinusoidal") return;
    naive.embedding_scale = bare.embedding_scale = 4;  // sqrt(16)
    naive.code = [](auto p, auto d) { return naive::sinusoid(p, d, width); };
  }
  Record record;
  GivenNetwork network;
  naive::Network naive, bare;  // bare: without positions
};

std::vector<std::int32_t> drawn_tokens(const Cell& cell, const std::string& purpose, std::size_t count) {
  const poslab::base::Stream draws = draws_of(cell).contents(purpose);
  std::vector<std::int32_t> tokens;
  for (std::size_t n = 0; n < count; ++n) tokens.push_back(static_cast<std::int32_t>(draws.below(n, vocabulary)));
  return tokens;
}

// Mean attention on token 0 of the first layers, over heads and queries.
double sink_share(naive::Network network, const std::vector<std::int32_t>& tokens, std::size_t depth) {
  double sum = 0;
  network.look = [&](auto l, auto, auto, auto j, double attention) {
    if (l < depth && j == 0) sum += attention;
  };
  network.says(tokens);
  return sum / static_cast<double>(depth * heads * tokens.size());
}

// q_i . k_j / sqrt(K) of a head in the first layer, of tokens as queries and as keys.
double product(const naive::Network& network, std::int32_t query_token, std::size_t i, std::int32_t key_token,
               std::size_t j, std::size_t h) {
  const auto normed = [&](std::int32_t token, std::size_t p) {
    return network.norm("network/layer0/norm1", network.embedded(token, p));
  };
  const Vector query = network.linear("network/layer0/query", normed(query_token, i)),
               key = network.linear("network/layer0/key", normed(key_token, j));
  double sum = 0;
  for (std::size_t k = h * head_width; k < (h + 1) * head_width; ++k) sum += query[k] * key[k];
  return sum / std::sqrt(static_cast<double>(head_width));
}

double logit(const naive::Network& network, std::int32_t query_token, std::size_t i, std::int32_t key_token,
             std::size_t j, std::size_t h) {
  return product(network, query_token, i, key_token, j, h) + network.bias(h, i, j);
}

const std::vector<std::string> schemes{"none", "alibi", "sinusoidal"};

}  // namespace

TEST_CASE("given network: first-position-bias sees its attention, with positions and without") {
  for (const std::string& scheme : schemes) {
    CAPTURE(scheme);
    const Trained trained(scheme);
    const Cell cell{"first-position-bias",
                    scheme,
                    {{"length", whole(length)}, {"depth", list({1, 2})}, {"samples", whole(2)}},
                    {},
                    {width, heads, length}};
    REQUIRE_FALSE(why_not_network(cell, trained.network));
    const Record record = train(cell, {.network = &trained.network});
    const std::vector<std::vector<std::int32_t>> samples{
        drawn_tokens(cell, "tokens of the network", length),
        drawn_tokens(cell, "tokens of the network of sample 1", length)};
    const auto mean_share = [&](const naive::Network& network, std::size_t depth) {
      return (sink_share(network, samples[0], depth) + sink_share(network, samples[1], depth)) / 2;
    };
    for (std::size_t l = 0; l < 2; ++l) {
      CHECK_THAT(curve(record, "sink_share")[l], check::WithinAbs(mean_share(trained.naive, l + 1), 1e-11));
      CHECK_THAT(curve(record, "sink_share_none")[l], check::WithinAbs(mean_share(trained.bare, l + 1), 1e-11));
    }
    CHECK(curve(record, "sink_share") != curve(train(cell), "sink_share"));
  }
}

TEST_CASE("given network: the gradient of first-position-bias goes through the whole of it") {
  const Trained trained("alibi");
  const Cell cell{
      "first-position-bias", "alibi", {{"length", whole(length)}, {"depth", list({2})}}, {}, {width, heads, length}};
  const Record record = train(cell, {.network = &trained.network});
  const std::vector<std::int32_t> tokens = drawn_tokens(cell, "tokens of the network", length);
  const poslab::base::Array<double> direction = draws_of(cell).normal("direction of the output", {width});
  // <u, the stream of the last token after two layers>, by central differences in the embedded tokens.
  const auto along = [&](std::size_t token, std::size_t channel, double moved) {
    std::vector<Vector> x;
    for (std::size_t t = 0; t < length; ++t) x.push_back(trained.naive.embedded(tokens[t], t));
    x[token][channel] += moved;
    for (std::size_t l = 0; l < 2; ++l) trained.naive.layer(l, x);
    double sum = 0;
    for (std::size_t d = 0; d < width; ++d) sum += direction(static_cast<poslab::base::Index>(d)) * x.back()[d];
    return sum;
  };
  std::vector<double> norms;
  double all = 0;
  for (std::size_t t = 0; t < length; ++t) {
    double squares = 0;
    for (std::size_t d = 0; d < width; ++d) squares += std::pow((along(t, d, 1e-5) - along(t, d, -1e-5)) / 2e-5, 2);
    norms.push_back(std::sqrt(squares));
    all += norms.back();
  }
  CHECK_THAT(curve(record, "gradient_share").at(0), check::WithinAbs(norms[0] / all, 1e-7));
}

TEST_CASE("given network: distance-profile has the logits of its own projections") {
  for (const std::string& scheme : schemes) {
    CAPTURE(scheme);
    const Trained trained(scheme);
    const Cell cell{
        "distance-profile", scheme, {{"length", whole(length)}, {"contents", whole(1)}}, {}, {width, heads, length}};
    REQUIRE_FALSE(why_not_network(cell, trained.network));
    const Record record = train(cell, {.network = &trained.network});
    const std::vector<std::int32_t> random = drawn_tokens(cell, "tokens of content 0 of kind 0", length),
                                    equal(length, drawn_tokens(cell, "tokens of content 0 of kind 1", 1)[0]);
    for (const auto& [kind, tokens] : {std::pair("random", random), std::pair("equal", equal)})
      for (std::size_t r = 0; r < length; ++r) {
        double sum = 0, change = 0;
        for (std::size_t h = 0; h < heads; ++h)
          for (std::size_t i = r; i < length; ++i) {
            const auto moved = [&](std::size_t j) {
              return logit(trained.naive, tokens[i], i, tokens[j], j, h) -
                     product(trained.bare, tokens[i], i, tokens[j], j, h);
            };
            sum += logit(trained.naive, tokens[i], i, tokens[i - r], i - r, h);
            change += moved(i - r) - moved(i);
          }
        const auto pairs = static_cast<double>(heads * (length - r));
        CHECK_THAT(curve(record, std::string("mean_") + kind)[r], check::WithinAbs(sum / pairs, 1e-10));
        CHECK_THAT(curve(record, std::string("change_") + kind)[r], check::WithinAbs(change / pairs, 1e-10));
      }
    const Record untrained = train(cell);
    CHECK(curve(record, "mean_random") != curve(untrained, "mean_random"));
    if (scheme != "none") CHECK(curve(record, "mean_ones") == curve(untrained, "mean_ones"));
  }
}

TEST_CASE("given network: content-independence is that of its own projections") {
  for (const std::string& scheme : schemes) {
    CAPTURE(scheme);
    const Trained trained(scheme);
    constexpr std::size_t contents = 4;
    const Cell cell{"content-independence",
                    scheme,
                    {{"length", whole(length)}, {"contents", whole(contents)}},
                    {},
                    {width, heads, length}};
    REQUIRE_FALSE(why_not_network(cell, trained.network));
    const Record record = train(cell, {.network = &trained.network});
    const std::vector<std::int32_t> queries = drawn_tokens(cell, "tokens of the query", contents * length),
                                    keys = drawn_tokens(cell, "tokens of the key", contents * length);
    double squares = 0, variance = 0, pairs = 0;
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t i = 0; i < length; ++i)
        for (std::size_t j = 0; j <= i; ++j, ++pairs) {
          Vector added;
          for (std::size_t c = 0; c < contents; ++c) {
            const std::int32_t query = queries[c * length + i], key = keys[c * length + j];
            added.push_back(logit(trained.naive, query, i, key, j, h) - product(trained.bare, query, i, key, j, h));
          }
          double mean = 0;
          for (const double x : added) mean += x / contents;
          for (const double x : added)
            squares += x * x / contents, variance += (x - mean) * (x - mean) / (contents - 1);
        }
    CHECK_THAT(curve(record, "size").at(0), check::WithinAbs(std::sqrt(squares / pairs), 1e-10));
    CHECK_THAT(curve(record, "content_spread").at(0), check::WithinAbs(std::sqrt(variance / pairs), 1e-10));
  }
}

TEST_CASE("given network: what it cannot be asked is a sentence") {
  const Trained trained("rope");
  const auto refused = [&](const std::string& experiment, const Values& axes) {
    return why_not_network({experiment, "rope", axes, {}, {width, heads, length}}, trained.network);
  };
  CHECK(refused("survival", {{"depth", list({0, 3})}, {"symbols", whole(8)}}).value().reason ==
        "it has 2 layers, and 3 are asked for");
  CHECK(refused("survival", {{"depth", list({0, 2})}}).value().reason == "it knows 8 symbols, and 32 are asked for");
  CHECK(refused("survival", {{"depth", list({0})}, {"symbols", whole(8)}, {"mask", word("none")}}).value().reason ==
        "it was trained with mask = causal, and none is asked for");
  CHECK_FALSE(refused("survival", {{"depth", list({0, 2})}, {"symbols", whole(8)}}));
  CHECK(refused("first-position-bias", {{"depth", list({1})}, {"residual", false}})
            .value()
            .reason.find("residual = false") != std::string::npos);
  CHECK(refused("distance-profile", {{"offsets", word("both")}}).value().reason ==
        "it was trained under a causal mask, and here there is none");
  CHECK_FALSE(refused("content-independence", {}));
}
