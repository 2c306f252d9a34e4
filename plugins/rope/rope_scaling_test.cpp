// SPDX-License-Identifier: Apache-2.0
// RoPE's scalings to longer contexts, but those that ask how often a plane rotates: known answers; and of all scalings
// the gradient and the claims.
// Dimension letters: R rotary width (here all of the head).
#include <cmath>
#include <string>
#include <vector>

#include "scaled_rope.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using namespace scaled_rope;
using base::Array;

TEST_CASE("rope linear: positions divided by the factor") {
  check_planes(*rope(scaled("linear", {{"factor", real(4)}}), 16), 100, [](Index m) { return w(1e4, m, 16) / 4; });
  check_planes(*rope(scaled("linear"), 6), 100, [](Index m) { return w(1e4, m, 6); });
}

TEST_CASE("rope ntk: the fastest plane stays, the slowest is divided by alpha exactly") {
  const auto scheme = rope(scaled("ntk", {{"alpha", real(8)}}), 10);
  const auto found = scheme->inverse_frequency();
  REQUIRE(found.size() == 5);
  CHECK(found[0] == 1);
  CHECK_THAT(found[4], check::WithinRel(w(1e4, 4, 10) / 8, 1e-14));
  check_planes(*scheme, 9, [](Index m) { return w(1e4 * std::pow(8, 10.0 / 8), m, 10); });
}

TEST_CASE("rope dynamic-ntk: plain up to its limit, then another code for every length") {
  const auto scheme = rope(scaled("dynamic-ntk", {{"factor", real(2)}, {"max_position_embeddings", whole(16)}}), 8);
  CHECK(scheme->inverse_frequency().empty());
  for (const Index length : {Index{1}, Index{16}}) check_planes(*scheme, length, [](Index m) { return w(1e4, m, 8); });
  // Slowest plane divided by s T / Lmax - (s - 1).
  CHECK_THAT(plane(*scheme, 3, 40).angle, check::WithinRel(w(1e4, 3, 8) / (2 * 40 / 16.0 - 1), 1e-13));
  CHECK_THAT(plane(*scheme, 3, 41).angle, check::WithinRel(w(1e4, 3, 8) / (2 * 41 / 16.0 - 1), 1e-13));
  // Unset, the limit is the trained length.
  const auto derived = rope(scaled("dynamic-ntk", {{"factor", real(2)}}), 8, 64);
  CHECK_THAT(plane(*derived, 3, 128).angle, check::WithinRel(w(1e4, 3, 8) / 3, 1e-13));
}

TEST_CASE("rope longrope: which list divides, and by how much all stretches") {
  const Values lists{{"short_factor", numbers({1, 1.5, 2})},
                     {"long_factor", numbers({3, 4, 5})},
                     {"max_position_embeddings", whole(128)},
                     {"original_max_position_embeddings", whole(32)}};
  const double t = std::sqrt(1 + std::log(4) / std::log(32));
  const std::vector<double> near{1, 1.5, 2}, far{3, 4, 5};
  const auto divided = [](const std::vector<double>& list) {
    return [list](Index m) { return w(1e4, m, 6) / list[static_cast<std::size_t>(m)]; };
  };
  const auto by_length = rope(scaled("longrope", lists), 6);
  check_planes(*by_length, 32, divided(near), t);
  check_planes(*by_length, 33, divided(far), t);
  CHECK(by_length->inverse_frequency().empty());
  Values fixed = lists;
  fixed.set("lists", Value(std::string("by-limit")));
  const auto by_limit = rope(scaled("longrope", fixed), 6);
  check_planes(*by_limit, 5, divided(far), t);
  CHECK(by_limit->inverse_frequency().size() == 3);
  fixed.set("max_position_embeddings", whole(32));
  check_planes(*rope(scaled("longrope", fixed), 6), 5, divided(near));
  fixed.set("attention_factor", real(1.5));
  check_planes(*rope(scaled("longrope", fixed), 6), 5, divided(near), 1.5);
}

TEST_CASE("rope proportional: the fastest planes as they are, the others stand still") {
  const auto rotating = [](double p, Index R) {
    const auto scheme = rope(scaled("proportional", {{"p", real(p)}}), R);
    const auto found = scheme->inverse_frequency();
    Index count = 0;
    for (Index m = 0; m < R / 2; ++m) {
      const double x = found[static_cast<std::size_t>(m)];
      if (x != 0) CHECK_THAT(x, check::WithinRel(w(1e4, m, R), 1e-15));
      if (x != 0) CHECK(count++ == m);
    }
    return count;
  };
  CHECK(rotating(0, 16) == 0);
  CHECK(rotating(0.75, 16) == 6);
  CHECK(rotating(0.7, 10) == 3);
  CHECK(rotating(1, 16) == 8);
  CHECK(rope(scaled("proportional"), 8)->inverse_frequency()[3] == 0);
  // _compute_proportional_rope_parameters of Hugging Face divides what rotates.
  const auto slower = rope(scaled("proportional", {{"p", real(0.5)}, {"factor", real(8)}}), 8);
  CHECK(slower->inverse_frequency()[1] == w(1e4, 1, 8) / 8);
  CHECK(slower->inverse_frequency()[2] == 0);
}

TEST_CASE("rope: the gradient of a scaling that stretches is its transpose") {
  const auto scheme = check::scheme(
      "rope", scaled("yarn", {{"factor", real(4)}, {"style", Value(std::string("half-split"))}}), {24, 3, 64});
  const host::Context context{300, 64, true};
  const auto positions = check::positions({0, 299, -7.5});
  const auto x = check::random({3, 3, 8}, "x"), g = check::random({3, 3, 8}, "g");
  Array<double> forward = x.copy(), back = g.copy();
  scheme->transform<double>(context, host::Side::query, positions, {}, forward);
  scheme->transform_gradient<double>(context, host::Side::query, positions, {}, back, {});
  CHECK_THAT(check::inner(forward, g), check::WithinAbs(check::inner(x, back), 1e-13));
}

TEST_CASE("rope: claims of the scalings") {
  const auto claims = [](const Values& values, poslab_claim claim) { return rope(values, 8, 64)->claims(claim); };
  const Values L{{"original_max_position_embeddings", whole(64)}};
  Values yarn = scaled("yarn", L), by_parts = scaled("ntk-by-parts", L);
  yarn.set("factor", real(4)), by_parts.set("factor", real(4));
  const Values longrope{{"short_factor", numbers({1, 1, 1, 1})},
                        {"long_factor", numbers({2, 2, 2, 2})},
                        {"max_position_embeddings", whole(128)},
                        {"original_max_position_embeddings", whole(64)}};
  for (const Values& values : {scaled("linear"), scaled("ntk"), scaled("llama3", L), scaled("proportional"), by_parts,
                               yarn, scaled("dynamic-ntk"), scaled("dynamic-yarn"), scaled("longrope", longrope)}) {
    CHECK(claims(values, POSLAB_RELATIVE));
    CHECK(claims(values, POSLAB_CONTENT_FREE));
    CHECK(claims(values, POSLAB_BOUNDED));
    const std::string name = std::get<std::string>(*values.find("scaling"));
    const bool stretches = name == "yarn" || name == "dynamic-yarn" || name == "longrope";
    const bool by_length = name.find("dynamic") == 0 || name == "longrope";
    CHECK(claims(values, POSLAB_ISOMETRY) != stretches);
    CHECK(claims(values, POSLAB_LENGTH_FREE) != by_length);
  }
  CHECK_FALSE(claims(scaled("llama3"), POSLAB_LENGTH_FREE));  // takes the trained length
  CHECK_FALSE(claims(scaled("yarn", {{"factor", real(4)}}), POSLAB_LENGTH_FREE));
}
