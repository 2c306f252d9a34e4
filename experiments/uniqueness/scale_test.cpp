// SPDX-License-Identifier: Apache-2.0
// Long tables: which schemes' codes are certified to rotate, that this changes no number, and what a sample says.
// Dimension letters: N positions.
#include <cmath>
#include <set>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/numerics/closest_pair.hpp"
#include "poslab/numerics/rotation.hpp"
#include "thousand.hpp"

namespace {

using cells::Answer;
using cells::Index;
using poslab::base::Array;
using poslab::data::Value;
namespace host = poslab::host;
namespace numerics = poslab::numerics;

using cells::whole;

struct Codes {
  host::Scheme scheme;
  numerics::RotationClaim claim;
  Array<double> positions;

  Codes(const std::string& id, const cells::Values& parameters, Index N, double first = 0)
      : scheme(cells::plugin(id), parameters, {128, 8, 512}), positions{N, 1} {
    const auto declared = scheme.inverse_frequency();
    claim = {{declared.begin(), declared.end()},
             scheme.has(host::Operation::encode) ? Index{1} : scheme.model().heads,
             first};
    for (Index n = 0; n < N; ++n) positions(n, 0) = first + static_cast<double>(n);
  }
  template <class S>
  Array<S> rows() const {
    return poslab::attention::position_signatures<S>(scheme, {positions.extent(0), 512, true}, positions, {});
  }
};

template <class S>
void check_same_numbers(const Codes& codes) {
  const Array<S> rows = codes.rows<S>();
  const auto rotation = numerics::certify<S>(rows, codes.claim);
  REQUIRE(rotation);
  const auto by_offset = numerics::neighbours_by_offset<S>(rows, 1e-9, *rotation);
  REQUIRE(by_offset);
  const numerics::Neighbours all = numerics::nearest_neighbours<S>(rows, 1e-9);
  CHECK(by_offset->distance == all.distance);
  CHECK(by_offset->nearest == all.nearest);
  CHECK(by_offset->closest == all.closest);
  CHECK(by_offset->collisions == all.collisions);
  CHECK(by_offset->distinct == all.distinct);
}

struct Named {
  std::string scheme;
  cells::Values parameters;
};

}  // namespace

TEST_CASE("codes of sinusoids and rotations are certified, and have the neighbours of all pairs, bit for bit") {
  const Named named = GENERATE(
      Named{"sinusoidal", {}}, Named{"sinusoidal", {{"layout", Value("half-split")}}},
      Named{"sinusoidal", {{"layout", Value("timing-signal")}}}, Named{"rope", {}},
      Named{"rope", {{"style", Value("half-split")}}}, Named{"rope", {{"rotary_width", whole(8)}}},
      Named{"rope", {{"scaling", Value("linear")}, {"factor", Value(4.0)}}},
      Named{"rope",
            {{"scaling", Value("yarn")}, {"factor", Value(4.0)}, {"original_max_position_embeddings", whole(256)}}});
  for (const double first : {0.0, 100000.0}) {
    CAPTURE(named.scheme, first);
    check_same_numbers<double>({named.scheme, named.parameters, 2000, first});
    check_same_numbers<float>({named.scheme, named.parameters, 2000, first});
  }
}

TEST_CASE("codes that grow as they rotate are refused, whatever the scheme declares") {
  const Codes xpos("xpos", {}, 600);
  REQUIRE_FALSE(xpos.claim.angles.empty());
  CHECK_FALSE(numerics::certify<double>(xpos.rows<double>(), xpos.claim));
  CHECK_FALSE(numerics::certify<float>(xpos.rows<float>(), xpos.claim));
}

TEST_CASE("one changed code among many: the certificate is refused, and the search sees the change") {
  const Codes codes("rope", {}, 3000);
  Array<float> rows = codes.rows<float>();
  const float before = rows(1777, 5);
  rows(1777, 5) = before * (1 + 0x1p-18F);
  CHECK_FALSE(numerics::certify<float>(rows, codes.claim));
  rows(1777, 5) = before;
  CHECK(numerics::certify<float>(rows, codes.claim));
  std::copy_n(&rows(20, 0), 128, &rows(1777, 0));
  CHECK(numerics::nearest_neighbours<float>(rows, 1e-9, codes.claim).closest == numerics::ClosestPair{0, 20, 1777});
}

TEST_CASE("uniqueness of 20,000 positions: closed form of the sinusoid's neighbours, every one the row before") {
  const Index N = 20000;
  const Answer answer = cells::run({"uniqueness", "sinusoidal", {{"length", whole(N)}, {"dtype", Value("float32")}}});
  double squared = 0;
  for (int m = 0; m < 64; ++m) squared += 2 - 2 * std::cos(std::pow(1e4, -m / 64.0));
  CHECK(answer.scalar("min_distance") == check::Approx(std::sqrt(squared)).margin(1e-6 * answer.scalar("norm")));
  CHECK(answer.scalar("distinct") == static_cast<double>(N));
  CHECK(answer.scalar("distinct_float32") == static_cast<double>(N));
  for (const double distance : answer.curve("nearest_distance"))
    REQUIRE(distance == check::Approx(std::sqrt(squared)).margin(1e-6 * answer.scalar("norm")));
}

TEST_CASE("the forecast of codes that rotate is in order N, of others in order N^2") {
  const auto operations = [](const std::string& scheme, Index N) {
    const cells::Cell cell{"uniqueness", scheme, {{"length", whole(N)}}};
    const auto& experiment = poslab::experiments::find_experiment("uniqueness");
    const host::Scheme built(cells::plugin(scheme), {}, {128, 8, N});
    return experiment.at(cells::all_axes(cell))->estimate({built, cell.placement}).operations;
  };
  for (const std::string scheme : {"sinusoidal", "rope"})
    CHECK(operations(scheme, 8000) == 10 * operations(scheme, 800));
  for (const std::string scheme : {"learned", "xpos"}) CHECK(operations(scheme, 80000) > 90 * operations(scheme, 8000));
}

TEMPLATE_TEST_CASE("sampled neighbours are those of plain loops", "", double, float) {
  poslab::base::Stream stream("sampled neighbours");
  std::uint64_t drawn = 0;
  for (int example = 0; example < check::thousand; ++example) {
    const auto N = static_cast<Index>(2 + stream.below(drawn++, 150)),
               W = static_cast<Index>(1 + stream.below(drawn++, 80));
    Array<TestType> rows{N, W};
    for (TestType& x : rows.flat()) x = static_cast<TestType>(stream.below(drawn++, W < 4 ? 3 : 1000));
    std::vector<Index> sampled;
    for (Index row = 0; row < N; row += static_cast<Index>(1 + stream.below(drawn++, 5))) sampled.push_back(row);
    const double radius = W < 4 ? 1.2 : 0;
    const numerics::SampledNeighbours found = numerics::sampled_neighbours<TestType>(rows, sampled, radius);
    for (std::size_t i = 0; i < sampled.size(); ++i) {
      double nearest = INFINITY, collisions = 0;
      for (Index other = 0; other < N; ++other) {
        if (other == sampled[i]) continue;
        const double distance = std::sqrt(numerics::squared_distance(&rows(sampled[i], 0), &rows(other, 0), W));
        nearest = std::min(nearest, distance);
        collisions += distance <= radius;
      }
      REQUIRE(found.distance[i] == nearest);
      REQUIRE(found.collisions[i] == collisions);
    }
  }
}

TEST_CASE("search sampled: as many samples as codes say what all pairs say") {
  for (const std::string scheme : {"rope", "t5", "none", "learned"}) {
    CAPTURE(scheme);
    const cells::Values exact{{"length", whole(300)}};
    const Answer all = cells::run({"uniqueness", scheme, exact});
    const cells::Cell cell{
        "uniqueness", scheme, {{"length", whole(300)}, {"search", Value("sampled")}, {"samples", whole(1000)}}};
    const Answer sampled = cells::run(cell);
    CHECK(sampled.scalar("min_distance_at_most") == all.scalar("min_distance"));
    CHECK(sampled.scalar("nearer_share_at_most") == 0);
    CHECK(sampled.scalar("collisions_estimate") == check::Approx(all.scalar("collisions")).epsilon(1e-12));
    CHECK(sampled.scalar("distinct_estimate") == check::Approx(all.scalar("distinct")).epsilon(1e-12));
    CHECK(sampled.scalar("collisions_error") == 0);
    CHECK(sampled.scalar("distinct_float32") == all.scalar("distinct_float32"));
    CHECK(sampled.scalar("distinct_bfloat16") == all.scalar("distinct_bfloat16"));
    CHECK(sampled.scalar("norm") == all.scalar("norm"));
    for (const std::string measure : {"min_distance", "collisions", "distinct", "nearest_distance"})
      CHECK_FALSE(sampled.has(measure));
  }
}

TEST_CASE("search sampled: the null value, one sample, one code") {
  const cells::Values few{{"length", whole(500)}, {"search", Value("sampled")}, {"samples", whole(10)}};
  const Answer none = cells::run({"uniqueness", "none", few});
  CHECK(none.scalar("min_distance_at_most") == 0);
  CHECK(none.scalar("collisions_estimate") == 500.0 * 499 / 2);
  CHECK(none.scalar("distinct_estimate") == check::Approx(1).epsilon(1e-12));
  CHECK(none.scalar("collisions_error") == 0);
  CHECK(none.scalar("nearer_share_at_most") == check::Approx(1 - std::pow(0.05, 0.1)).epsilon(1e-12));
  const Answer one =
      cells::run({"uniqueness", "rope", {{"length", whole(500)}, {"search", Value("sampled")}, {"samples", whole(1)}}});
  CHECK(one.has("min_distance_at_most"));
  CHECK_FALSE(one.has("collisions_error"));
  const Answer lone = cells::run({"uniqueness", "rope", {{"length", whole(1)}, {"search", Value("sampled")}}});
  CHECK(lone.scalar("distinct") == 1);
  CHECK_FALSE(lone.has("min_distance_at_most"));
}

TEST_CASE("search sampled: estimates lie about the truth as far as their error says") {
  // T5: 32 classes of very different sizes. Repeats draw other samples.
  const Answer all = cells::run({"uniqueness", "t5", {{"length", whole(400)}}});
  double squared_in_errors = 0;
  std::set<double> different;
  const int repeats = 400;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Answer sampled = cells::run({"uniqueness",
                                       "t5",
                                       {{"length", whole(400)}, {"search", Value("sampled")}, {"samples", whole(200)}},
                                       {},
                                       {128, 8, 512},
                                       repeat});
    const double off = sampled.scalar("collisions_estimate") - all.scalar("collisions");
    squared_in_errors += off * off / std::pow(sampled.scalar("collisions_error"), 2) / repeats;
    different.insert(sampled.scalar("collisions_estimate"));
    REQUIRE(std::abs(sampled.scalar("distinct_estimate") - 32) < 6 * sampled.scalar("distinct_error"));
  }
  CHECK(different.size() > 100);
  CHECK(squared_in_errors > 0.75);
  CHECK(squared_in_errors < 1.3);
}

TEST_CASE("own code of a sample: a collision refutes, none of some proves nothing, none of all does") {
  const auto answer = [](const std::string& scheme, std::int64_t samples) {
    return cells::answer_of(
        {"uniqueness", scheme, {{"length", whole(300)}, {"search", Value("sampled")}, {"samples", whole(samples)}}});
  };
  CHECK(answer("t5", 50).mark == poslab::data::Mark::no);
  CHECK(answer("rope", 50).mark == poslab::data::Mark::cannot_tell);
  CHECK(answer("rope", 50).sentence.find("none of 50 sampled codes is as another of 300") == 0);
  CHECK(answer("rope", 300).mark == poslab::data::Mark::yes);
}
