// SPDX-License-Identifier: Apache-2.0
#include "scheme_check.hpp"

using namespace poslab;

TEST_CASE("none: offers nothing and promises what nothing keeps") {
  const auto scheme = check::scheme("none", {}, {10, 2, 512});
  for (const host::Operation operation : host::all_operations) CHECK_FALSE(scheme->has(operation));
  CHECK(scheme->weights().empty());
  CHECK(scheme->info().parameters.empty());
  CHECK(scheme->info().family == data::Family::none);
  CHECK(scheme->claims(POSLAB_RELATIVE));
  CHECK(scheme->claims(POSLAB_SYMMETRIC));
  CHECK(scheme->unique_up_to() == 0);
  CHECK(scheme->logit_scale() == 1 / std::sqrt(5.0));
  CHECK_FALSE(scheme->why_not_positions(-1e12, 1e12));
}
