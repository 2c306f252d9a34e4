// SPDX-License-Identifier: Apache-2.0
// None of several numbers that fit is the only one: Llama 3.1's queries of few positions, in bfloat16.
// Dimension letters: N positions, P planes, K head width.
#include <algorithm>

#include "catch.hpp"
#include "dumps.hpp"

using namespace poslab;
using namespace dumps;
using identify::Named;
using identify::Verdict;

namespace {

Named llama3(double factor) {
  return {"rope",
          {{"base", 5e5},
           {"style", std::string("half-split")},
           {"scaling", std::string("llama3")},
           {"factor", factor},
           {"original_max_position_embeddings", std::int64_t{8192}}}};
}
Named without_scaling() { return {"rope", {{"base", 5e5}, {"style", std::string("half-split")}}}; }

// Queries of two heads, of width 128, before and after, at every `step`-th position; by Meta's formula, with a factor
// of 8.
Dump llama3_queries(Index N, double step = 1) {
  Numbers w = frequencies(64, 5e5);
  for (double& x : w) {
    const double wavelength = 2 * M_PI / x, smooth = (8192 / wavelength - 1) / (4 - 1);
    x = wavelength < 8192.0 / 4 ? x : wavelength > 8192 ? x / 8 : (1 - smooth) * x / 8 + smooth * x;
  }
  DumpArray q = drawn("q", {2, N, 128}), positions{"positions", {N}, {}};
  for (double& x : q.numbers) x = half(x);
  for (Index n = 0; n < N; ++n) positions.numbers.push_back(step * static_cast<double>(n));
  DumpArray q_rot = rotated("q_rot", q, true, [&](Index n, Index m) {
    return positions.numbers[static_cast<std::size_t>(n)] * w[static_cast<std::size_t>(m)];
  });
  for (double& x : q_rot.numbers) x = half(x);
  return {{q, q_rot, positions}};
}

Verdict expecting(const Dump& dump, const Named& expected) { return identify::identify(dump, {}, shipped(), expected); }
bool names(const Verdict& verdict, const Named& one) {
  return verdict.named->named == one || std::any_of(verdict.others.begin(), verdict.others.end(),
                                                    [&](const identify::Fit& fit) { return fit.named == one; });
}

}  // namespace

TEST_CASE("where another factor comes as near, neither is the only one") {
  const Verdict verdict = expecting(llama3_queries(24), llama3(8));
  CHECK(verdict.kind == Verdict::Kind::several);
  CHECK(names(verdict, llama3(8)));
  CHECK(names(verdict, llama3(16)));
  CHECK(verdict.succeeds());
  CHECK(verdict.expected->is_one_of_several);
}

TEST_CASE("a scaling that may have been dropped is a rival of none, however much there is to say of it") {
  const Verdict verdict = expecting(llama3_queries(16), without_scaling());
  CHECK(verdict.kind == Verdict::Kind::several);
  CHECK(verdict.named->named == without_scaling());
  CHECK(std::any_of(verdict.others.begin(), verdict.others.end(), [](const identify::Fit& fit) {
    return fit.named.parameters.find("scaling") && fit.named.parameters.text("scaling") == "llama3";
  }));
  CHECK(verdict.succeeds());
  CHECK(verdict.expected->is_one_of_several);
}

TEST_CASE("positions that tell the factor leave one alone, until another is expected that fits, too") {
  const Dump dump = llama3_queries(24, 20);
  const Verdict alone = expecting(dump, llama3(8));
  CHECK(alone.kind == Verdict::Kind::certain);
  CHECK(alone.named->named == llama3(8));
  CHECK_FALSE(alone.expected->is_one_of_several);
  const Verdict with_another = expecting(dump, llama3(9));
  CHECK(with_another.expected->is_one_of_several);
  CHECK(with_another.kind == Verdict::Kind::several);
  CHECK(names(with_another, llama3(9)));
  CHECK_FALSE(expecting(dump, without_scaling()).succeeds());
}

TEST_CASE("a fitted number has no rival in what fits it once more, or has more digits") {
  const Verdict verdict = expecting(cosines_and_sines(500, frequencies(32, 12345.6)), {"rope", {{"base", 12345.6001}}});
  CHECK(verdict.expected->holds());
  CHECK(verdict.named->named.scheme == "rope");
  for (const identify::Fit& other : verdict.others) CHECK(other.named.scheme != "rope");
}
