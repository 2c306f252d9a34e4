// SPDX-License-Identifier: Apache-2.0
// One build of the kernels; its name and its instruction set come from the command line.
#include "kernels.hpp"

#include <span>

#include "poslab/sdk/rotation.hpp"
#include "poslab/sdk/rows.hpp"
#include "poslab/sdk/trigonometry.hpp"

namespace {

void sines_and_cosines(double factor, const double* frequencies, double* sines, double* cosines, std::size_t count) {
  poslab::sines_and_cosines(factor, {frequencies, count}, {sines, count}, {cosines, count});
}

template <class S>
void rotate(bool halves, S* x, const S* cosines, const S* sines, std::size_t planes) {
  poslab::sdk::rotate_row(halves ? poslab::Pairing::half_split : poslab::Pairing::interleaved, x, cosines, sines,
                          static_cast<poslab::Index>(planes));
}

template <class S>
S dot(const S* a, const S* b, std::size_t count) {
  return poslab::dot(std::span(a, count), std::span(b, count));
}

#ifdef __AVX2__
constexpr bool wide = true;
#else
constexpr bool wide = false;
#endif

}  // namespace

extern "C++" __attribute__((visibility("default")))
const Kernels KERNELS{sines_and_cosines, rotate<float>, rotate<double>, dot<float>, dot<double>, wide};
