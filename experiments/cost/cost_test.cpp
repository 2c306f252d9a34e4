// SPDX-License-Identifier: Apache-2.0
// Cost against known answers, and against loops that count every operation that they would do.
// Dimension letters: B sequences, N tokens, D model width, H heads, K head width, F hidden units, V tokens that there
// are, L layers.
#include "catch.hpp"
#include "cells.hpp"
#include "thousand.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::data::Value;
using poslab::data::Values;

using cells::whole;

struct Small {
  Index B = 2, N = 5, D = 8, H = 2, F = 12, V = 7, L = 3;
  bool causal = true;
};

Cell cell_of(const std::string& scheme, const Small& s, Values parameters = {}) {
  Cell cell{"cost",
            scheme,
            {{"length", whole(s.N)},
             {"sequences", whole(s.B)},
             {"layers", whole(s.L)},
             {"feed_forward", whole(s.F)},
             {"alphabet", whole(s.V)}}};
  cell.parameters = std::move(parameters);
  cell.model = {s.D, s.H, s.N};
  return cell;
}

// The loops of a network, each operation of which counts itself.
struct Counted {
  Small s;
  double operations = 0, parameters = 0;

  void product(Index rows, Index in, Index out) {  // y += x w, one multiplication and one addition each
    for (Index i = 0; i < rows * in * out; ++i) operations += 2;
  }
  void logits_and_softmax() {
    for (Index h = 0; h < s.H; ++h)
      for (Index m = 0; m < s.N; ++m)
        for (Index n = 0; n < s.N; ++n) {
          if (s.causal && n > m) continue;
          for (Index a = 0; a < s.D / s.H; ++a) operations += 2;  // q k
          operations += 4;                                        // less the largest, exp, to the sum, over it
        }
  }
  void products_with_attention(int count) {
    for (int i = 0; i < count; ++i)
      for (Index h = 0; h < s.H; ++h)
        for (Index m = 0; m < s.N; ++m)
          for (Index n = 0; n < s.N; ++n)
            if (!s.causal || n <= m)
              for (Index a = 0; a < s.D / s.H; ++a) operations += 2;
  }
  double attention() {
    operations = 0;
    product(s.N, s.D, 4 * s.D);
    logits_and_softmax();
    products_with_attention(1);
    return operations;
  }
  double training() {
    operations = 0;
    for (Index b = 0; b < s.B; ++b) {
      for (int pass = 0; pass < 3; ++pass) {  // forward, by inputs, by weights
        for (Index l = 0; l < s.L; ++l) product(s.N, s.D, 4 * s.D), product(s.N, s.D, s.F), product(s.N, s.F, s.D);
        product(s.N, s.D, s.V);
      }
      for (Index l = 0; l < s.L; ++l) {
        logits_and_softmax(), products_with_attention(1);
        logits_and_softmax(), products_with_attention(4);  // again; by values, attention, queries, keys
        for (Index i = 0; i < s.H * s.N * s.N; ++i)        // A (dA - sum A dA)
          if (!s.causal || i % s.N <= i / s.N % s.N) operations += 4;
      }
    }
    count_parameters();
    for (double i = 0; i < parameters; ++i) operations += 3 + 4 + 7;
    return operations;
  }
  void count_parameters() {
    parameters = 0;
    for (int table = 0; table < 2; ++table) parameters += static_cast<double>(s.V * s.D);
    for (Index l = 0; l < s.L; ++l)
      for (const auto& [in, out] : {std::pair{s.D, s.D}, {s.D, s.D}, {s.D, s.D}, {s.D, s.D}, {s.D, s.F}, {s.F, s.D}})
        parameters += static_cast<double>(in * out + out);
    for (Index norm = 0; norm < 2 * s.L + 1; ++norm) parameters += 2 * static_cast<double>(s.D);
  }
};

}  // namespace

TEST_CASE("cost of 1000 small networks without positions, by loops that count") {
  for (Index i = 0; i < check::thousand; ++i) {
    Counted counted;
    const Index H = 1 + i % 3;
    counted.s = {1 + i % 2, 1 + i / 2 % 5, H * (1 + i / 10 % 3), H, 1 + i / 30 % 4, 1 + i / 120 % 4, 1 + i / 480 % 2};
    CAPTURE(i);
    const Answer answer = cells::run(cell_of("none", counted.s));
    REQUIRE(answer.scalar("attention_operations_none") == counted.attention());
    REQUIRE(answer.scalar("training_operations_none") == counted.training());
    REQUIRE(answer.scalar("network_parameters") == counted.parameters);
    REQUIRE(answer.scalar("attention_operations") == counted.attention());
    REQUIRE(answer.scalar("training_operations") == answer.scalar("training_operations_none"));
    for (const std::string nothing :
         {"scheme_parameters", "frozen_parameters", "bytes", "training_bytes", "encode_operations"})
      REQUIRE(answer.scalar(nothing) == 0);
  }
}

TEST_CASE("cost of known schemes: parameters, and what they add to attention and training") {
  const Small s;
  const double B = 2, N = 5, D = 8, H = 2, K = 4, L = 3, P = 15;
  const Answer none = cells::run(cell_of("none", s));
  const auto added = [&](const Answer& answer, const std::string& what) {
    return answer.scalar(what) - none.scalar(what);
  };
  const auto check = [&](const std::string& scheme, const Values& parameters, double learned, double encode,
                         double attention, double training) {
    CAPTURE(scheme);
    const Answer answer = cells::run(cell_of(scheme, s, parameters));
    REQUIRE(answer.skip.empty());
    CHECK(answer.scalar("scheme_parameters") == learned);
    CHECK(answer.scalar("bytes") == 8 * (learned + answer.scalar("frozen_parameters")));
    CHECK(answer.scalar("training_bytes") == answer.scalar("bytes") + 24 * learned);
    CHECK(answer.scalar("encode_operations") == encode);
    CHECK(added(answer, "attention_operations") == attention);
    CHECK(added(answer, "training_operations") == training + 14 * learned);
    CHECK(added(answer, "network_parameters") == 0);
  };
  check("sinusoidal", {}, 0, 2 * N * D, 0, N * D + B * N * D);
  check("learned", {}, N * D, 2 * N * D, 0, N * D + 2 * B * N * D);
  check("rope", {}, 0, 0, 2 * N * D, L * B * 4 * N * D);
  check("alibi", {}, 0, 0, 2 * P * H, L * 2 * (P * H + B * P * H));
  check("t5", {}, 32 * H, 0, 2 * P * H, L * (2 * (P * H + B * P * H) + B * P * H));
  const double clip = 4;
  check("shaw", {{"clip", whole(4)}}, L * 2 * (2 * clip + 1) * K, 0, P * H + N * D,
        L * (3 * B * P * H + 2 * B * N * D));
  check("fox", {}, L * (H * D + H), 0, P * H, L * 3 * B * P * H);  // gates of each layer
}

TEST_CASE("cost: without a causal mask every query sees every key") {
  Small s;
  s.N = 6;
  Counted counted;
  counted.s = s;
  counted.s.causal = false;
  const Answer answer = cells::run(cell_of("fox", s, {{"bidirectional", Value(true)}}));
  CHECK(answer.scalar("attention_operations_none") == counted.attention());
  CHECK(answer.scalar("training_operations_none") == counted.training());
}

TEST_CASE("cost in float32: half the bytes, and a weight that no training changes is frozen") {
  Cell cell = cell_of("learned", {});
  cell.axes.set("dtype", Value("float32"));
  CHECK(cells::run(cell).scalar("bytes") == 4 * 5 * 8);
  const Answer fourier = cells::run(cell_of("random-fourier", {}));
  CHECK(fourier.scalar("scheme_parameters") == 0);
  CHECK(fourier.scalar("frozen_parameters") > 0);
  CHECK(fourier.scalar("training_bytes") == fourier.scalar("bytes"));
}

TEST_CASE("cost counts the same whatever it does to be timed") {
  for (const std::string scheme : {"none", "learned", "rope", "t5", "shaw", "fox"}) {
    const Answer counted = cells::run(cell_of(scheme, {}));
    for (const std::string timed : {"encode", "attention", "training-step"})
      for (const std::string dtype : {"float64", "float32"}) {
        Cell cell = cell_of(scheme, {});
        cell.axes.set("timed", Value(timed));
        cell.axes.set("dtype", Value(dtype));
        cell.axes.set("times", whole(2));
        CAPTURE(scheme, timed, dtype);
        const Answer answer = cells::run(cell);
        REQUIRE(answer.skip.empty());
        CHECK(answer.record.measurements().size() == 10);  // and no seconds among them
        for (const std::string same : {"scheme_parameters", "attention_operations", "training_operations"})
          CHECK(answer.scalar(same) == counted.scalar(same));
      }
  }
}

TEST_CASE("cost of one token and of two, and positions that a scheme does not have") {
  Small s;
  s.N = 1;
  CHECK(cells::run(cell_of("alibi", s)).scalar("attention_operations") == 8 * 64 + 4 * 8 + 4 * 2 + 2 * 2);
  s.N = 2;
  CHECK(cells::run(cell_of("none", s)).scalar("attention_operations") == 8 * 2 * 64 + 3 * (4 * 8 + 4 * 2));
  s.N = 9;
  CHECK_THAT(cells::run(cell_of("learned", s, {{"max_length", whole(8)}})).skip, check::contains("position 8"));
}
