// SPDX-License-Identifier: Apache-2.0
// RoPE's scalings to longer contexts: known answers, second implementations, claims, refusals.
// Dimension letters: R rotary width (here all of the head), s factor, L original length.
#include <numbers>

#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;
using data::Values;

namespace {

constexpr double pi = std::numbers::pi;

Values scaled(const std::string& scaling, Values more = {}) {
  more.set("scaling", Value(scaling));
  return more;
}

Value whole(std::int64_t x) { return x; }
Value real(double x) { return x; }
Value numbers(std::vector<double> x) { return Value(std::move(x)); }

std::unique_ptr<host::Scheme> rope(const Values& values, Index R, Index train_length = 512) {
  return check::scheme("rope", values, {R, 1, train_length});
}

double w(double base, Index m, Index R) {
  return std::pow(base, -2.0 * static_cast<double>(m) / static_cast<double>(R));
}

// What (1, 0) in plane m becomes at position 1: its angle and its length.
struct Plane {
  double angle, length;
};
Plane plane(const host::Scheme& scheme, Index m, Index length) {
  Array<double> x({1, 1, scheme.model().head_width()});
  x(0, 0, 2 * m) = 1;
  scheme.transform<double>({length, scheme.model().train_length, true}, host::Side::key, check::positions({1}), {}, x);
  return {std::atan2(x(0, 0, 2 * m + 1), x(0, 0, 2 * m)), std::hypot(x(0, 0, 2 * m), x(0, 0, 2 * m + 1))};
}

void check_planes(const host::Scheme& scheme, Index length, const std::function<double(Index)>& wanted,
                  double magnitude = 1) {
  for (Index m = 0; m < scheme.model().head_width() / 2; ++m) {
    const Plane found = plane(scheme, m, length);
    CHECK_THAT(found.angle, check::WithinRel(wanted(m), 1e-13));
    CHECK_THAT(found.length, check::WithinRel(magnitude, 1e-14));
  }
}

// The plane that turns r times in L positions, solved for by bisection of L w(m) = 2 pi r over real m.
double plane_that_turns(double r, double L, double base, double R) {
  double low = -1e4, high = 1e4;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    (L * std::pow(base, -2 * middle / R) > 2 * pi * r ? low : high) = middle;
  }
  return low;
}

// 1 for planes at or below `first`, 0 from `last` on, linear between: how much of a frequency is kept.
double kept(double m, double first, double last) {
  if (first == last) last += 0.001;
  return m <= first ? 1 : m >= last ? 0 : (last - m) / (last - first);
}

}  // namespace

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

TEST_CASE("rope yarn: published ranges of planes") {
  struct Example {
    Index R;
    double base, L;
    bool truncate;
    double first, last;
  };
  for (const Example& e : {Example{128, 1e4, 2048, true, 16, 41}, Example{128, 1e4, 4096, true, 20, 46},
                           Example{64, 150000, 4096, true, 8, 18}, Example{64, 150000, 4096, false, 8.0928, 17.3980}}) {
    const auto scheme =
        rope(scaled("yarn", {{"factor", real(8)},
                             {"base", real(e.base)},
                             {"original_max_position_embeddings", whole(static_cast<std::int64_t>(e.L))},
                             {"truncate", Value(e.truncate)}}),
             e.R);
    for (Index m = 0; m < e.R / 2; ++m) {
      const double keep = kept(static_cast<double>(m), e.first, e.last), plain = w(e.base, m, e.R);
      CHECK_THAT(scheme->inverse_frequency()[static_cast<std::size_t>(m)],
                 check::WithinRel(plain * keep + plain / 8 * (1 - keep), e.truncate ? 1e-13 : 1e-4));
    }
    CHECK_THAT(plane(*scheme, 0, 5).length, check::WithinRel(0.1 * std::log(8) + 1, 1e-14));
  }
}

TEST_CASE("rope yarn: the range is where planes turn beta_fast and beta_slow times in the original length") {
  const bool truncate = GENERATE(true, false);
  const auto scheme = rope(scaled("yarn", {{"factor", real(3)},
                                           {"beta_fast", real(12)},
                                           {"beta_slow", real(2.5)},
                                           {"original_max_position_embeddings", whole(600)},
                                           {"truncate", Value(truncate)}}),
                           48);
  double first = plane_that_turns(12, 600, 1e4, 48), last = plane_that_turns(2.5, 600, 1e4, 48);
  if (truncate) first = std::floor(first), last = std::ceil(last);
  check_planes(
      *scheme, 7,
      [&](Index m) {
        const double keep = kept(static_cast<double>(m), first, last);
        return w(1e4, m, 48) * (keep + (1 - keep) / 3);
      },
      0.1 * std::log(3) + 1);
}

TEST_CASE("rope yarn: the range may end beyond the last plane, at R - 1 as in the code") {
  const auto scheme =
      rope(scaled("yarn",
                  {{"factor", real(4)}, {"beta_fast", real(100)}, {"original_max_position_embeddings", whole(100000)}}),
           8);
  // 8 ln(1e5 / (2 pi r)) / (2 ln 1e4) = 2.2 for r = 100, 4.2 for r = 1: from 2 to 5, though plane 3 is the last.
  const double keep = 2.0 / 3;
  check_planes(
      *scheme, 7, [&](Index m) { return w(1e4, m, 8) * (m < 3 ? 1 : keep + (1 - keep) / 4); }, 0.1 * std::log(4) + 1);
}

TEST_CASE("rope yarn: how far q and k stretch, and DeepSeek's scale of the logits") {
  const auto yarn = [](const Values& more) { return rope(scaled("yarn", more), 8); };
  const auto stretch = [&](const host::Scheme& scheme) { return plane(scheme, 1, 9).length; };
  const double t = 0.1 * std::log(40) + 1, u = 0.08 * std::log(40) + 1;
  const auto plain = yarn({{"factor", real(40)}});
  CHECK_THAT(stretch(*plain), check::WithinRel(t, 1e-14));
  CHECK(plain->logit_scale() == 1 / std::sqrt(8.0));
  CHECK_FALSE(plain->claims(POSLAB_ISOMETRY));
  const auto deepseek = yarn({{"factor", real(40)}, {"mscale", real(1)}, {"mscale_all_dim", real(1)}});
  CHECK(stretch(*deepseek) == 1);
  CHECK_THAT(deepseek->logit_scale(), check::WithinRel(t * t / std::sqrt(8.0), 1e-14));
  CHECK(deepseek->claims(POSLAB_ISOMETRY));
  const auto unequal = yarn({{"factor", real(40)}, {"mscale_all_dim", real(0.8)}});
  CHECK_THAT(stretch(*unequal), check::WithinRel(t / u, 1e-14));
  CHECK_THAT(unequal->logit_scale(), check::WithinRel(u * u / std::sqrt(8.0), 1e-14));
  CHECK(stretch(*yarn({{"factor", real(40)}, {"attention_factor", real(1.25)}})) == 1.25);
}

TEST_CASE("rope dynamic-yarn: plain up to L, then yarn with factor T / L") {
  const auto dynamic = rope(scaled("dynamic-yarn", {{"original_max_position_embeddings", whole(24)}}), 32);
  CHECK(dynamic->inverse_frequency().empty());
  check_planes(*dynamic, 24, [](Index m) { return w(1e4, m, 32); });
  const auto fixed = rope(scaled("yarn", {{"factor", real(2.5)}, {"original_max_position_embeddings", whole(24)}}), 32);
  check_planes(
      *dynamic, 60, [&](Index m) { return plane(*fixed, m, 60).angle; }, 0.1 * std::log(2.5) + 1);
}

TEST_CASE("rope ntk-by-parts: three frequencies, blended over two ranges") {
  const double s = 4, L = 300, R = 40;
  const auto scheme =
      rope(scaled("ntk-by-parts", {{"factor", real(s)}, {"original_max_position_embeddings", whole(300)}}), 40);
  const auto range = [&](double m, double fast, double slow) {
    return kept(m, std::max(0.0, std::floor(plane_that_turns(fast, L, 1e4, R))),
                std::min(R - 1, std::ceil(plane_that_turns(slow, L, 1e4, R))));
  };
  check_planes(*scheme, 7, [&](Index m) {
    const double by_ntk = range(static_cast<double>(m), 1.25, 0.75), keep = range(static_cast<double>(m), 16, 2);
    const double plain = w(1e4, m, 40), ntk = w(1e4 * std::pow(s, R / (R - 2)), m, 40);
    return (plain / s * (1 - by_ntk) + ntk * by_ntk) * (1 - keep) + plain * keep;
  });
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

TEST_CASE("rope llama3: 29 planes of Llama 3.1 kept, 6 blended, 29 divided by 8") {
  const auto scheme =
      rope(scaled("llama3", {{"base", real(500000)}, {"original_max_position_embeddings", whole(8192)}}), 128);
  int as_it_was = 0, divided = 0, between = 0;
  for (Index m = 0; m < 64; ++m) {
    const double plain = w(500000, m, 128), found = scheme->inverse_frequency()[static_cast<std::size_t>(m)];
    const double turns = 8192 * plain / (2 * pi);  // in the original length
    const double wanted = turns > 4   ? plain
                          : turns < 1 ? plain / 8
                                      : plain * (turns - 1) / 3 + plain / 8 * (4 - turns) / 3;
    CHECK_THAT(found, check::WithinRel(wanted, 1e-13));
    ++(std::abs(found / plain - 1) < 1e-12 ? as_it_was : std::abs(8 * found / plain - 1) < 1e-12 ? divided : between);
  }
  CHECK(as_it_was == 29);
  CHECK(between == 6);
  CHECK(divided == 29);
}

TEST_CASE("rope proportional: the fastest planes as they are, the others stand still") {
  const auto turning = [](double p, Index R) {
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
  CHECK(turning(0, 16) == 0);
  CHECK(turning(0.75, 16) == 6);
  CHECK(turning(0.7, 10) == 3);
  CHECK(turning(1, 16) == 8);
  CHECK(rope(scaled("proportional"), 8)->inverse_frequency()[3] == 0);
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

TEST_CASE("rope: a parameter that the scaling does not use is refused by name") {
  const std::vector<std::pair<std::string, Value>> parameters{{"factor", real(2)},
                                                              {"alpha", real(2)},
                                                              {"original_max_position_embeddings", whole(64)},
                                                              {"max_position_embeddings", whole(128)},
                                                              {"beta_fast", real(16)},
                                                              {"beta_slow", real(2)},
                                                              {"truncate", Value(false)},
                                                              {"attention_factor", real(1.5)},
                                                              {"mscale", real(1)},
                                                              {"mscale_all_dim", real(1)},
                                                              {"short_factor", numbers({1, 1, 1, 1})},
                                                              {"long_factor", numbers({2, 2, 2, 2})},
                                                              {"lists", Value(std::string("by-limit"))},
                                                              {"low_freq_factor", real(1)},
                                                              {"high_freq_factor", real(8)},
                                                              {"p", real(0.5)}};
  for (const std::string scaling : {"none", "linear", "ntk", "dynamic-ntk", "llama3", "proportional"})
    for (const auto& [name, value] : parameters) {
      const bool used =
          (scaling == "linear" && name == "factor") || (scaling == "ntk" && name == "alpha") ||
          (scaling == "dynamic-ntk" && (name == "factor" || name == "max_position_embeddings")) ||
          (scaling == "llama3" && (name == "factor" || name == "low_freq_factor" || name == "high_freq_factor" ||
                                   name == "original_max_position_embeddings")) ||
          (scaling == "proportional" && name == "p");
      CAPTURE(scaling, name);
      if (used)
        CHECK_NOTHROW(rope(scaled(scaling, {{name, value}}), 8));
      else
        CHECK_THROWS_WITH(rope(scaled(scaling, {{name, value}}), 8),
                          check::contains("scaling \"" + scaling + "\" does not use " + name));
    }
}

TEST_CASE("rope: scalings that make no sense are refused with the reason") {
  const auto refused = [](const Values& values, const std::string& words, Index R = 8, Index L = 64) {
    CHECK_THROWS_WITH(rope(values, R, L), check::contains(words));
  };
  refused(scaled("yarn"), "\"yarn\" needs factor");
  refused(scaled("yarn", {{"factor", real(1)}}), "a factor above 1, not 1");
  refused(scaled("yarn", {{"factor", real(2)}, {"beta_fast", real(1)}}), "beta_fast must exceed beta_slow: 1 does not");
  refused(scaled("yarn", {{"factor", real(2)}, {"base", real(1)}}), "a base above 1, not 1");
  refused(scaled("yarn", {{"factor", real(2)}, {"base", real(7)}}), "choose another length or base", 8, 100000000);
  refused(scaled("yarn", {{"factor", real(2)}, {"mscale", real(1)}, {"attention_factor", real(1)}}), "set one");
  refused(scaled("ntk-by-parts"), "needs factor");
  refused(scaled("ntk"), "rotary width of at least 4, not 2", 2);
  refused(scaled("dynamic-ntk"), "rotary width of at least 4, not 2", 2);
  refused(scaled("llama3", {{"high_freq_factor", real(1)}}),
          "high_freq_factor must exceed low_freq_factor: 1 does not");
  refused(scaled("longrope"), "\"longrope\" needs short_factor");
  Values lists{{"short_factor", numbers({1, 1, 1, 1})}, {"long_factor", numbers({2, 2, 2})}};
  refused(scaled("longrope", lists), "long_factor must have one number for each of the 4 planes, not 3");
  lists.set("long_factor", numbers({2, 2, 2, 2}));
  refused(scaled("longrope", lists), "needs max_position_embeddings");
  lists.set("max_position_embeddings", whole(128));
  CHECK_NOTHROW(rope(scaled("longrope", lists), 8));
  lists.set("long_factor", numbers({2, 2, 0.5, 2}));
  CHECK_THROWS_AS(rope(scaled("longrope", lists), 8), base::Error);
  CHECK_THROWS_AS(rope(scaled("linear", {{"factor", real(0.5)}}), 8), base::Error);
  CHECK_THROWS_AS(rope(scaled("proportional", {{"p", real(1.5)}}), 8), base::Error);
}
