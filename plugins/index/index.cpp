// SPDX-License-Identifier: Apache-2.0
// The raw index: the position itself is the code.
#include <poslab/scheme.hpp>

using namespace poslab;

struct IndexScheme {
  static constexpr Card card{.id = "index",
                             .title = "Raw index",
                             .version = "1.0",
                             .summary = "The position itself, in one channel or in all of them.",
                             .formula = "e(p) = (p, 0, ..., 0), or (p, ..., p)",
                             .real_positions = true};
  bool broadcast;
  static constexpr std::tuple params{
      flag(&IndexScheme::broadcast, "broadcast", false, "the position in every channel, not in the first alone")};
  // 2^53: beyond, neighbours round to the same double
  static constexpr Traits traits = Traits().claims(content_free | length_free).unique_up_to(9007199254740992.0);

  template <class S>
  void encode(double position, Row<S> row) const {
    for (S& channel : row) channel = broadcast ? static_cast<S>(position) : S(0);
    row[0] = static_cast<S>(position);
  }
};
POSLAB_SCHEME(IndexScheme)
