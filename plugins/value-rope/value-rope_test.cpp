// SPDX-License-Identifier: Apache-2.0
// Its sides, one by one; what a query reads of values is in tests/unit/attention. Dimension letters: H heads, N
// positions, K head width.
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 8, N = 11;

std::unique_ptr<host::Scheme> scheme_of(const data::Values& parameters = {}) {
  return check::scheme("value-rope", parameters, {H * K, H, 64});
}

}  // namespace

TEST_CASE("value-rope: its logits are RoPE's, or those without positions") {
  const bool logits = GENERATE(true, false);
  const auto scheme = scheme_of({{"logits", Value(logits)}});
  const auto rope = check::scheme("rope", {}, {H * K, H, 64});
  const auto positions = check::consecutive(N, -4), x = check::random({H, N, K}, "x");
  for (const host::Side side : {host::Side::query, host::Side::key}) {
    Array<double> ours = x.copy(), expected = x.copy();
    scheme->transform<double>({N, 64, false}, side, positions, {}, ours);
    if (logits) rope->transform<double>({N, 64, false}, side, positions, {}, expected);
    CHECK(check::largest_difference(ours, expected) == 0);
    CHECK(scheme->transforms(side) == logits);
  }
  CHECK_FALSE(rope->transforms(host::Side::value));
  CHECK(scheme->transforms(host::Side::output));
}

TEST_CASE("value-rope: outputs are turned back, and so are gradients of values") {
  const auto scheme = scheme_of({{"rotary_width", Value(std::int64_t{6})}});
  const auto positions = check::consecutive(N), x = check::random({H, N, K}, "x");
  const host::Context context{N, 64, false};
  Array<double> there_and_back = x.copy(), value_gradient = x.copy(), output = x.copy();
  scheme->transform<double>(context, host::Side::value, positions, {}, there_and_back);
  scheme->transform<double>(context, host::Side::output, positions, {}, there_and_back);
  CHECK(check::largest_difference(there_and_back, x) < 1e-15);
  scheme->transform_gradient<double>(context, host::Side::value, positions, {}, value_gradient, {});
  scheme->transform<double>(context, host::Side::output, positions, {}, output);
  CHECK(check::largest_difference(value_gradient, output) == 0);
}
