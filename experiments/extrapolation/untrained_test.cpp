// SPDX-License-Identifier: Apache-2.0
// Which positions use weights that training never moves: known answers, and one entry after the other by hand.
#include <algorithm>
#include <cmath>
#include <set>

#include "catch.hpp"
#include "cells.hpp"
#include "poslab/attention/signatures.hpp"

using namespace poslab;
using base::Index;
using data::Value;

namespace {

constexpr Index untrained_L = 12;

cells::Cell untrained_cell(const std::string& scheme, data::Values parameters, Index L = untrained_L) {
  return {"extrapolation",
          scheme,
          {{"train_length", Value(L)}, {"points", Value(L)}, {"multiple", Value(std::vector<double>{1, 2, 4})}},
          std::move(parameters),
          {8, 2, L}};
}

// The first position that depends on untrained weights, or -1.
double first_untrained(const cells::Cell& cell) {
  const cells::Answer answer = cells::run(cell);
  REQUIRE(answer.skip.empty());
  const std::vector<double>& shares = answer.curve("untrained");
  const auto found = std::find_if(shares.begin(), shares.end(), [](double share) { return share > 0.1; });
  if (found == shares.end()) return -1;
  return answer.record.coordinate_of("position")->values[static_cast<std::size_t>(found - shares.begin())];
}

// phi in the context of this length.
base::Array<double> code(const host::Scheme& scheme, Index length, Index L, const host::Weights<double>& weights) {
  const host::Context context{length, L, true};
  if (attention::natural_kind(scheme) == attention::SignatureKind::offset)
    return attention::offset_signatures_reference<double>(scheme, context, attention::Offsets::causal, length,
                                                          weights.layer(0));
  base::Array<double> positions{length, 1};
  for (Index n = 0; n < length; ++n) positions(n, 0) = static_cast<double>(n);
  return attention::position_signatures<double>(scheme, context, positions, weights.layer(0));
}

// The rows of phi that change when one entry of the weights does.
std::set<Index> touched(const host::Scheme& scheme, Index length, Index L, host::Weights<double>& weights,
                        double& entry) {
  const base::Array<double> before = code(scheme, length, L, weights);
  const double kept = entry;
  entry += 0.37;
  const base::Array<double> after = code(scheme, length, L, weights);
  entry = kept;
  std::set<Index> rows;
  for (Index n = 0; n < length; ++n)
    for (Index a = 0; a < before.extent(1); ++a)
      if (before(n, a) != after(n, a)) rows.insert(n);
  return rows;
}

}  // namespace

TEST_CASE("extrapolation: rows beyond the trained length are untrained, whoever made the table") {
  const data::Values long_table{{"max_length", Value(std::int64_t{40})}};
  CHECK(first_untrained(untrained_cell("learned", long_table)) == 12);
  CHECK(first_untrained(untrained_cell("tupe", long_table)) == 12);
  CHECK(first_untrained(untrained_cell("bert-relative", long_table)) == 12);
  for (const char* id : {"none", "rope", "alibi", "sinusoidal", "dynamic-position-bias", "transformer-xl"}) {
    CAPTURE(id);
    CHECK(first_untrained(untrained_cell(id, {})) == -1);
  }
  CHECK(first_untrained(untrained_cell("fire", {{"init_l", Value(4.0)}})) == -1);  // shares of 0 to 1 in both
}

TEST_CASE("extrapolation: buckets and clips that training has not reached are untrained, the others are not") {
  const auto clipped = [](std::int64_t clip) {
    return first_untrained(untrained_cell("shaw", {{"clip", Value(clip)}}));
  };
  CHECK(clipped(11) == -1);  // training shows the distances 0 .. 11
  CHECK(clipped(12) == 12);
  CHECK(clipped(20) == 12);
  CHECK(first_untrained(untrained_cell("t5", {}, 114)) == -1);
  CHECK(first_untrained(untrained_cell("t5", {}, 113)) == 113);  // where the last bucket begins
}

TEST_CASE("extrapolation: untrained positions as found one entry of the weights after the other") {
  const Index L = 6;
  for (const auto& [id, parameters] :
       std::vector<std::pair<std::string, data::Values>>{{"learned", {{"max_length", Value(std::int64_t{24})}}},
                                                         {"tupe", {{"max_length", Value(std::int64_t{24})}}},
                                                         {"shaw", {{"clip", Value(std::int64_t{9})}}},
                                                         {"t5", {}},
                                                         {"music-transformer", {}},
                                                         {"kerple", {}}}) {
    CAPTURE(id);
    const cells::Cell here = untrained_cell(id, parameters, L);
    const host::Scheme scheme(cells::plugin(id), parameters, here.model);
    host::Weights<double> weights = scheme.draw_weights(data::Draws(7, "untrained", id, 0));
    const double longest = std::min(4.0 * L, scheme.highest_position() + 1);
    std::vector<double> expected(static_cast<std::size_t>(longest), 0.0);
    for (auto& array : weights.arrays())
      for (double& entry : array[0].flat()) {
        if (!touched(scheme, L, L, weights, entry).empty()) continue;
        for (const Index times : {2, 4})
          for (const Index p : touched(scheme, std::min(times * L, static_cast<Index>(longest)), L, weights, entry))
            if (p >= times * L / 2) expected[static_cast<std::size_t>(p)] = 1;
      }
    const cells::Answer answer = cells::run(here);
    const std::vector<double>& shares = answer.curve("untrained");
    for (std::size_t p = 0; p < expected.size(); ++p) {
      CAPTURE(p);
      CHECK((shares[p] > 0) == (expected[p] > 0));
      if (id == "learned" || id == "shaw" || id == "t5") CHECK(shares[p] == expected[p]);  // a row alone
    }
  }
}
