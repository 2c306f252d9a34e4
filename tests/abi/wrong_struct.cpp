// SPDX-License-Identifier: Apache-2.0
// Each WRONG_... is a struct whose members poslab cannot reach; tests read the first error.
#include <poslab/scheme.hpp>
using namespace poslab;

#if defined(WRONG_final)
struct Wrong final {
#elif defined(WRONG_all_private)
class Wrong {
#else
struct Wrong {
#endif
  static constexpr Card card{.id = "wrong", .title = "Wrong", .version = "1"};
#if defined(WRONG_traits_private)
 private:
#endif
  static constexpr Traits traits = Traits();
#if defined(WRONG_prepare_private)
 private:
#endif
  void prepare(const Model&) {}
#if defined(WRONG_bias_private)
 private:
#endif
  double bias(int, double offset) const { return offset; }
};
POSLAB_SCHEME(Wrong)
