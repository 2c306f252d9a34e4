// SPDX-License-Identifier: Apache-2.0
// The error that something throws, to look at its kind and its facts.
#pragma once

#include "catch.hpp"
#include "poslab/base/error.hpp"

namespace check {

using Kind = poslab::base::Error::Kind;

/// The test fails if `act` throws no base::Error.
template <class Act>
poslab::base::Error thrown(const Act& act) {
  try {
    act();
  } catch (const poslab::base::Error& error) {
    return error;
  }
  FAIL("nothing was thrown");
  throw;  // FAIL does not return
}

}  // namespace check
