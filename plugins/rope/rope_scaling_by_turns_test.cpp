// SPDX-License-Identifier: Apache-2.0
// RoPE's scalings that treat a plane by how often it turns in the original length: known answers, second
// implementations.
// Dimension letters: R rotary width (here all of the head), s factor, L original length.
#include <algorithm>
#include <cmath>

#include "scaled_rope.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using namespace scaled_rope;

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
