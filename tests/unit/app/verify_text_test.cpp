// SPDX-License-Identifier: Apache-2.0
// The table of `poslab verify`.
#include "commands/texts.hpp"

#include <cmath>

#include "catch.hpp"

using namespace poslab;

namespace {

data::ExpectationResult result(double value, double tolerance, double measured, data::Verdict verdict) {
  data::ExpectationResult result;
  result.expectation = {"uniqueness", "distinct", {{"scheme", std::string("t5")}}, value, tolerance, "a paper"};
  result.measured = measured, result.verdict = verdict;
  data::set_texts(result);
  return result;
}

}  // namespace

TEST_CASE("published, here, difference and verdict, and what is out of reach") {
  data::ExpectationResult bound = result(0.98, 0, 0.9625, data::Verdict::fails);
  bound.expectation.gate = data::Gate::at_least;
  bound.message = "measured 0.9625, expected at least 0.98";
  data::ExpectationResult mean = result(6, 1, 6.03, data::Verdict::holds);
  mean.expectation.repeats = data::OverRepeats::mean;
  mean.expectation.minus = {{"scheme", std::string("none")}};
  mean.error = 0.348;
  data::ExpectationResult open = result(1, 0, NAN, data::Verdict::not_measured);
  open.message = "table too short";
  open.expectation.source = "";
  for (data::ExpectationResult* each : {&bound, &mean, &open}) data::set_texts(*each);
  const run::Verification one{"a.toml",
                              "First",
                              {result(32, 0, 32, data::Verdict::holds), bound, mean, open},
                              {{"perplexity", "20.05", "too large"}},
                              "",
                              run::Ending::complete,
                              1.4};
  const run::Verification left_out{"b.toml", "b.toml", {}, {}, "it needs a file"};
  CHECK(app::verify_text({one, left_out}) ==
        "                                         published           here     difference\n"
        "\nFirst\n"
        "  ✓ distinct scheme=t5                          32             32              0\n"
        "  ✗ distinct scheme=t5                      ≥ 0.98         0.9625         -0.017\n"
        "  ✓ mean distinct scheme=t5 less\n"
        "    that of scheme=none                          6      6.0 ± 0.3      0.03 of 1\n"
        "  ? distinct scheme=t5                           1              –              –\n"
        "    table too short\n"
        "\nb.toml\n"
        "  – not run: it needs a file\n"
        "\npublished, and out of reach here:\n"
        "  – perplexity: 20.05\n"
        "    too large\n"
        "\nwhat fails:\n"
        "  ✗ First, distinct scheme=t5: 0.9625 here, published at least 0.98 [a paper]\n"
        "\n2 of 4 known answers hold, 1 fails, 1 not measured; 1 study in 1 s, 1 not run\n");
}
