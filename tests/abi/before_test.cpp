// SPDX-License-Identifier: Apache-2.0
// Plugins that are built with the headers of 1.0 and 1.2, for any x86-64, give the same bits as one of today.
#include "poslab/attention/attention.hpp"
#include "scheme_check.hpp"

using namespace poslab;

namespace {

constexpr base::Index H = 2, N = 9, K = 8;

template <class S>
std::vector<base::Array<S>> numbers_of(const host::Scheme& scheme) {
  const auto positions = check::consecutive(N, -2);
  const auto draw = [](const char* key) {
    const auto drawn = check::random({H, N, K}, key);
    base::Array<S> out({H, N, K});
    std::copy(drawn.flat().begin(), drawn.flat().end(), out.data());
    return out;
  };
  const auto q = draw("q"), k = draw("k"), v = draw("v");
  std::vector<base::Array<S>> numbers;
  for (const host::Side side : host::all_sides) {
    base::Array<S> moved = q.copy(), gradient = k.copy();
    scheme.transform<S>({N, 64, true}, side, positions, {}, moved);
    scheme.transform_gradient<S>({N, 64, true}, side, positions, {}, gradient, {});
    numbers.push_back(std::move(moved));
    numbers.push_back(std::move(gradient));
  }
  base::Array<S> out({H, N, K});
  attention::attend<S>({&scheme, {N, 64, true}, positions, {}}, {q, k, {}}, v, out);
  numbers.push_back(std::move(out));
  return numbers;
}

}  // namespace

TEMPLATE_TEST_CASE("a plugin of the boundary's minors 0 and 2 serves as it did", "", float, double) {
  const std::string minor = GENERATE("1.0", "1.2");
  const host::Scheme before(host::Plugin::open(POSLAB_ABI_DIR "/turns-" + minor + ".so"), {}, {H * K, H, 64}),
      now(host::Plugin::open(POSLAB_ABI_DIR "/turns.so"), {}, {H * K, H, 64});
  for (const host::Scheme* scheme : {&before, &now}) {
    CHECK(scheme->transforms(host::Side::query));
    CHECK(scheme->transforms(host::Side::key));
    CHECK_FALSE(scheme->transforms(host::Side::value));
    CHECK_FALSE(scheme->transforms(host::Side::output));
  }
  const auto old_numbers = numbers_of<TestType>(before), numbers = numbers_of<TestType>(now);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    CAPTURE(i);
    CHECK(std::equal(numbers[i].flat().begin(), numbers[i].flat().end(), old_numbers[i].flat().begin()));
  }
  const auto q = check::random({H, N, K}, "q");
  const bool moved = !std::equal(numbers[0].flat().begin(), numbers[0].flat().end(), q.flat().begin(),
                                 [](TestType a, double b) { return a == static_cast<TestType>(b); });
  CHECK(moved);
  CHECK(std::equal(numbers[4].flat().begin(), numbers[4].flat().end(), q.flat().begin(),
                   [](TestType a, double b) { return a == static_cast<TestType>(b); }));  // values stay
}
