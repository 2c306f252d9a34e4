// SPDX-License-Identifier: Apache-2.0
// Content independence against known answers, closed forms, and plain loops over the definition.
// Dimension letters: C contents, N positions, D model width, H heads, K head width.
#include <cmath>

#include "answers.hpp"
#include "catch.hpp"
#include "poslab/data/draws.hpp"
#include "thousand.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::base::Array;
using poslab::data::Draws;
using poslab::data::Mark;
using poslab::data::Value;
using poslab::data::Values;
using poslab::host::Scheme;

using cells::whole;

Cell cell_of(const std::string& scheme, Index N, Index C, Values parameters = {}, Index D = 32, Index H = 2) {
  Cell cell{"content-independence", scheme, {{"length", whole(N)}, {"contents", whole(C)}}};
  cell.parameters = std::move(parameters);
  cell.model = {D, H, N};
  return cell;
}

// What the definition says, by plain loops, of a scheme whose part c in the logit of two vectors is known:
// c(q, k, m, n, h), with q and k the K numbers of head h of contents of variance 1.
struct Naive {
  double size = 0, spread = 0, curvature = 0;
  std::vector<double> by_offset;

  template <class Part>
  Naive(const Cell& cell, const Part& part) {
    const Index N = cell.axes.integer("length"), C = cell.axes.integer("contents"), D = cell.model.model_width,
                H = cell.model.heads, K = D / H;
    const Draws draws(20261121, cell.experiment, cell.scheme, 0);
    const Array<double> x = draws.normal("query", {C, N, D}), y = draws.normal("key", {C, N, D});
    by_offset.assign(static_cast<std::size_t>(N), 0);
    double pairs = 0, bends = 0;
    using Vector = std::vector<double>;
    const auto row = [&](const Array<double>& of, Index c, Index n, Index h) {
      const double* first = of.data() + (c * N + n) * D + h * K;
      return Vector(first, first + K);
    };
    const auto plus = [](Vector a, const Vector& b) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
      return a;
    };
    const Vector zero(static_cast<std::size_t>(K), 0.0);
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m < N; ++m)
        for (Index n = 0; n <= m; ++n) {
          double sum = 0, squares = 0;
          for (Index c = 0; c < C; ++c) {
            const double added = part(row(x, c, m, h), row(y, c, n, h), m, n, h);
            sum += added / static_cast<double>(C);
            squares += added * added / static_cast<double>(C);
          }
          double variance = 0;
          for (Index c = 0; c < C; ++c) {
            const double apart = part(row(x, c, m, h), row(y, c, n, h), m, n, h) - sum;
            variance += apart * apart / static_cast<double>(C - 1);
          }
          for (Index c = 0; c + 1 < C; c += 2) {
            const Vector q = row(x, c, m, h), q2 = row(x, c + 1, m, h), k = row(y, c, n, h), k2 = row(y, c + 1, n, h);
            const double in_q =
                part(plus(q, q2), k, m, n, h) - part(q, k, m, n, h) - part(q2, k, m, n, h) + part(zero, k, m, n, h);
            const double in_k =
                part(q, plus(k, k2), m, n, h) - part(q, k, m, n, h) - part(q, k2, m, n, h) + part(q, zero, m, n, h);
            curvature += in_q * in_q + in_k * in_k;
            bends += 2;
          }
          size += squares;
          spread += variance;
          by_offset[static_cast<std::size_t>(m - n)] += variance / static_cast<double>((N - (m - n)) * H);
          pairs += 1;
        }
    size = std::sqrt(size / pairs);
    spread = std::sqrt(spread / pairs);
    curvature = bends > 0 ? std::sqrt(curvature / bends) : 0;
    for (double& variance : by_offset) variance = std::sqrt(variance);
  }

  void compare(const Answer& answer, double allowed = 1e-11) const {
    const double unit = allowed * answer.scalar("logit_size");
    REQUIRE(answer.scalar("size") == check::Approx(size).epsilon(1e-10).margin(unit));
    REQUIRE(answer.scalar("content_spread") == check::Approx(spread).epsilon(1e-10).margin(unit));
    REQUIRE(answer.scalar("curvature") == check::Approx(curvature).epsilon(1e-9).margin(unit));
    for (std::size_t r = 0; r < by_offset.size(); ++r)
      REQUIRE(answer.curve("spread_by_offset")[r] == check::Approx(by_offset[r]).epsilon(1e-10).margin(unit));
  }
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double frequency(Index plane, Index width) {
  return std::pow(1e4, -2 * static_cast<double>(plane) / static_cast<double>(width));
}

double sinusoid(Index p, Index c, Index D) {
  const double angle = static_cast<double>(p) * frequency(c / 2, D);
  return c % 2 ? std::cos(angle) : std::sin(angle);
}

}  // namespace

TEST_CASE("content independence: nothing differs where a bias of the offset is added, or nothing") {
  const std::string scheme = GENERATE("none", "alibi", "t5", "kerple", "sandwich", "fire");
  CAPTURE(scheme);
  const Cell cell = cell_of(scheme, 24, 6);
  const Answer answer = cells::run(cell);
  REQUIRE(answer.skip.empty());
  const double rounding = 1e-12 * answer.scalar("logit_size");
  CHECK(answer.scalar("content_spread") <= rounding);
  CHECK(answer.scalar("curvature") <= rounding);
  CHECK(answer.scalar("content_share") <= 1e-20);
  CHECK((answer.scalar("size") == 0) == (scheme == "none"));
  if (scheme == "none") {
    CHECK(answer.scalar("content_spread") == 0);
    CHECK(answer.scalar("logit_size") == check::Approx(1).epsilon(0.1));
  }
  CHECK(cells::answer_to(cell, {answer.record}).mark == Mark::yes);
}

TEST_CASE("content independence of ALiBi: what is added is its slope times the offset") {
  const Index N = 20;
  const Answer answer = cells::run(cell_of("alibi", N, 4));  // slopes 2^-4 and 2^-8
  double squares = 0, pairs = 0;
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n <= m; ++n, pairs += 2)
      squares += static_cast<double>((m - n) * (m - n)) * (std::pow(2, -8) + std::pow(2, -16));
  CHECK(answer.scalar("size") == check::Approx(std::sqrt(squares / pairs)).epsilon(1e-12));
}

TEST_CASE("content independence of RoPE: the variance at offset r is 4 / K sum (1 - cos r theta)") {
  const Index N = 32, K = 16;
  const Cell cell = cell_of("rope", N, 500);
  const Answer answer = cells::run(cell);
  CHECK(answer.curve("spread_by_offset")[0] < 1e-14);
  for (const Index r : {1, 4, 12}) {
    double variance = 0;
    for (Index m = 0; m < K / 2; ++m) variance += 4.0 / K * (1 - std::cos(static_cast<double>(r) * frequency(m, K)));
    CHECK(answer.curve("spread_by_offset")[static_cast<std::size_t>(r)] ==
          check::Approx(std::sqrt(variance)).epsilon(0.02));
  }
  CHECK(answer.scalar("content_share") == check::Approx(1).epsilon(0.02));
  CHECK(answer.scalar("curvature") < 1e-13);
  CHECK(cells::answer_to(cell, {answer.record}).mark == Mark::partly);
}

TEST_CASE("content independence of the sinusoid: queries and keys meet codes of norm sqrt(K / 2): the spread is 1") {
  const Cell cell = cell_of("sinusoidal", 32, 32);
  const Answer answer = cells::run(cell);
  CHECK(answer.scalar("content_spread") == check::Approx(1).epsilon(0.02));
  CHECK(answer.scalar("curvature") < 1e-13);
  CHECK(answer.scalar("content_share") < 0.9);
  CHECK(cells::answer_to(cell, {answer.record}).mark == Mark::partly);
}

TEST_CASE("content independence of Shaw: the spread at offset r is the norm of a_r over sqrt(K)") {
  const Index N = 24, clip = 6, K = 16;
  const Cell cell = cell_of("shaw", N, 40, {{"clip", whole(clip)}, {"init_std", Value(0.5)}});
  const Answer answer = cells::run(cell);
  REQUIRE(answer.skip.empty());
  const Scheme scheme(cells::plugin("shaw"), cell.parameters, cell.model);
  const auto weights = scheme.draw_weights(Draws(20261121, cell.experiment, cell.scheme, 0));
  const Array<double>& keys = weights.arrays()[0][0];
  const auto row_of = [&](Index r) {  // the page of Shaw counts offsets key - query
    std::vector<double> row(static_cast<std::size_t>(K));
    for (Index a = 0; a < K; ++a) row[static_cast<std::size_t>(a)] = keys(clip - std::min(r, clip), a);
    return row;
  };
  for (const Index r : {0, 1, 3, 6, 10}) {
    const std::vector<double> row = row_of(r);
    CHECK(answer.curve("spread_by_offset")[static_cast<std::size_t>(r)] ==
          check::Approx(std::sqrt(product(row, row) / K)).epsilon(0.08));
  }
  Naive(cell, [&](const auto& q, const auto&, Index m, Index n, Index) {
    return product(q, row_of(m - n)) / std::sqrt(static_cast<double>(K));
  }).compare(answer);
  CHECK(answer.scalar("curvature") < 1e-13);
  CHECK(cells::answer_to(cell, {answer.record}).mark == Mark::partly);
}

TEST_CASE("content independence: schemes that look at the content are not linear in it") {
  const std::string scheme = GENERATE("fox", "cope", "cable", "path", "selective-rope", "dape", "pope");
  CAPTURE(scheme);
  Values parameters;
  if (scheme == "cope") parameters = {{"init_std", Value(0.5)}};
  const Cell cell = cell_of(scheme, 24, 4, parameters);
  const Answer answer = cells::run(cell);
  REQUIRE(answer.skip.empty());
  CHECK(answer.scalar("content_spread") > 1e-4);
  CHECK(answer.scalar("curvature") > 1e-6);
  CHECK(cells::answer_to(cell, {answer.record}).mark == Mark::no);
}

TEST_CASE("content independence of 1000 small cases, by plain loops over the definition") {
  const std::vector<std::string> schemes{"alibi", "rope", "sinusoidal", "none"};
  for (Index i = 0; i < check::thousand; ++i) {
    const std::string& scheme = schemes[static_cast<std::size_t>(i) % schemes.size()];
    const Index H = Index{1} << i / 4 % 3, K = 2 * (1 + i / 12 % 3), N = 1 + i / 36 % 6, C = 2 + i / 7 % 4;
    const Cell cell = cell_of(scheme, N, C, {}, H * K, H);
    CAPTURE(i, scheme, H, K, N, C);
    const double scale = 1 / std::sqrt(static_cast<double>(K));
    const auto part = [&](const auto& q, const auto& k, Index m, Index n, Index h) -> double {
      if (scheme == "alibi")
        return -std::pow(2, -8 * static_cast<double>(h + 1) / static_cast<double>(H)) * static_cast<double>(m - n);
      if (scheme == "none") return 0;
      double moved = 0;
      for (Index c = 0; c < K; ++c) {
        const auto a = static_cast<std::size_t>(c);
        if (scheme == "sinusoidal")
          moved += (q[a] + sinusoid(m, h * K + c, H * K)) * (k[a] + sinusoid(n, h * K + c, H * K));
        else if (c % 2 == 0) {  // the plane of c and c + 1, rotated by the difference of the angles
          const double angle = static_cast<double>(m - n) * frequency(c / 2, K);
          moved += std::cos(angle) * (q[a] * k[a] + q[a + 1] * k[a + 1]) +
                   std::sin(angle) * (q[a] * k[a + 1] - q[a + 1] * k[a]);
        }
      }
      return scale * (moved - product(q, k));
    };
    const Answer answer = cells::run(cell);
    REQUIRE(answer.skip.empty());
    Naive(cell, part).compare(answer);
  }
}

TEST_CASE("content independence of one and two tokens, in float32, and where nothing but rounding is added") {
  const Answer one = cells::run(cell_of("rope", 1, 2));
  CHECK(one.scalar("size") == 0);
  CHECK(one.scalar("content_share") == 0);
  CHECK(one.curve("spread_by_offset") == std::vector<double>{0});
  CHECK(cells::run(cell_of("rope", 2, 3)).curve("spread_by_offset").size() == 2);
  Cell cell = cell_of("sinusoidal", 16, 8);
  const Answer in_double = cells::run(cell);
  cell.axes.set("dtype", Value("float32"));
  const Answer in_float = cells::run(cell);
  CHECK(in_float.scalar("content_spread") == check::Approx(in_double.scalar("content_spread")).epsilon(1e-5));
  CHECK(cells::answer_to(cell, {in_float.record}).mark == Mark::partly);
  CHECK_FALSE(cells::run(cell_of("learned", 8, 4, {{"init_std", Value(3e-16)}})).has("content_share"));
}

TEST_CASE("content independence refuses one content, and positions that the scheme does not have") {
  CHECK_THAT(cells::run(cell_of("rope", 8, 1)).skip, check::contains("contents = 2 or more"));
  CHECK_THAT(cells::run(cell_of("learned", 9, 2, {{"max_length", whole(8)}})).skip, check::contains("position 8"));
}

TEST_CASE("content independence: nothing is said where logits are rounded by more than matters") {
  // Contents differ by 70,780 nat in logits of 1e10 nat, which float32 keeps to 1,000.
  Cell cell = cell_of("index", 64, 4, {}, 16);
  cell.placement.policy = poslab::data::Placement::Policy::shifted;
  cell.placement.by = 200000;
  CHECK(cells::answer_of(cell).mark == Mark::partly);
  cell.axes.set("dtype", Value("float32"));
  const poslab::data::Answer in_float = cells::answer_of(cell);
  CHECK(in_float.mark == Mark::cannot_tell);
  CHECK_FALSE(in_float.numbers.empty());
  CHECK_THAT(in_float.sentence, check::contains("which tells nothing") && check::contains("rounded to float32") &&
                                    check::contains("e+05 nat off"));
  cell.placement.by = 0;
  CHECK(cells::answer_of(cell).mark == Mark::partly);
  // Positions of 9e15 are as large as float64 counts in steps of 1.
  cell.axes.set("dtype", Value("float64"));
  cell.placement.by = 9000000000000000;
  CHECK(cells::answer_of(cell).mark == Mark::cannot_tell);
  cell.scheme = "alibi";
  CHECK(cells::answer_of(cell).mark == Mark::yes);  // of the distance alone, which is small
}

TEST_CASE("content independence: one token and itself tell no more than that") {
  for (const std::string scheme : {"none", "rope", "normalised-index", "alibi", "fox", "path", "sinusoidal"}) {
    CAPTURE(scheme);
    const poslab::data::Answer answer = cells::answer_of(cell_of(scheme, 1, 4));
    CHECK(answer.mark == Mark::cannot_tell);
    CHECK(answer.numbers.empty() == (scheme != "sinusoidal"));
    CHECK_THAT(answer.sentence, check::contains("no pair was looked at but one token and itself"));
  }
  CHECK(cells::answer_of(cell_of("pope", 1, 4)).mark == Mark::no);  // a failure is one wherever it is seen
  CHECK(cells::answer_of(cell_of("none", 2, 4)).mark == Mark::yes);
}

TEST_CASE("content independence: a code that meets a third token in a product is none of its own") {
  for (const char* which : {"last", "first"}) {
    CAPTURE(which);
    Cell cell = cell_of("third-token", 14, 4);
    cell.parameters = {{"which", Value(which)}};
    const Answer answer = cells::run(cell);
    CHECK(answer.scalar("curvature") <= 1e-12 * answer.scalar("logit_size"));  // it is linear in keys
    CHECK(cells::answer_of(cell).mark == Mark::no);
    // By the definition: 0.1 (m - n) times the change of that key, less the mean over the keys that are compared.
    const Index N = 14, C = 4, D = cell.model.model_width, H = cell.model.heads,
                third = std::string(which) == "last" ? N - 1 : 0;
    const Array<double> y = Draws(20261121, cell.experiment, cell.scheme, 0).normal("key", {C, N, D});
    double squares = 0, pairs = 0;
    for (Index c = 0; c < C; c += 2)
      for (Index k = 0; k < 3; ++k)
        for (Index h = 0; h < H; ++h)
          for (Index m = 0; m < N; ++m) {
            const double moved = third % 3 == k ? y(c + 1, third, h * D / H) - y(c, third, h * D / H) : 0;
            std::vector<double> changes;
            for (Index n = 0; n <= m && m % 3 != k; ++n)
              if (n % 3 != k) changes.push_back(0.1 * static_cast<double>(m - n) * moved);
            double mean = 0;
            for (const double change : changes) mean += change / static_cast<double>(changes.size());
            for (const double change : changes) squares += (change - mean) * (change - mean), pairs += 1;
          }
    CHECK(answer.scalar("third_token") == check::Approx(std::sqrt(squares / pairs)).epsilon(1e-12));
  }
  for (const std::string scheme : {"shaw", "transformer-xl", "rope", "none"})
    CHECK(cells::run(cell_of(scheme, 24, 4)).scalar("third_token") == 0);
  for (const std::string scheme : {"fox", "path"})
    CHECK(cells::run(cell_of(scheme, 24, 4)).scalar("third_token") > 1e-3);
  CHECK_FALSE(cells::run(cell_of("shaw", 2, 4)).has("third_token"));
}

TEST_CASE("content independence: what moves no attention is told by its size, and is no cross") {
  const Cell cell = cell_of("rope", 16, 4);
  const auto said = [&](double spread, double curvature) {
    poslab::data::Record record;
    record.scalar("logit_size", 2);
    record.scalar("size", 1.5);
    record.scalar("content_spread", spread);
    record.scalar("curvature", curvature);
    return cells::answer_to(cell, {record});
  };
  CHECK(said(5.7e-12, 3e-12).mark == Mark::partly);
  CHECK(numbers_text(said(5.7e-12, 3e-12)) == "to 6e-12");
  CHECK(numbers_text(said(1e-13, 3e-12)) == "to 3e-12");
  CHECK(said(0.5, 3e-12).mark == Mark::partly);
  CHECK(numbers_text(said(0.5, 3e-12)) == "0.5");
  CHECK_THAT(said(0.5, 3e-12).sentence, check::contains("to 3e-12 nat"));
  CHECK(said(0.5, 1e-7).mark == Mark::no);
}

TEST_CASE("content independence: what the answer says of repeats") {
  const Cell cell = cell_of("rope", 16, 4);
  const auto record_of = [](double spread, double curvature, double logit_size = 2) {
    poslab::data::Record record;
    record.scalar("logit_size", logit_size);
    record.scalar("size", 1.5);
    record.scalar("content_spread", spread);
    record.scalar("curvature", curvature);
    return record;
  };
  CHECK(cells::answer_to(cell, {record_of(1.9e-12, 1e-12)}).mark == Mark::yes);
  const poslab::data::Answer partly = cells::answer_to(cell, {record_of(0.4, 1e-12), record_of(0.6, 1.9e-12)});
  CHECK(partly.mark == Mark::partly);
  CHECK(numbers_text(partly) == "0.50 ± 0.10");
  CHECK(cells::answer_to(cell, {record_of(0.4, 1e-12), record_of(0.6, 2.1e-7)}).mark == Mark::no);
  CHECK(cells::answer_to(cell, {record_of(0, 2.1e-7)}).mark == Mark::no);  // sums of contents differ
  // At 1e11 nat the tolerance is 0.1; what matters is 0.01, and one rounding of 4.6e13 is more.
  CHECK(cells::answer_to(cell, {record_of(0.009, 0.009, 1e11)}).mark == Mark::yes);
  CHECK(cells::answer_to(cell, {record_of(0.011, 0.009, 1e11)}).mark == Mark::cannot_tell);
  const poslab::data::Answer bent = cells::answer_to(cell, {record_of(0.2, 0.011, 1e11)});
  CHECK(bent.mark == Mark::cannot_tell);
  CHECK_THAT(bent.sentence, check::contains("whether linearly in queries and keys cannot be told"));
  CHECK(cells::answer_to(cell, {record_of(0.2, 0.009, 1e11)}).mark == Mark::partly);
  CHECK(cells::answer_to(cell, {record_of(0, 0, 4.4e13)}).mark == Mark::yes);
  CHECK(cells::answer_to(cell, {record_of(0, 0, 4.6e13)}).mark == Mark::cannot_tell);
}
