// SPDX-License-Identifier: Apache-2.0
// What the SDK computes on the hot path, as a table of functions, so that two builds of it can be compared.
#pragma once

#include <cstddef>

struct Kernels {
  void (*sines_and_cosines)(double factor, const double* frequencies, double* sines, double* cosines,
                            std::size_t count);
  void (*rotate_f32)(bool halves, float* x, const float* cosines, const float* sines, std::size_t planes);
  void (*rotate_f64)(bool halves, double* x, const double* cosines, const double* sines, std::size_t planes);
  float (*dot_f32)(const float* a, const float* b, std::size_t count);
  double (*dot_f64)(const double* a, const double* b, std::size_t count);
  bool has_wide_vectors;
};

extern const Kernels abi_common, abi_native;
