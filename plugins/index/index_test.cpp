// SPDX-License-Identifier: Apache-2.0
#include "scheme_check.hpp"

using namespace poslab;

TEMPLATE_TEST_CASE("index: the position in the first channel, or in all", "", float, double) {
  using S = TestType;
  const bool broadcast = GENERATE(false, true);
  const auto scheme = check::scheme("index", {{"broadcast", check::Value(broadcast)}}, {6, 2, 512});
  const auto positions = check::positions({0, 1, 2.5, -3, 8191});
  base::Array<S> out({5, 6});
  scheme->encode<S>({10, 512, true}, positions, {}, out);
  for (base::Index n = 0; n < 5; ++n)
    for (base::Index c = 0; c < 6; ++c)
      CHECK(out(n, c) == (c == 0 || broadcast ? static_cast<S>(positions(n, 0)) : S{0}));
}

TEST_CASE("index: its claims") {
  const auto scheme = check::scheme("index", {}, {6, 2, 512});
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_CONSTANT_NORM));
  CHECK(scheme->unique_up_to() >= 1e9);
  CHECK(scheme->weights().empty());
  CHECK_FALSE(scheme->why_not_positions(-1e12, 1e12));
}
