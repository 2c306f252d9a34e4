// SPDX-License-Identifier: Apache-2.0
// Order sensitivity: who is blind to order by a theorem, and all measures by their definitions in plain loops.
#include <cmath>
#include <set>

#include "catch.hpp"
#include "cells.hpp"
#include "changes.hpp"
#include "orders.hpp"
#include "same_bits.hpp"
#include "thousand.hpp"

#include "poslab/attention/attention.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/mean_and_error.hpp"

using namespace poslab;
using namespace poslab::experiments::order_sensitivity;
using data::Value;

namespace {

constexpr Index D = 8, H = 2, K = D / H;
using Rows = std::vector<std::vector<double>>;

cells::Cell order_cell(const std::string& scheme, const std::string& mask, std::int64_t length = 24,
                       std::vector<double> distance = {1, 2, 4, 8}) {
  return {"order-sensitivity",
          scheme,
          {{"length", Value(length)}, {"mask", Value(mask)}, {"distance", Value(std::move(distance))}},
          {},
          {32, 4, length}};
}

// The stack of attention layers by its definition; x with the scheme's codes.
Rows naive_attention_stack(const host::Scheme& scheme, const data::Draws& draws, Rows x, bool causal, int depth) {
  const auto N = static_cast<Index>(x.size());
  base::Array<double> positions{N, 1};
  for (Index n = 0; n < N; ++n) positions(n, 0) = static_cast<double>(n);
  const host::Weights<double> weights = scheme.draw_weights(draws, depth);
  for (int l = 0; l < depth; ++l) {
    base::Array<double> z{N, D}, projected[3], out{H, N, K};
    for (Index n = 0; n < N; ++n) {
      const std::vector<double>& row = x[static_cast<std::size_t>(n)];
      double mean = 0, variance = 0;
      for (const double number : row) mean += number / double(D);
      for (const double number : row) variance += (number - mean) * (number - mean) / double(D);
      for (Index c = 0; c < D; ++c) z(n, c) = (row[static_cast<std::size_t>(c)] - mean) / std::sqrt(variance + 1e-5);
    }
    const auto weight = [&](const char* name) {
      return draws.normal(std::string(name) + " weight of layer " + std::to_string(l), {D, D});
    };
    const char* const names[] = {"query", "key", "value"};
    for (int side = 0; side < 3; ++side) {
      const base::Array<double> W = weight(names[side]);
      const double factor = (side == 0 ? 1 / std::sqrt(double(K)) / scheme.logit_scale() : 1) / std::sqrt(double(D));
      projected[side] = base::Array<double>{H, N, K};
      for (Index n = 0; n < N; ++n)
        for (Index c = 0; c < D; ++c)
          for (Index a = 0; a < D; ++a) projected[side](c / K, n, c % K) += factor * W(c, a) * z(n, a);
    }
    attention::attend_reference<double>({&scheme, {N, N, causal}, positions, weights.layer(l), l},
                                        {projected[0], projected[1], z}, projected[2], out);
    const base::Array<double> W = weight("output");
    for (Index n = 0; n < N; ++n)
      for (Index c = 0; c < D; ++c)
        for (Index a = 0; a < D; ++a)
          x[static_cast<std::size_t>(n)][static_cast<std::size_t>(c)] +=
              W(c, a) * out(a / K, n, a % K) / std::sqrt(double(D));
  }
  return x;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t c = 0; c < a.size(); ++c) squares += (a[c] - b[c]) * (a[c] - b[c]);
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("order-sensitivity: without a mask only the scheme none is blind, under one, only its first layer") {
  for (int repeat = 0; repeat < 3; ++repeat) {
    cells::Cell cell = order_cell("none", "none");
    cell.repeat = repeat;
    const cells::Answer blind = cells::run(cell);
    for (const char* measure : {"prefix_change", "swap_change", "equivariance_error", "shift_change", "least_change"})
      for (const double change : blind.curve(measure)) CHECK(change <= 1e-12);
    CHECK(blind.curve("orders_told_apart") == std::vector<double>{1, 1, 1});
    cell.axes.set("mask", Value("causal"));
    const cells::Answer causal = cells::run(cell);
    CHECK(causal.curve("prefix_change")[0] <= 1e-12);
    CHECK(causal.curve("prefix_change")[1] > 0.1);
    CHECK(causal.curve("prefix_change")[2] > 0.1);
    CHECK(causal.curve("orders_told_apart") == std::vector<double>{1, 24, 24});
    CHECK(causal.curve("least_change")[0] <= 1e-12);
    CHECK_FALSE(causal.has("equivariance_error"));
    for (const char* scheme : {"sinusoidal", "rope", "t5", "shaw"}) {
      cell.scheme = scheme;
      cell.axes.set("mask", Value("none"));
      const cells::Answer seeing = cells::run(cell);
      for (const double error : seeing.curve("equivariance_error")) CHECK(error > 0.01);
    }
  }
}

TEST_CASE("order-sensitivity: moving all positions alike is seen by absolute codes alone") {
  for (const char* scheme : {"none", "rope", "alibi", "t5", "sinusoidal"}) {
    const cells::Answer answer = cells::run(order_cell(scheme, "causal"));
    for (const double change : answer.curve("shift_change"))
      CHECK((std::string(scheme) == "sinusoidal" ? change > 0.1 : change <= 1e-12));
  }
  // As the page has it, within two errors: of ten repeats at D = 16, two heads.
  std::vector<double> one, three;
  for (int repeat = 0; repeat < 10; ++repeat) {
    cells::Cell cell = order_cell("sinusoidal", "causal");
    cell.model = {16, 2, 24};
    cell.repeat = repeat;
    const std::vector<double> changes = cells::run(cell).curve("shift_change");
    one.push_back(changes[0]), three.push_back(changes[2]);
  }
  CHECK_THAT(data::mean_and_error(one).mean, check::WithinAbs(1.5, 0.6));
  CHECK_THAT(data::mean_and_error(three).mean, check::WithinAbs(1.0, 0.2));
  cells::Cell table = order_cell("learned", "causal");
  table.parameters = {{"max_length", Value(std::int64_t{80})}};
  CHECK_FALSE(cells::run(table).has("shift_change"));  // 23 + 57 = 80 is one too far
  table.parameters = {{"max_length", Value(std::int64_t{81})}};
  CHECK(cells::run(table).curve("shift_change").size() == 3);
}

TEST_CASE("order-sensitivity: 1000 small cases by definition") {
  const std::vector<std::string> ids{"none", "sinusoidal", "rope", "alibi", "t5", "shaw"};
  const base::Stream draw("orders");
  for (std::uint64_t i = 0; i < check::thousand; ++i) {
    const std::string& id = ids[i % ids.size()];
    const auto N = static_cast<Index>(3 + draw.below(4 * i, 3));
    const bool causal = id == "alibi" || draw.below(4 * i + 1, 2) == 1;
    const int depth = static_cast<int>(1 + draw.below(4 * i + 2, 2));
    const auto distance = static_cast<Index>(1 + draw.below(4 * i + 3, static_cast<std::uint64_t>(N - 2)));
    CAPTURE(i, id, N, causal, depth, distance);
    cells::Cell cell = order_cell(id, causal ? "causal" : "none", N, {static_cast<double>(distance)});
    cell.model = {D, H, N};
    cell.axes.set("depth", Value(std::vector<double>{static_cast<double>(depth)}));
    cell.axes.set("short_length", Value(std::int64_t{N}));
    cell.axes.set("shuffles", Value(std::int64_t{3}));
    cell.repeat = static_cast<int>(i);
    const cells::Answer answer = cells::run(cell);

    const host::Scheme scheme(cells::plugin(id), {}, {D, H, N});
    const data::Draws draws(20261121, "order-sensitivity", id, cell.repeat);
    const auto stack_of = [&](const base::Array<double>& content, const Order& order) {
      base::Array<double> codes{N, D}, positions{N, 1};
      for (Index n = 0; n < N; ++n) positions(n, 0) = static_cast<double>(n);
      if (scheme.has(host::Operation::encode)) scheme.encode<double>({N, N, causal}, positions, {}, codes);
      Rows x;
      for (Index n = 0; n < N; ++n) {
        x.emplace_back();
        for (Index c = 0; c < D; ++c) x.back().push_back(content(order[static_cast<std::size_t>(n)], c) + codes(n, c));
      }
      return std::pair(x, naive_attention_stack(scheme, draws, x, causal, depth));
    };
    const auto place = [](Index n) { return static_cast<std::size_t>(n); };

    // Pairs at the distance, before the last.
    const base::Array<double> content = draws.normal("content", {N, D});
    const auto [entered, y] = stack_of(content, in_place(N));
    const double written = apart(y.back(), entered.back());
    std::vector<double> squares;
    for (Index first = 0; first + distance < N - 1; ++first) {
      Order order = in_place(N);
      std::swap(order[place(first)], order[place(first + distance)]);
      squares.push_back(std::pow(apart(stack_of(content, order).second.back(), y.back()) / written, 2));
    }
    double mean = 0;
    for (const double square : squares) mean += square / static_cast<double>(squares.size());
    REQUIRE_THAT(answer.scalar("swap_change"), check::WithinAbs(std::sqrt(mean), 1e-10));

    // All orders of the short input.
    const base::Array<double> few = draws.normal("short content", {N, D});
    const auto [few_entered, few_y] = stack_of(few, in_place(N));
    Rows outputs;
    Order order = in_place(N);
    do outputs.push_back(stack_of(few, order).second.back());
    while (std::next_permutation(order.begin(), order.end() - 1));
    double least = 1e300;
    std::size_t kinds = 0;
    for (std::size_t a = 0; a < outputs.size(); ++a) {
      bool is_new = true;
      for (std::size_t b = 0; b < a; ++b) {
        const double change = apart(outputs[a], outputs[b]) / apart(few_y.back(), few_entered.back());
        least = std::min(least, change);
        is_new = is_new && change > 1e-9;
      }
      kinds += is_new;
    }
    REQUIRE(answer.scalar("orders_told_apart") == static_cast<double>(kinds));
    REQUIRE_THAT(answer.scalar("least_change"), check::WithinAbs(least, 1e-10));

    // The drawn orders are those of orders.hpp; what is made of them is redone here.
    const auto shuffles = random_orders(draws.contents("prefix orders", {N}), N, N - 1, 3);
    mean = 0;
    for (const Order& shuffle : shuffles)
      mean += std::pow(apart(stack_of(content, shuffle).second.back(), y.back()) / written, 2) / 3;
    REQUIRE_THAT(answer.scalar("prefix_change"), check::WithinAbs(std::sqrt(mean), 1e-10));
    if (causal) continue;
    double worst = 0, all = 0;
    for (Index n = 0; n < N; ++n) all += std::pow(apart(y[place(n)], entered[place(n)]), 2);
    for (const Order& shuffle : random_orders(draws.contents("orders", {N}), N, N, 3)) {
      const Rows of_shuffled = stack_of(content, shuffle).second;
      double sum = 0;
      for (Index n = 0; n < N; ++n) sum += std::pow(apart(of_shuffled[place(n)], y[place(shuffle[place(n)])]), 2);
      worst = std::max(worst, std::sqrt(sum / all));
    }
    REQUIRE_THAT(answer.scalar("equivariance_error"), check::WithinAbs(worst, 1e-10));
  }
}

TEST_CASE("order-sensitivity: orders are orders, none leaves all in place, and the last token keeps its place") {
  const base::Stream draw("some orders");
  for (Index N = 2; N < 9; ++N)
    for (Index moved = 2; moved <= N; ++moved) {
      const std::vector<Order> orders = random_orders(draw, N, moved, 20);
      CHECK(orders.size() == 20);
      for (const Order& order : orders) {
        CHECK(std::set<Index>(order.begin(), order.end()).size() == static_cast<std::size_t>(N));
        CHECK(order != in_place(N));
        for (Index n = moved; n < N; ++n) CHECK(order[static_cast<std::size_t>(n)] == n);
      }
    }
  // Every order of three tokens comes up alike: 1/5 of the five that move something.
  std::map<Order, int> seen;
  for (const Order& order : random_orders(draw, 3, 3, 5000)) ++seen[order];
  CHECK(seen.size() == 5);
  for (const auto& [order, times] : seen) CHECK(std::abs(times - 1000) < 150);
  CHECK(all_prefix_orders(5).size() == 24);
  CHECK(all_prefix_orders(5).front() == in_place(5));
  for (const Order& order : all_prefix_orders(4)) CHECK(order.back() == 3);
  CHECK(swaps(6, 2, 100) == std::vector<Order>{{2, 1, 0, 3, 4, 5}, {0, 3, 2, 1, 4, 5}, {0, 1, 4, 3, 2, 5}});
  CHECK(swaps(100, 1, 3).size() == 3);
  CHECK(swaps(100, 1, 3).back()[97] == 98);  // from the first pair to the last
  CHECK(swaps(100, 1, 1).size() == 1);
}

TEST_CASE("order-sensitivity: chains of equal outputs are one kind") {
  base::Array<double> stream{3, 1, 1}, input{1, 1};
  input(0, 0) = -1;
  for (Index b = 0; b < 3; ++b) stream(b, 0, 0) = 0.1 * static_cast<double>(b);
  CHECK(kinds_of_last_token<double>(stream.view(), input.view(), 0.11).count == 1);
  CHECK(kinds_of_last_token<double>(stream.view(), input.view(), 0.09).count == 3);
  CHECK_THAT(kinds_of_last_token<double>(stream.view(), input.view(), 0).least, check::WithinAbs(0.1, 1e-15));
}

TEST_CASE("order-sensitivity: what cannot be asked is refused with its numbers") {
  CHECK_THAT(cells::run(order_cell("none", "causal", 1, {1})).skip, check::contains("1 token has"));
  CHECK_THAT(cells::run(order_cell("none", "causal", 2, {1})).skip, check::contains("2 tokens has"));
  CHECK(cells::run(order_cell("none", "causal", 3, {1})).curve("orders_told_apart")[1] == 2);
  CHECK_THAT(cells::run(order_cell("none", "causal", 9, {1, 8})).skip,
             check::contains("at most 7 apart") && check::contains("distance 8 is"));
  CHECK_THAT(cells::run(order_cell("none", "causal", 9, {1.5})).skip, check::contains("1.5"));
  CHECK_THAT(cells::run(order_cell("none", "causal", 9, {})).skip, check::contains("empty"));
  CHECK_THAT(cells::run(order_cell("alibi", "none")).skip, check::contains("alibi"));
}

TEST_CASE("order-sensitivity: float32 is near, and the bits do not hang on threads") {
  cells::Cell cell = order_cell("rope", "none");
  const cells::Answer in_double = cells::run(cell);
  cell.axes.set("dtype", Value("float32"));
  const cells::Answer in_float = cells::run(cell);
  for (const char* measure : {"prefix_change", "swap_change", "equivariance_error", "shift_change", "least_change"})
    for (std::size_t t = 0; t < in_double.curve(measure).size(); ++t)
      CHECK_THAT(in_float.curve(measure)[t], check::WithinAbs(in_double.curve(measure)[t], 1e-4));
  CHECK(in_float.curve("orders_told_apart") == in_double.curve("orders_told_apart"));
  cell.axes.set("dtype", Value("float64"));
  cells::check_same_bits(cell);
}
