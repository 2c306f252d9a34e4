// SPDX-License-Identifier: Apache-2.0
// Keys from a cache against known answers, closed forms, and plain loops over the definition.
// Dimension letters: N tokens, T of the shorter context, H heads, K head width, C contents.
#include <algorithm>
#include <cmath>
#include <set>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "growth.hpp"
#include "same_bits.hpp"
#include "shipped.hpp"
#include "thousand.hpp"

namespace {

using namespace poslab;
using base::Array;
using cells::Answer;
using cells::Cell;
using cells::Index;
using data::Draws;
using data::Mark;
using data::Value;
using data::Values;

using cells::list, cells::whole;

Cell cell(const std::string& scheme, std::int64_t N, const std::vector<double>& cached, std::int64_t L = 8,
          Values parameters = {}) {
  return {"cache-consistency",
          scheme,
          {{"length", whole(N)}, {"train_length", whole(L)}, {"contents", whole(3)}, {"cached", list(cached)}},
          std::move(parameters),
          {16, 2, L}};
}

// LongRoPE of 8 channels a head: trained at 8, served to 64.
Values long_rope() {
  return {{"scaling", Value("longrope")},
          {"short_factor", list({1, 1, 1, 1})},
          {"long_factor", list({1, 2, 4, 8})},
          {"original_max_position_embeddings", whole(8)},
          {"max_position_embeddings", whole(64)}};
}

// The measures of the definition by plain loops. logit(c, h, i, j, query length, key length) is the logit of query i,
// made in a context of one length, and key j, made in one of another.
struct Naive {
  double cached = 0, squares = 0, pairs = 0, past = 0, moved = 0, queries = 0;
};
template <class Logit>
Naive naive(Index C, Index H, Index N, Index T, const Logit& logit) {
  Naive out;
  for (Index c = 0; c < C; ++c)
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < N; ++i) {
        if (i < T) {
          const auto change = [&](Index j) { return logit(c, h, i, j, N, N) - logit(c, h, i, j, T, T); };
          double mean = 0;
          for (Index j = 0; j <= i; ++j) mean += change(j) / static_cast<double>(i + 1);
          if (i >= T - 64)
            for (Index j = 0; j <= i; ++j) out.past = std::max(out.past, std::abs(change(j) - mean));
          continue;
        }
        if (i < N - 64) continue;
        double kept = 0, again = 0, moved = 0;
        for (Index j = 0; j <= i; ++j) {
          kept += std::exp(logit(c, h, i, j, N, j < T ? T : N));
          again += std::exp(logit(c, h, i, j, N, N));
        }
        for (Index j = 0; j <= i; ++j) {
          const double with = logit(c, h, i, j, N, j < T ? T : N), without = logit(c, h, i, j, N, N);
          moved += std::abs(std::exp(with) / kept - std::exp(without) / again) / 2;
          if (j >= T) continue;
          out.cached = std::max(out.cached, std::abs(with - without));
          out.squares += (with - without) * (with - without);
          out.pairs += 1;
        }
        out.moved += moved;
        out.queries += 1;
      }
  return out;
}

double slack(double size) { return 1e-12 * (1 + std::abs(size)); }

// Dynamic NTK: the base grows with the context beyond the trained length L.
double dynamic_angle(Index position, Index plane, Index K, double length, double L, double factor) {
  const double alpha = factor * std::max(length, L) / L - (factor - 1);
  const double base = 1e4 * std::pow(alpha, static_cast<double>(K) / static_cast<double>(K - 2));
  return static_cast<double>(position) * std::pow(base, -2 * static_cast<double>(plane) / static_cast<double>(K));
}

}  // namespace

TEST_CASE("cache-consistency: nothing changes where nothing depends on the length, to the last bit") {
  const std::string scheme =
      GENERATE("none", "sinusoidal", "rope", "alibi", "t5", "shaw", "kerple", "fox", "cope", "path");
  CAPTURE(scheme);
  const Answer answer = cells::run(cell(scheme, 150, {0.01, 0.3, 0.9}));
  REQUIRE(answer.skip == "");
  for (const std::string name : {"cached_error", "cached_error_rms", "attention_moved", "past_error"})
    CHECK(answer.curve(name) == std::vector<double>{0, 0, 0});
  CHECK(answer.has("reused_bias_error") == (scheme == "alibi" || scheme == "t5" || scheme == "kerple"));
  if (answer.has("reused_bias_error")) CHECK(answer.curve("reused_bias_error") == std::vector<double>{0, 0, 0});
}

TEST_CASE("cache-consistency of FIRE: keys stay, since none carries a bias, a row of biases that is kept does not") {
  const Answer answer = cells::run(cell("fire", 100, {0.25, 0.5, 0.75}, 8, {{"init_l", Value(16.0)}}));
  CHECK(answer.curve("cached_error") == std::vector<double>{0, 0, 0});
  CHECK(answer.curve("past_error") == std::vector<double>{0, 0, 0});
  for (const double error : answer.curve("reused_bias_error")) CHECK(error > 1e-3);
  // Up to L all queries measure their distances by L: a row can be used again there.
  const Answer near = cells::run(cell("fire", 100, {0.25, 0.5, 0.75}, 8, {{"init_l", Value(512.0)}}));
  CHECK(near.curve("reused_bias_error") == std::vector<double>{0, 0, 0});
}

TEST_CASE("cache-consistency of LongRoPE: only across its switch") {
  const Answer within = cells::run(cell("rope", 8, {0.25, 0.5, 0.75}, 8, long_rope()));  // up to L: the short list
  CHECK(within.curve("cached_error") == std::vector<double>{0, 0, 0});
  CHECK(within.curve("past_error") == std::vector<double>{0, 0, 0});
  const Answer across = cells::run(cell("rope", 32, {0.125, 0.25, 0.28125, 0.75}, 8, long_rope()));
  for (const std::string name : {"cached_error", "past_error", "attention_moved"}) {
    CAPTURE(name);
    CHECK(across.curve(name)[0] > 1e-3);  // T = 4
    CHECK(across.curve(name)[1] > 1e-3);  // T = 8: the last context with the short list
    CHECK(across.curve(name)[2] == 0);    // T = 9
    CHECK(across.curve(name)[3] == 0);
  }
}

TEST_CASE("cache-consistency of the normalised index: key j moves by j / (T - 1) - j / (N - 1)") {
  const Index N = 90, T = 45, C = 3, K = 8;
  const Answer answer = cells::run(cell("normalised-index", N, {0.5}));
  const Draws draws(20261121, "cache-consistency", "normalised-index", 0);
  double largest = 0;
  for (Index c = 0; c < C; ++c) {
    const Array<double> query = draws.normal("query of content " + std::to_string(c), {2, N, K});
    for (Index i = N - 45; i < N; ++i)
      for (Index j = 0; j < T; ++j) {
        const double code = static_cast<double>(i) / (N - 1), of_key = static_cast<double>(j);
        largest = std::max(largest, std::abs((query(0, i, 0) + code) * of_key * (1.0 / (T - 1) - 1.0 / (N - 1))));
      }
  }
  CHECK_THAT(answer.curve("cached_error")[0], check::WithinAbs(largest / std::sqrt(8.0), 1e-13));
}

TEST_CASE("cache-consistency of the normalised index: old logits, less the mean of those that a query has") {
  const Index N = 4, T = 2, C = 3, K = 8;
  for (int repeat = 0; repeat < 20; ++repeat) {
    Cell here = cell("normalised-index", N, {0.5});
    here.repeat = repeat;
    const Draws draws(20261121, "cache-consistency", "normalised-index", repeat);
    double largest = 0;
    for (Index c = 0; c < C; ++c) {
      const std::string of = " of content " + std::to_string(c);
      const Array<double> query = draws.normal("query" + of, {2, N, K}), key = draws.normal("key" + of, {2, N, K});
      const auto product = [&](Index i, Index j, double last) {
        return (query(0, i, 0) + static_cast<double>(i) / last) * (key(0, j, 0) + static_cast<double>(j) / last);
      };
      // The query at 0 has one key; of the two changes at 1 half the difference is left.
      const double first = product(1, 0, N - 1) - product(1, 0, T - 1),
                   own = product(1, 1, N - 1) - product(1, 1, T - 1);
      largest = std::max(largest, std::abs(own - first) / 2);
    }
    CHECK_THAT(cells::run(here).curve("past_error")[0], check::WithinAbs(largest / std::sqrt(8.0), 1e-14));
  }
}

TEST_CASE("cache-consistency of xPos: centred on the context its keys are wrong, though its logits are not") {
  const Answer centred = cells::run(cell("xpos", 200, {0.5}));
  CHECK(centred.curve("cached_error")[0] > 0.1);
  CHECK(centred.curve("past_error")[0] < 1e-13);
  const Answer plain = cells::run(cell("xpos", 200, {0.5}, 8, {{"centre", Value("none")}}));
  CHECK(plain.curve("cached_error")[0] == 0);
}

TEST_CASE("cache-consistency: dynamic NTK by plain loops, 1000 random cases") {
  const base::Stream draws("cache-consistency_test");
  for (std::uint64_t number = 0; number < check::thousand; ++number) {
    const auto pick = [&](std::uint64_t which, std::uint64_t n) {
      return static_cast<Index>(draws.below(8 * number + which, n));
    };
    const Index N = 2 + pick(0, 9), T = 1 + pick(1, static_cast<std::uint64_t>(N - 1)), H = 1 + pick(2, 2),
                K = 4 + 2 * pick(3, 2), L = 1 + pick(4, 8);
    const double factor = 1 + static_cast<double>(pick(5, 3));
    CAPTURE(number, N, T, H, K, L, factor);
    const host::Scheme scheme(cells::plugin("rope"), {{"scaling", Value("dynamic-ntk")}, {"factor", Value(factor)}},
                              {H * K, H, L});
    const Draws contents(number, "cache-consistency", "rope", 0);
    const Array<double> query = contents.normal("q", {H, N, K}), key = contents.normal("k", {H, N, K});
    Array<double> positions{N, 1};
    for (Index n = 0; n < N; ++n) positions(n, 0) = static_cast<double>(n);
    const experiments::cache_consistency::Change found =
        experiments::cache_consistency::change<double>({scheme, {}, positions}, query, key, T);
    const Naive plain = naive(1, H, N, T, [&](Index, Index h, Index i, Index j, Index of_query, Index of_key) {
      double sum = 0;
      for (Index m = 0; m < K / 2; ++m) {
        const double a = dynamic_angle(i, m, K, static_cast<double>(of_query), static_cast<double>(L), factor),
                     b = dynamic_angle(j, m, K, static_cast<double>(of_key), static_cast<double>(L), factor);
        const double x = query(h, i, 2 * m), y = query(h, i, 2 * m + 1), u = key(h, j, 2 * m), v = key(h, j, 2 * m + 1);
        sum += std::cos(a - b) * (x * u + y * v) + std::sin(a - b) * (x * v - y * u);
      }
      return sum / std::sqrt(static_cast<double>(K));
    });
    REQUIRE_THAT(found.largest, check::WithinAbs(plain.cached, slack(plain.cached)));
    REQUIRE_THAT(found.squares, check::WithinAbs(plain.squares, slack(plain.squares)));
    REQUIRE(found.pairs == plain.pairs);
    REQUIRE_THAT(found.past, check::WithinAbs(plain.past, slack(plain.past)));
    REQUIRE_THAT(found.moved, check::WithinAbs(plain.moved, slack(plain.moved)));
    REQUIRE(found.queries == plain.queries);
  }
}

TEST_CASE("cache-consistency: a whole cell by plain loops, more tokens than queries that are looked at") {
  const Index N = 150, C = 3, H = 2, K = 8;
  const Answer answer =
      cells::run(cell("rope", N, {0.5}, 8, {{"scaling", Value("dynamic-ntk")}, {"factor", Value(2.0)}}));
  const Draws draws(20261121, "cache-consistency", "rope", 0);
  std::vector<Array<double>> query, key;
  for (const char* c : {"0", "1", "2"}) {
    query.push_back(draws.normal(std::string("query of content ") + c, {H, N, K}));
    key.push_back(draws.normal(std::string("key of content ") + c, {H, N, K}));
  }
  const Naive plain = naive(C, H, N, 75, [&](Index c, Index h, Index i, Index j, Index of_query, Index of_key) {
    const Array<double>&q = query[static_cast<std::size_t>(c)], &k = key[static_cast<std::size_t>(c)];
    double sum = 0;
    for (Index m = 0; m < K / 2; ++m) {
      const double rotation = dynamic_angle(i, m, K, static_cast<double>(of_query), 8, 2) -
                              dynamic_angle(j, m, K, static_cast<double>(of_key), 8, 2);
      sum += std::cos(rotation) * (q(h, i, 2 * m) * k(h, j, 2 * m) + q(h, i, 2 * m + 1) * k(h, j, 2 * m + 1)) +
             std::sin(rotation) * (q(h, i, 2 * m) * k(h, j, 2 * m + 1) - q(h, i, 2 * m + 1) * k(h, j, 2 * m));
    }
    return sum / std::sqrt(8.0);
  });
  CHECK_THAT(answer.curve("cached_error")[0], check::WithinAbs(plain.cached, 1e-11));
  CHECK_THAT(answer.curve("cached_error_rms")[0], check::WithinAbs(std::sqrt(plain.squares / plain.pairs), 1e-11));
  CHECK_THAT(answer.curve("past_error")[0], check::WithinAbs(plain.past, 1e-11));
  CHECK_THAT(answer.curve("attention_moved")[0], check::WithinAbs(plain.moved / plain.queries, 1e-11));
}

TEST_CASE("cache-consistency: a scheme that reads the last key of the context changes what old queries found") {
  const Cell last = cell("third-token", 100, {0.25, 0.5}),
             first = cell("third-token", 100, {0.25}, 8, {{"which", Value("first")}});
  const Answer looking_ahead = cells::run(last);
  for (const double error : looking_ahead.curve("past_error")) CHECK(error > 0.1);
  CHECK(cells::answer_of(last).mark == Mark::partly);
  CHECK(cells::run(first).curve("past_error")[0] == 0);
  CHECK(cells::answer_of(first).mark == Mark::yes);
}

TEST_CASE("cache-consistency: contexts of no round share find what round ones do not") {
  // At 100 tokens and quarters of them no context is a prime; at 128, 129 and 512 every quarter is even.
  for (const std::int64_t N : {100, 101, 128, 129, 512}) {
    CAPTURE(N);
    const Cell primes = cell("prime-lengths", N, {0.25, 0.5, 0.75});
    const Answer of_primes = cells::run(primes);
    if (N == 100) CHECK(of_primes.curve("past_error") == std::vector<double>{0, 0, 0});
    CHECK(cells::answer_of(primes).mark == Mark::partly);
    const Cell leak = cell("even-leak", N, {0.25, 0.5, 0.75});
    const Answer leaking = cells::run(leak);
    if (N != 100 && N != 101) CHECK(leaking.curve("past_error") == std::vector<double>{0, 0, 0});
    CHECK(*std::max_element(leaking.curve("odd_past_error").begin(), leaking.curve("odd_past_error").end()) > 0.1);
    CHECK(cells::answer_of(leak).mark == Mark::partly);
  }
  const data::Answer tested = cells::answer_of(cell("rope", 512, {0.25, 0.5, 0.75}));
  CHECK(tested.mark == Mark::yes);
  CHECK_THAT(tested.sentence, check::contains("(tested with ") && check::contains("tokens that become 512)"));
  for (const char* T : {"128", "255", "256", "257", "258", "337", "384", "511"})
    CHECK_THAT(tested.sentence, check::contains(T));
}

TEST_CASE("cache-consistency: contexts beside the shares, of few tokens") {
  const auto tokens = [](std::int64_t N) {
    return cells::run(cell("none", N, {0.5})).record.coordinate_of("odd_cached")->values;
  };
  CHECK(tokens(2) == std::vector<double>{1});
  CHECK(tokens(3) == std::vector<double>{1, 2});
  CHECK(tokens(5) == std::vector<double>{1, 2, 3, 4});
  for (std::int64_t N = 6; N <= 60; ++N) {
    const std::vector<double> all = tokens(N);
    for (const int by : {2, 3, 4}) {
      std::set<int> remainders;
      for (const double T : all) remainders.insert(static_cast<int>(T) % by);
      CHECK(remainders.size() == static_cast<std::size_t>(by));
    }
    CHECK(all.back() == static_cast<double>(N - 1));
  }
}

TEST_CASE("cache-consistency: what a longer context adds to all keys of a query, softmax cancels") {
  for (const char* form : {"key", "key-from-the-end", "offset"}) {
    CAPTURE(form);
    const Cell released = cell("key-bias", 100, {0.25, 0.5}, 8, {{"form", Value(form)}});
    const Answer answer = cells::run(released);
    for (const double error : answer.curve("past_error")) CHECK(error < 1e-13);
    CHECK(cells::answer_of(released).mark == Mark::yes);
  }
}

TEST_CASE("cache-consistency: what cannot be asked is skipped with a sentence") {
  CHECK_THAT(cells::run(cell("rope", 1, {0.5})).skip, check::contains("length = 1") && check::contains("at least 2"));
  CHECK_THAT(cells::run(cell("rope", 10, {})).skip, check::contains("empty"));
  CHECK_THAT(cells::run(cell("learned", 10, {0.5})).skip, check::contains("position 9"));
  const Answer two = cells::run(cell("normalised-index", 2, {0, 0.5, 0.9}));
  CHECK(two.curve("cached_error").size() == 3);  // T = 1 in all of them
  CHECK(two.curve("cached_error")[0] == two.curve("cached_error")[2]);
}

TEST_CASE("cache-consistency: every shipped scheme has an answer, or a sentence why not") {
  std::size_t answered = 0;
  for (const std::string& id : shipped_schemes()) {
    CAPTURE(id);
    Cell here{"cache-consistency", id, {{"length", whole(36)}, {"contents", whole(2)}}, {}, {48, 2, 36}};
    Answer answer = cells::run(here);
    if (answer.skip.empty()) {
      ++answered;
      for (const double error : answer.curve("cached_error")) CHECK(std::isfinite(error));
      const host::Scheme scheme(cells::plugin(id), {}, here.model);
      if (scheme.claims(POSLAB_LENGTH_FREE))
        for (const double error : answer.curve("cached_error")) CHECK(error == 0);
    } else {
      CHECK(answer.skip.find(' ') != std::string::npos);
    }
  }
  CHECK(answered > 30);
}

TEST_CASE("cache-consistency: the same bits on 1, 2 and 8 threads") {
  cells::check_same_bits(cell("xpos", 90, {0.3, 0.6}));
}

TEST_CASE("cache-consistency answers: yes, no, and in part where only old logits change") {
  const auto answered = [](const std::string& scheme, Values parameters = {}) {
    return cells::answer_of(cell(scheme, 100, {0.25, 0.5}, 8, std::move(parameters)));
  };
  CHECK(answered("rope").mark == Mark::yes);
  CHECK_THAT(answered("rope").sentence, check::contains("told that it was trained on "));
  CHECK(numbers_text(answered("rope")) == "tested to 100 tokens");
  // Nothing can be said of one cached token whose key stays.
  CHECK(cells::answer_of(cell("rope", 2, {0}, 1, {{"scaling", Value("dynamic-ntk")}})).mark == Mark::cannot_tell);
  CHECK(cells::answer_of(cell("rope", 2, {0.9}, 1)).mark == Mark::cannot_tell);
  CHECK(cells::answer_of(cell("rope", 3, {0}, 1)).mark == Mark::yes);  // T = 2 is looked at, too
  const data::Answer ntk = answered("rope", {{"scaling", Value("dynamic-ntk")}, {"factor", Value(2.0)}});
  CHECK(ntk.mark == Mark::no);
  CHECK(numbers_text(ntk) != "");
  CHECK_THAT(ntk.sentence, check::contains("tokens grows to 100"));
  CHECK(answered("transformer-xl", {{"offset", Value("from-the-end")}}).mark == Mark::partly);
  Cell in_float = cell("xpos", 100, {0.5}, 8, {{"centre", Value("none")}});
  in_float.axes.set("dtype", Value("float32"));
  CHECK(cells::answer_of(in_float).mark == Mark::yes);
}

TEST_CASE("cache-consistency answers no to one token whose key changes, and names no position") {
  Cell shifted = cell("normalised-index", 2, {0}, 10);
  shifted.placement.policy = data::Placement::Policy::shifted;
  shifted.placement.by = 500;
  const data::Answer failed = cells::answer_of(shifted);
  CHECK(failed.mark == Mark::no);
  CHECK_FALSE(failed.numbers.empty());
  CHECK_THAT(failed.sentence, check::contains("a context of 1 token grows to 2"));
  shifted.scheme = "sinusoidal";
  const data::Answer unchanged = cells::answer_of(shifted);
  CHECK(unchanged.mark == Mark::cannot_tell);
  CHECK_THAT(unchanged.sentence, check::contains("only one token was there before"));
  CHECK_THAT(unchanged.sentence, !check::contains("position"));
}

TEST_CASE("cache-consistency: what the answer says of made-up records") {
  const auto answered = [](std::vector<double> cached, std::vector<double> past, const std::vector<double>& shares) {
    data::Record record;
    record.coordinate("odd_cached", {1});
    for (const char* measure : {"odd_cached_error", "odd_attention_moved", "odd_past_error"})
      record.curve(measure, {"odd_cached"}, {0});
    record.coordinate("cached", shares);
    record.curve("cached_error", {"cached"}, std::move(cached));
    record.curve("past_error", {"cached"}, std::move(past));
    record.curve("attention_moved", {"cached"}, {0.25, 0.5});
    return cells::answer_to(cell("rope", 100, shares), {record});
  };
  // The tolerance is 1.4e-12 here. What may be rounding takes nothing from what cannot be.
  CHECK(answered({1e-12, 1e-12}, {1e-12, 1e-12}, {0.25, 0.5}).mark == Mark::yes);
  CHECK(answered({1e-11, 0}, {0, 0}, {0.25, 0.5}).mark == Mark::partly);  // little as it is, it is more than rounding
  CHECK(numbers_text(answered({1e-11, 0}, {0, 0}, {0.25, 0.5})) == "to 1e-11");
  CHECK(answered({2e-7, 0}, {0, 0}, {0.25, 0.5}).mark == Mark::no);
  CHECK(answered({2e-11, 0}, {0, 0}, {0.25, 0.5}).mark == Mark::partly);
  CHECK(numbers_text(answered({2e-11, 0}, {3e-11, 0}, {0.25, 0.5})) == "to 3e-11");
  CHECK(answered({0, 0}, {0.1, 0.3}, {0.25, 0.5}).mark == Mark::partly);
  const data::Answer rounded = answered({1e-11, 0}, {0.3, 0.1}, {0.25, 0.5});
  CHECK(rounded.mark == Mark::partly);
  CHECK(numbers_text(rounded) == "0.3");
  CHECK_THAT(rounded.sentence, check::contains("change by 1e-11 sd, which may be rounding") &&
                                   check::contains("a context of 25 tokens grows to 100"));
  // Attention where the key is worst, not where attention is.
  CHECK_THAT(
      answered({0.4, 0.2}, {0, 0.7}, {0.25, 0.5}).sentence,
      check::contains("25 tokens grows to 100, and 0.25 of the attention") && check::contains("by 0.7 sd at most"));
  CHECK_THAT(answered({0, 0}, {0.3, 0.3}, {0, 0.01}).sentence, check::contains("the one cached key serves"));
  CHECK(answered({0, 0}, {0, 0}, {0, 0.01}).mark == Mark::cannot_tell);
}
