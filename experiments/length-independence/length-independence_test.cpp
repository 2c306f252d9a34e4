// SPDX-License-Identifier: Apache-2.0
// Length independence against known answers, closed forms, and plain loops over the definition.
// Dimension letters: N trained length, T length of another context, D model width.
#include <algorithm>
#include <cmath>

#include "answers.hpp"
#include "catch.hpp"
#include "poslab/base/random.hpp"
#include "thousand.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::base::Array;
using poslab::data::Mark;
using poslab::data::Value;
using poslab::data::Values;
using poslab::host::Scheme;

using cells::whole;

Cell cell_of(const std::string& scheme, std::int64_t N, std::vector<double> multiples, Values parameters = {}) {
  Cell cell{"length-independence", scheme, {{"length", whole(N)}, {"multiple", Value(std::move(multiples))}}};
  cell.parameters = std::move(parameters);
  cell.model = {16, 2, N};
  return cell;
}

// The definition for schemes that add a code, by one call of the scheme for each position.
struct Naive {
  double norm = 0, mean = 0, largest = 0;

  Naive(const Cell& cell, Index N, Index T) {
    const Scheme scheme(cells::plugin(cell.scheme), cell.parameters, cell.model);
    double sizes = 0, squares = 0;
    for (Index p = 0; p < N; ++p) {
      const std::vector<double> trained = code(scheme, N, N, p);
      for (const double x : trained) sizes += x * x;
      if (p >= T) continue;
      const std::vector<double> other = code(scheme, T, N, p);
      double distance = 0;
      for (std::size_t c = 0; c < other.size(); ++c) distance += (other[c] - trained[c]) * (other[c] - trained[c]);
      squares += distance;
      largest = std::max(largest, std::sqrt(distance));
    }
    norm = std::sqrt(sizes / static_cast<double>(N));
    mean = std::sqrt(squares / static_cast<double>(std::min(N, T)));
  }

 private:
  static std::vector<double> code(const Scheme& scheme, Index length, Index trained, Index p) {
    const Index D = scheme.model().model_width, H = scheme.model().heads;
    const Array<double> position = poslab::experiments::ExperimentInput::positions(p, 1);
    Array<double> row{1, D}, ones{H, 1, D / H};
    ones.fill(1);
    if (scheme.has(poslab::host::Operation::encode))
      scheme.encode<double>({length, trained, true}, position, {}, row);
    else
      scheme.transform<double>({length, trained, true}, poslab::host::Side::key, position, {}, ones);
    const Array<double>& made = scheme.has(poslab::host::Operation::encode) ? row : ones;
    return {made.flat().begin(), made.flat().end()};
  }
};

double drawn(std::uint64_t& state, double lowest, double highest) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return lowest + (highest - lowest) * static_cast<double>(state >> 11) * 0x1p-53;
}

}  // namespace

TEST_CASE("length independence: none, the sinusoid, RoPE, ALiBi, T5, Shaw and a table are the same in every context") {
  const std::string scheme =
      GENERATE("none", "sinusoidal", "index", "rope", "alibi", "t5", "shaw", "learned", "kerple", "rope-2d");
  CAPTURE(scheme);
  if (scheme == "rope-2d") {  // positions of two axes
    CHECK_FALSE(cells::run(cell_of(scheme, 32, {0.5, 4})).skip.empty());
    return;
  }
  const Cell cell = cell_of(scheme, 32, {0.5, 1, 4}, scheme == "t5" ? Values{} : Values{});
  const Answer answer = cells::run(cell);
  REQUIRE(answer.skip.empty());
  CHECK(answer.curve("change") == std::vector<double>{0, 0, 0});
  CHECK(answer.curve("largest_change") == std::vector<double>{0, 0, 0});
  for (const double distance : answer.curve("moved")) CHECK((distance == 0 || std::isnan(distance)));
  CHECK(std::isnan(answer.curve("moved")[16]));  // not in the context of 16 tokens
  CHECK(answer.curve("moved")[15] == 0);
  CHECK(answer.has("same_place_change") ==
        (scheme == "alibi" || scheme == "t5" || scheme == "shaw" || scheme == "kerple"));
  CHECK(cells::answer_to(cell, {answer.record}).mark == Mark::yes);
  CHECK((answer.scalar("norm") == 0) == (scheme == "none"));
}

TEST_CASE("length independence of the normalised index: by 1 - (N - 1) / (T - 1) of its size, at every position") {
  const Index N = 33;
  const Answer answer = cells::run(cell_of("normalised-index", N, {0.5, 2, 4}));
  const std::vector<double> lengths{16, 66, 132};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double share = 1 - static_cast<double>(N - 1) / (lengths[i] - 1);
    for (Index p = 0; p < std::min(N, static_cast<Index>(lengths[i])); ++p)
      CHECK(answer.curve("moved")[i * N + static_cast<std::size_t>(p)] ==
            check::Approx(std::abs(share) * static_cast<double>(p) / static_cast<double>(N - 1)).margin(1e-15));
    if (lengths[i] < static_cast<double>(N)) continue;
    CHECK(answer.curve("change")[i] == check::Approx(share).epsilon(1e-13));
  }
  // The last position moves farthest: its code is 1, and sqrt of the mean square is below it.
  CHECK(answer.curve("largest_change")[2] == check::Approx((1 - 32.0 / 131) / answer.scalar("norm")).epsilon(1e-13));
  double squares = 0;
  for (Index p = 0; p < N; ++p) squares += static_cast<double>(p * p) / 1024.0 / static_cast<double>(N);
  CHECK(answer.scalar("norm") == check::Approx(std::sqrt(squares)).epsilon(1e-14));
  CHECK(cells::answer_of(cell_of("normalised-index", N, {0.5, 2})).mark == Mark::no);
}

TEST_CASE("length independence of dynamic NTK: the same up to the trained length, other frequencies beyond") {
  const Index N = 64, K = 8;
  const double base = 1e4, factor = 2;
  const Cell cell = cell_of("rope", N, {0.5, 1, 2}, {{"scaling", Value("dynamic-ntk")}, {"factor", Value(factor)}});
  const Answer answer = cells::run(cell);
  REQUIRE(answer.skip.empty());
  CHECK(answer.curve("largest_change")[0] == 0);
  CHECK(answer.curve("largest_change")[1] == 0);
  // T = 2 N: base' = base (factor T / N - (factor - 1))^(K / (K - 2)); |T_p 1| = sqrt(2) a plane.
  const double T = 2 * N, k = K, stretched = base * std::pow(factor * T / N - (factor - 1), k / (k - 2));
  for (const Index p : {Index{0}, Index{1}, Index{40}, N - 1}) {
    double squares = 0;
    for (Index m = 0; m < K / 2; ++m) {
      const double exponent = -2.0 * static_cast<double>(m) / k, at = static_cast<double>(p);
      squares += 2 * (2 - 2 * std::cos(at * std::pow(stretched, exponent) - at * std::pow(base, exponent)));
    }
    CHECK(answer.curve("moved")[static_cast<std::size_t>(2 * N + p)] ==
          check::Approx(std::sqrt(2 * squares)).margin(1e-7).epsilon(1e-9));  // two heads
  }
  CHECK(answer.scalar("norm") == check::Approx(4).epsilon(1e-13));
  CHECK(cells::answer_to(cell, {answer.record}).mark == Mark::partly);
}

TEST_CASE("length independence of FIRE: queries beyond L measure by another unit, a query that stays does not") {
  const Cell cell = cell_of("fire", 64, {0.5, 1, 4}, {{"init_l", Value(64.0)}});
  const Answer answer = cells::run(cell);
  CHECK(answer.curve("largest_change")[0] == 0);
  CHECK(answer.curve("largest_change")[1] == 0);
  CHECK(answer.curve("largest_change")[2] > 0.01);
  CHECK(std::isnan(answer.curve("same_place_change")[0]));
  CHECK(answer.curve("same_place_change")[1] == 0);
  CHECK(answer.curve("same_place_change")[2] == 0);
  CHECK(cells::answer_to(cell, {answer.record}).mark == Mark::partly);
  CHECK(cells::answer_of(cell_of("fire", 64, {0.5, 4}, {{"init_l", Value(1.0)}})).mark == Mark::no);
}

TEST_CASE("length independence of 1000 small cases, by one call of the scheme for each position") {
  std::uint64_t state = 20261122;
  const std::vector<std::string> schemes{"normalised-index", "sinusoidal", "rope", "fourier"};
  int moved = 0;
  for (int i = 0; i < check::thousand; ++i) {
    const auto N = static_cast<Index>(drawn(state, 1, 20));
    const double multiple = drawn(state, 1, 30) / static_cast<double>(N);
    const std::string& scheme = schemes[static_cast<std::size_t>(i) % schemes.size()];
    Values parameters;
    if (scheme == "rope") parameters = {{"scaling", Value("dynamic-ntk")}, {"factor", Value(drawn(state, 1, 8))}};
    if (scheme == "normalised-index") parameters = {{"denominator", Value(i % 8 < 4 ? "length" : "length-minus-1")}};
    if (scheme == "fourier") parameters = {{"normalise_by", Value("length")}};
    const Cell cell = cell_of(scheme, N, {multiple}, parameters);
    const auto T = static_cast<Index>(std::floor(multiple * static_cast<double>(N) + 1e-9));
    CAPTURE(i, scheme, N, T);
    const Answer answer = cells::run(cell);
    REQUIRE(answer.skip.empty());
    const Naive naive(cell, N, T);
    REQUIRE(answer.scalar("norm") == check::Approx(naive.norm).epsilon(1e-12));
    double largest = 0;
    for (const double distance : answer.curve("moved"))
      if (!std::isnan(distance)) largest = std::max(largest, distance);
    REQUIRE(largest == check::Approx(naive.largest).epsilon(1e-12));
    if (naive.norm == 0) continue;
    REQUIRE(answer.curve("change")[0] == check::Approx(naive.mean / naive.norm).epsilon(1e-12).margin(1e-300));
    moved += naive.largest > 0;
  }
  CHECK(moved > 4 * check::thousand / 10);
}

TEST_CASE("length independence: codes of zeros that become others have no share of their size") {
  // One token: the normalised index has the code 0 there, and from -1 on in a symmetric range.
  const Cell cell =
      cell_of("normalised-index", 1, {1, 3}, {{"range", Value("symmetric")}, {"denominator", Value("length")}});
  const Answer answer = cells::run(cell);
  CHECK(answer.scalar("norm") == 1);  // 2 * 0 / 1 - 1
  const Answer one = cells::run(cell_of("normalised-index", 1, {3}));
  CHECK(one.scalar("norm") == 0);
  CHECK(one.curve("change") == std::vector<double>{0});
  const Answer two = cells::run(cell_of("normalised-index", 2, {0.5, 3}));
  CHECK(two.curve("moved")[0] == 0);
  CHECK(two.curve("moved")[3] == check::Approx(1 - 1.0 / 5).epsilon(1e-15));
}

TEST_CASE("length independence: m N is rounded down as decimals have it") {
  // 0.29 * 100 is 28.999999999999996 in binary. Contexts of 29 tokens share 29 positions with one of 100.
  const Answer answer = cells::run(cell_of("normalised-index", 100, {0.29, 0.57}));
  for (const auto& [first, T] : {std::pair<std::size_t, std::size_t>{0, 29}, {100, 57}}) {
    CHECK_FALSE(std::isnan(answer.curve("moved")[first + T - 1]));
    CHECK(std::isnan(answer.curve("moved")[first + T]));
  }
}

TEST_CASE("length independence in float32, twice the same bits") {
  Cell cell = cell_of("normalised-index", 40, {0.5, 2});
  const Answer in_double = cells::run(cell);
  cell.axes.set("dtype", Value("float32"));
  const Answer in_float = cells::run(cell);
  CHECK(in_float.curve("change")[1] == check::Approx(in_double.curve("change")[1]).epsilon(1e-6));
  CHECK(in_float.curve("change")[1] != in_double.curve("change")[1]);
  CHECK(cells::run(cell).curve("moved")[50] == in_float.curve("moved")[50]);
}

TEST_CASE("length independence refuses what has no code, no other context, and positions that are not 0, 1, 2") {
  const std::string contextual = GENERATE("fox", "cope", "path", "cable");
  CHECK_THAT(cells::run(cell_of(contextual, 32, {2})).skip, check::contains("depends on the content"));
  CHECK_THAT(cells::run(cell_of("rope", 32, {})).skip, check::contains("list of multiples is empty"));
  CHECK_THAT(
      cells::run(cell_of("rope", 32, {0.03, 2})).skip,
      check::contains("0.03 times a length of 32 is less than one token") && check::contains("at least 0.03125"));
  CHECK_THAT(cells::run(cell_of("alibi", std::int64_t{1} << 40, {1, 1e6})).skip, check::contains("counted exactly"));
  Cell grid = cell_of("rope-2d", 16, {2});
  grid.placement = cells::grid({4, 4});
  CHECK_THAT(cells::run(grid).skip, check::contains("grid"));
  CHECK_THAT(cells::run(cell_of("learned", 65, {2}, {{"max_length", whole(64)}})).skip, check::contains("position 64"));
}

TEST_CASE("length independence: what the answer says of repeats") {
  const Cell cell = cell_of("fire", 64, {0.5, 2});
  poslab::data::Record record;
  record.coordinate("multiple", {0.5, 2});
  record.curve("change", {"multiple"}, {1e-14, 0.25});
  record.curve("largest_change", {"multiple"}, {1e-13, 0.5});
  record.coordinate("odd_length", {65, 97});
  record.curve("odd_change", {"odd_length"}, {1e-13, 0.125});
  record.curve("largest_odd_change", {"odd_length"}, {1e-13, 0.25});
  const poslab::data::Answer answer = cells::answer_to(cell, {record});
  CHECK(answer.mark == Mark::partly);
  CHECK(numbers_text(answer) == "0.25");
  CHECK_THAT(answer.sentence,
             check::contains("a context of 128 tokens, codes move by 0.25 of their size on average, by 0.5"));
  // Where the number is from, there the largest is, too, and the context that is named.
  poslab::data::Record shorter;
  shorter.coordinate("multiple", {0.5, 2});
  shorter.curve("change", {"multiple"}, {0.5, 0.25});
  shorter.curve("largest_change", {"multiple"}, {1.5, 0.75});
  shorter.coordinate("odd_length", {65, 97});
  shorter.curve("odd_change", {"odd_length"}, {0, 0});
  shorter.curve("largest_odd_change", {"odd_length"}, {0, 0});
  CHECK_THAT(cells::answer_to(cell, {shorter}).sentence,
             check::contains("of 32 tokens, codes move by 0.5 of their size on average, by 1.5 at most"));
  CHECK_THAT(cells::answer_of(cell_of("normalised-index", 16, {0.5, 1})).sentence, check::contains("of 8 tokens"));
  // N tokens are no other context, but those beside it are.
  CHECK(cells::answer_of(cell_of("normalised-index", 3, {1.2})).mark == Mark::no);
  CHECK(cells::answer_of(cell_of("none", 3, {1.2})).mark == Mark::yes);
  // One position tells only if its code moves, and contexts within the length tell of no longer one.
  CHECK(cells::answer_of(cell_of("normalised-index", 1, {3})).mark == Mark::cannot_tell);
  CHECK_THAT(cells::answer_of(cell_of("normalised-index", 1, {3})).sentence, check::contains("two positions or more"));
  CHECK(cells::answer_of(cell_of("normalised-index", 3, {0.5, 2})).mark == Mark::no);  // T = 1: not up to the length
  Cell short_table = cell_of("bert-relative", 16, {0.25, 0.5, 1}, {{"max_length", whole(16)}});
  const poslab::data::Answer within = cells::answer_of(short_table);
  CHECK(within.mark == Mark::cannot_tell);
  CHECK_THAT(within.sentence, check::contains("in 5 contexts of 4 to 15 tokens as in one of 16; no longer one"));
  const poslab::data::Answer rope = cells::answer_of(cell_of("rope", 16, {2}));
  CHECK_THAT(rope.sentence, check::contains("in 9 contexts of 11 to 33 tokens as"));
  CHECK(numbers_text(rope) == "tested to 33");
  CHECK(cells::answer_of(cell_of("normalised-index", 16, {1})).mark == Mark::no);
  CHECK(cells::answer_of(cell_of("normalised-index", 16, {1, 2})).mark == Mark::no);
  CHECK(cells::answer_of(cell_of("normalised-index", 16, {0.5, 2})).mark == Mark::no);
  CHECK(cells::answer_of(cell_of("rope", 16, {0.5, 1, 2})).mark == Mark::yes);
  poslab::data::Record empty;
  empty.coordinate("multiple", {0.5, 2});
  empty.coordinate("odd_length", {65, 97});
  CHECK_THAT(cells::answer_to(cell, {empty}).sentence, check::contains("zero at this length"));
}

TEST_CASE("length independence: contexts of no round length find what powers of two do not") {
  Cell cell = cell_of("odd-lengths", 32, {0.5, 2, 4, 8});
  const Answer answer = cells::run(cell);
  const std::vector<double>& lengths = answer.record.coordinate_of("odd_length")->values;
  for (const double T : {23, 31, 33, 34, 47, 65}) CHECK(std::ranges::find(lengths, T) != lengths.end());
  CHECK(lengths.size() == 8);  // and two that are drawn, one on either side
  CHECK(std::ranges::count_if(lengths, [](double T) { return T < 32; }) == 3);
  for (const double change : answer.curve("largest_change")) CHECK(change == 0);
  // 0.1 r less its mean, over r less its mean: a tenth, of the offsets that both have.
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double change = answer.curve("odd_change")[i];
    CHECK((change != 0) == (static_cast<int>(lengths[i]) % 2 == 1));
    if (change != 0 && lengths[i] >= 32) CHECK(change == check::Approx(0.1).epsilon(1e-12));
  }
  const poslab::data::Answer said = cells::answer_to(cell, {answer.record});
  CHECK(said.mark == Mark::no);
  CHECK_THAT(said.sentence, check::contains("in a context of") && check::contains("codes move by 0.1 of"));
  CHECK(cells::run(cell_of("none", 1, {2})).record.coordinate_of("odd_length")->values == std::vector<double>{2, 3});
}

TEST_CASE("length independence: a bias of prime lengths is found, on either side of the trained one") {
  const Cell cell = cell_of("prime-lengths", 512, {0.5, 2, 4, 8});
  const Answer answer = cells::run(cell);
  for (const double change : answer.curve("largest_change")) CHECK(change == 0);
  const std::vector<double>& lengths = answer.record.coordinate_of("odd_length")->values;
  for (const double prime : {383.0, 769.0}) {
    const auto place = std::ranges::find(lengths, prime);
    REQUIRE(place != lengths.end());
    CHECK(answer.curve("odd_change")[static_cast<std::size_t>(place - lengths.begin())] > 0.07);
  }
  CHECK(cells::answer_to(cell, {answer.record}).mark == Mark::no);
}

TEST_CASE("length independence: what a longer context adds to the logits of all keys is no other code") {
  for (const char* form : {"key", "key-from-the-end", "offset"}) {
    CAPTURE(form);
    const Cell cell = cell_of("key-bias", 48, {0.5, 2, 4}, {{"form", Value(form)}});
    const Answer answer = cells::run(cell);
    for (const char* measure : {"change", "largest_change", "odd_change", "largest_odd_change"})
      for (const double change : answer.curve(measure)) CHECK(change == 0);
    for (const double change : answer.curve("same_place_change")) CHECK((change == 0 || std::isnan(change)));
    // Slopes 1/16 and 1/256 of offsets 0 .. 47, whose variance is (48^2 - 1) / 12.
    CHECK(answer.scalar("norm") == check::Approx(std::sqrt((1 / 256.0 + 1 / 65536.0) * 2303 / 12)).epsilon(1e-12));
    CHECK(cells::answer_of(cell).mark == Mark::yes);
  }
  const Cell query = cell_of("key-bias", 48, {0.5, 2, 4}, {{"form", Value("query")}});
  CHECK(cells::run(query).scalar("norm") == 0);  // and not rounding
  CHECK(cells::answer_of(query).mark == Mark::yes);
}

TEST_CASE("length independence: codes that float32 cannot tell apart are called so") {
  const Cell cell = cell_of("fire", 64, {0.5, 2});
  poslab::data::Record record;
  record.coordinate("multiple", {0.5, 2});
  record.curve("change", {"multiple"}, {0, 1e-12});
  record.curve("largest_change", {"multiple"}, {0, 5.7e-12});
  record.coordinate("odd_length", {65});
  record.curve("odd_change", {"odd_length"}, {0});
  record.curve("largest_odd_change", {"odd_length"}, {0});
  CHECK(cells::answer_to(cell, {record}).mark == Mark::partly);
  CHECK(numbers_text(cells::answer_to(cell, {record})) == "to 6e-12");
}
