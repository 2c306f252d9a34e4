// SPDX-License-Identifier: Apache-2.0
// A code of noise, in which a position is written faintly, or not at all.
#include <poslab/scheme.hpp>

using namespace poslab;

struct FaintCode {
  static constexpr Card card{
      .id = "faint-code",
      .title = "A faint code",
      .version = "1.0",
      .paper = "",
      .summary = "Adds noise of its own to each position, and to its first channel the position.",
      .formula = "e(p) = E[p], e(p)[0] += strength p / rows",
      .used_in = ""};
  double strength;
  int rows;
  static constexpr std::tuple params{
      real(&FaintCode::strength, "strength", 0, any_number, "of the position, over a noise of deviation 1"),
      integer(&FaintCode::rows, "rows", 32, between(1, 512), "positions of the table").in("position")};
  Traits traits() const { return Traits().min_position(0).max_position(rows - 1); }
  std::vector<Weight> weights(const Model& m) const { return {normal("noise", {rows, m.D}, 1, "of each position")}; }
  template <class S>
  void encode(Point p, Row<S> row, Weights<const S> w) const {
    const auto position = static_cast<Index>(double(p));
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = w[0](position, static_cast<Index>(c));
    row[0] += S(strength * p / rows);
  }
};
POSLAB_SCHEME(FaintCode)
