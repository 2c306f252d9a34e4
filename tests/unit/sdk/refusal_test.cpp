// SPDX-License-Identifier: Apache-2.0
// What goes wrong ends in the error buffer, as a code and a sentence; nothing is thrown across the boundary.
#include <new>

#include "attached.hpp"
#include "catch.hpp"
#include "schemes.hpp"

namespace {

using check::Array;
using check::Attached;
using check::Call;
using check::CallFailed;
using poslab::Operation;

/// Fails in every way that C++ has.
struct Thrower {
  static constexpr poslab::Card card{.id = "thrower", .title = "Thrower", .version = "1"};
  static constexpr poslab::Traits traits{};
  static constexpr const char* ways[] = {"require", "standard", "memory", "odd", "long"};
  int way;
  bool early;
  static constexpr std::tuple params{poslab::choice(&Thrower::way, "way", ways, "how"),
                                     poslab::flag(&Thrower::early, "early", false, "in prepare")};
  void fail() const {
    if (way == 0) poslab::require(way > 0, "way must be above 0, not ", way, ", at ", 0.1, "!");
    if (way == 1) throw std::runtime_error("a standard failure");
    if (way == 2) throw std::bad_alloc();
    if (way == 3) throw 42;
    if (way == 4) throw std::runtime_error(std::string(5000, 'x'));
  }
  void prepare() const {
    if (early) fail();
  }
  void encode(double, poslab::Row<double>) const { fail(); }
};

/// Says of itself what no scheme can be.
struct OddTraits {
  static constexpr poslab::Card card{.id = "odd", .title = "Odd", .version = "1"};
  int count;
  double frequency;
  static constexpr std::tuple params{
      poslab::integer(&OddTraits::count, "count", 1, poslab::any_number, "of axes"),
      poslab::real(&OddTraits::frequency, "frequency", 1, poslab::any_number, "of the one plane")};
  poslab::Traits traits() const { return poslab::Traits().axes(count).inverse_frequency({1 / frequency}); }
  void rotate(poslab::Point, poslab::Row<double>, poslab::Row<double>) const {}
};

/// Reads what is not there.
struct Beyond {
  static constexpr poslab::Card card{.id = "beyond", .title = "Beyond", .version = "1"};
  static constexpr poslab::Traits traits{};
  static constexpr const char* ways[] = {"none", "entry",     "before",     "row",      "rank", "weight",
                                         "axis", "row-entry", "row-before", "row-part", "dot",  "add"};
  int way;
  static constexpr std::tuple params{poslab::choice(&Beyond::way, "way", ways, "how")};
  std::vector<poslab::Weight> weights() const { return {poslab::normal("table", {4, 2}, 1)}; }
  template <class S>
  void encode(poslab::Point p, poslab::Row<S> row, poslab::Weights<const S> w) const {
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = w[0](3, 1);
    if (way == 1) row[0] = w[0](4, 0);
    if (way == 2) row[0] = w[0](0, -1);
    if (way == 3) row[0] = w[0].row(4)[0];
    if (way == 4) row[0] = w[0](7);
    if (way == 5) row[0] = w[1](0, 0);
    if (way == 6) row[0] = S(p[1]);
    const std::vector<S> few(3);
    if (way == 7) row[row.size()] = S(0);
    if (way == 8) row[std::size_t(-1)] = S(0);
    if (way == 9) row.last(5)[0] = S(0);
    if (way == 10) row[0] = dot(row, few);
    if (way == 11) add_scaled(Row<S>(row.first(2)), S(1), few);
  }
};

/// Takes an offset as one number, and serves two axes all the same.
struct FirstAxis {
  static constexpr poslab::Card card{.id = "first-axis", .title = "First axis", .version = "1", .most_axes = 2};
  static constexpr poslab::Traits traits{};
  double bias(int, double offset) const { return offset; }
};

/// A row of positions through `encode`, as the message it ends with.
template <class T>
CallFailed failure_of(const Attached& scheme, const Array<double>& positions, std::int64_t D) {
  auto weights = scheme.scattered_weights<double>();
  Array<double> out({positions.view.shape[0], D});
  Call<double> call;
  call.fields.positions = &positions.view;
  call.weights(weights);
  call.fields.output = &out.view;
  try {
    scheme.run(Operation::encode, call.fields);
  } catch (const CallFailed& failure) {
    return failure;
  }
  return {POSLAB_OK, "it did not fail"};
}

}  // namespace

TEST_CASE("every exception becomes a code and a sentence") {
  const std::pair<int, std::string> expected[] = {{POSLAB_REFUSED, "way must be above 0, not 0, at 0.1!"},
                                                  {POSLAB_FAILED, "a standard failure"},
                                                  {POSLAB_OUT_OF_MEMORY, "out of memory"},
                                                  {POSLAB_FAILED, "an exception that is no std::exception"},
                                                  {POSLAB_FAILED, std::string(1019, 'x')}};
  for (int way = 0; way < 5; ++way) {
    CAPTURE(way);
    const Attached scheme(check::table_of<Thrower>, 4, 2, {{"way", way}});
    const CallFailed failure = failure_of<Thrower>(scheme, Array<double>({1, 1}), 4);
    CHECK(failure.code == expected[way].first);
    CHECK(failure.what() == expected[way].second);
    try {
      const Attached refused(check::table_of<Thrower>, 4, 2, {{"way", way}, {"early", 1}});
      FAIL("create did not fail");
    } catch (const CallFailed& early) {
      CHECK(early.code == expected[way].first);
      CHECK(early.what() == expected[way].second);
    }
  }
}

TEST_CASE("traits that no scheme can have are refused, by name") {
  const auto message = [](const std::map<std::string, double>& parameters) {
    try {
      const Attached scheme(check::table_of<OddTraits>, 4, 2, parameters);
    } catch (const CallFailed& failure) {
      CHECK(failure.code == POSLAB_REFUSED);
      return std::string(failure.what());
    }
    return std::string("it did not fail");
  };
  CHECK(message({}) == "it did not fail");
  CHECK(message({{"count", 0}}) == "a position has 1 number or more, but .axes of its traits says 0 to 0");
  CHECK(message({{"frequency", 0}}) ==
        "an inverse frequency is a number of radians per position, but .inverse_frequency of its traits has inf");
}

TEST_CASE("a position that cannot be served is named, with its place and the limit") {
  const Attached scheme(check::table_of<check::Lookup>, 4, 2, {{"rows", 5}});
  const auto message = [&](std::vector<double> numbers) {
    const std::int64_t N = static_cast<std::int64_t>(numbers.size());
    const CallFailed failure = failure_of<check::Lookup>(scheme, Array<double>({N, 1}, std::move(numbers)), 4);
    CHECK(failure.code == POSLAB_OUT_OF_RANGE);
    return std::string(failure.what());
  };
  CHECK(message({0, 4, 5}) == "position 5 (at index 2) is beyond 4, the highest that this variant serves");
  CHECK(message({1, -1}) == "position -1 (at index 1) is below 0, the lowest that this variant serves");
  CHECK(message({0, 1.5}) == "position 1.5 (at index 1) lies between the integers, where this scheme means nothing");
  CHECK(message({std::nan(""), 0}) == "position nan (at index 0) is not finite");
  CHECK(message({std::numeric_limits<double>::infinity()}) == "position inf (at index 0) is not finite");
}

TEST_CASE("positions of too many axes are refused") {
  const Attached scheme(check::table_of<check::Lookup>, 4, 2);
  const CallFailed failure = failure_of<check::Lookup>(scheme, Array<double>({2, 3}), 4);
  CHECK(failure.code == POSLAB_REFUSED);
  CHECK(std::string(failure.what()) == "positions have 3 axes, but this scheme serves 1");
}

TEST_CASE("a position of several axes is not taken as one number") {
  const Attached scheme(check::table_of<FirstAxis>, 4, 2);
  const auto bias_at = [&](const Array<double>& positions) {
    Array<double> out({2, 2, 2});
    Call<double> call;
    call.fields.query_positions = call.fields.key_positions = &positions.view;
    call.fields.output = &out.view;
    scheme.run(Operation::bias, call.fields);
    return out(0, 0, 1);
  };
  CHECK(bias_at(Array<double>({2, 1}, {1, 3})) == 2);
  try {
    bias_at(Array<double>({2, 2}, {0, 0, 3, 4}));
    FAIL("it did not fail");
  } catch (const CallFailed& failure) {
    CHECK(failure.code == POSLAB_FAILED);
    CHECK_THAT(failure.what(), check::contains("2 axes"));
  }
}

TEST_CASE("views that do not fit are refused, and say how they should be") {
  const Attached scheme(check::table_of<check::Lookup>, 4, 2);
  auto weights = scheme.scattered_weights<double>();
  const Array<double> positions({2, 1}), out({2, 4});
  Call<double> call;
  call.fields.positions = &positions.view;
  call.weights(weights);
  call.fields.output = &out.view;
  const auto message = [&](const poslab_call& fields) {
    try {
      scheme.run(Operation::encode, fields);
    } catch (const CallFailed& failure) {
      CHECK(failure.code == POSLAB_FAILED);
      return std::string(failure.what());
    }
    return std::string("it did not fail");
  };
  CHECK(message(call.fields) == "it did not fail");

  poslab_call fields = call.fields;
  fields.output = nullptr;
  CHECK(message(fields) == "malformed call: `output` is null");
  const Array<double> narrow({2, 3}), flat({8});
  fields.output = &narrow.view;
  CHECK(message(fields) == "malformed call: `output` has the shape [2, 3], not [2, 4]");
  fields.output = &flat.view;
  CHECK(message(fields) == "malformed call: `output` has the shape [8], not [2, 4]");
  const Array<float> other({2, 4});
  fields.output = &other.view;
  CHECK(message(fields) == "malformed call: `output` has the scalar type f32, not f64");
  Array<double> missing({2, 4});
  missing.view.data = nullptr;
  fields.output = &missing.view;
  CHECK(message(fields) == "malformed call: the data of `output` is null");

  fields = call.fields;
  fields.scalar = 7;
  CHECK(message(fields) == "malformed call: the scalar type 7 is unknown");
  fields = call.fields;
  fields.positions = nullptr;
  CHECK(message(fields) == "malformed call: `positions` is null");
  fields.positions = &flat.view;
  CHECK(message(fields) == "malformed call: `positions` must be [N, A], but has rank 1");
  fields = call.fields;
  fields.weight_count = 1;
  CHECK(message(fields) == "malformed call: 1 weights are given, but the scheme has 2");
  fields = call.fields;
  fields.size = offsetof(poslab_call, output);  // as an older host would fill it: what lies beyond is not read
  CHECK(message(fields) == "malformed call: `output` is null");
}

TEST_CASE("a score that needs the layer's input says so") {
  const Attached scheme(check::table_of<check::Anew>, 4, 2);
  auto weights = scheme.scattered_weights<double>();
  const Array<double> positions({2, 1}), q({2, 2, 2}), logits({2, 2, 2});
  Call<double> call;
  call.fields.query_positions = call.fields.key_positions = &positions.view;
  call.fields.query = call.fields.key = &q.view;
  call.fields.output = call.fields.output_gradient = &logits.view;
  call.weights(weights);
  for (const bool gradient : {false, true})
    CHECK_THROWS_WITH(scheme.run(Operation::score, call.fields, gradient), check::contains("layer's input"));
}

TEST_CASE("a rotary width that is no number of pairs is refused") {
  CHECK_THROWS_WITH(Attached(check::table_of<check::LearnedRotation>, 6, 2),
                    "channels are rotated in pairs: the rotary width must be even and at most the head width 3, not 3");
  CHECK_THROWS_WITH(Attached(check::table_of<check::RotationAtTheEnd>, 4, 2),
                    "the last part of a head is rotated, so the rotary width must be less than the head width 2");
}

TEST_CASE("a model that cannot be is refused") {
  CHECK_THROWS_WITH(Attached(check::table_of<check::Clipped>, 0, 1),
                    check::contains("a model of width 0 with 1 heads"));
}

TEST_CASE("an index beyond its array is a failure that names both") {
  const auto message = [](int way) {
    const Attached scheme(check::table_of<Beyond>, 4, 2, {{"way", way}});
    const CallFailed failure = failure_of<Beyond>(scheme, Array<double>({1, 1}), 4);
    CHECK(failure.code == (way == 0 ? POSLAB_OK : POSLAB_FAILED));
    return std::string(failure.what());
  };
  CHECK(message(0) == "it did not fail");
  CHECK(message(1) == "an array of the shape (4, 2) has no entry or row (4, 0)");
  CHECK(message(2) == "an array of the shape (4, 2) has no entry or row (0, -1)");
  CHECK(message(3) == "an array of the shape (4, 2) has no entry or row (4)");
  CHECK(message(4) == "an array of the shape (4, 2) has no entry or row (7)");
  CHECK(message(5) == "there is no weight 1: there are 1, counted from 0");
  CHECK(message(6) == "there is no axis of a position 1: there are 1, counted from 0");
  CHECK(message(7) == "there is no entry of a row 4: there are 4, counted from 0");
  CHECK(message(8) == "there is no entry of a row -1: there are 4, counted from 0");
  CHECK(message(9) == "there is no entry of a row -1: there are 4, counted from 0");
  CHECK(message(10) == "there is no entry of a row 3: there are 3, counted from 0");
  CHECK(message(11) == "there is no entry of a row 2: there are 2, counted from 0");
}
