// SPDX-License-Identifier: Apache-2.0
// Dumps as other programs would write them.
// Dimension letters: N positions, D model width, H heads, K head width, P planes.
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "poslab/host/library.hpp"
#include "poslab/identify/identify.hpp"
#include "poslab/numerics/format.hpp"

namespace dumps {

using poslab::base::Index;
using poslab::identify::Dump;
using poslab::identify::DumpArray;
using Numbers = std::vector<double>;

inline const poslab::identify::Plugins& shipped() {
  static const poslab::identify::Plugins all = [] {
    poslab::identify::Plugins plugins;
    const auto library = poslab::host::Library::scan(
        {std::filesystem::path(POSLAB_PLUGIN_DIR)},
        [](const std::filesystem::path& file) { return poslab::host::Plugin::open(file)->info(); });
    for (const auto& scheme : library.schemes()) plugins.push_back(poslab::host::Plugin::open(scheme.file));
    return plugins;
  }();
  return all;
}

inline double single(double x) { return static_cast<double>(static_cast<float>(x)); }
inline double half(double x) { return poslab::numerics::rounded(x, poslab::numerics::bfloat16); }

/// base^(-2m/R), as written in every model's code.
inline Numbers frequencies(Index P, double base) {
  Numbers w;
  for (Index m = 0; m < P; ++m) w.push_back(std::pow(base, -static_cast<double>(2 * m) / static_cast<double>(2 * P)));
  return w;
}

/// [N, P] of f(p w), the angle in float32.
inline DumpArray waves(const std::string& name, Index N, const Numbers& w, double (*f)(double), double magnitude = 1) {
  DumpArray array{name, {N, static_cast<Index>(w.size())}, {}};
  for (Index n = 0; n < N; ++n)
    for (const double x : w) array.numbers.push_back(single(magnitude * f(single(static_cast<double>(n) * single(x)))));
  return array;
}
inline double cosine(double x) { return std::cos(x); }
inline double sine(double x) { return std::sin(x); }

inline Dump cosines_and_sines(Index N, const Numbers& w, double magnitude = 1) {
  return {{waves("cos", N, w, cosine, magnitude), waves("sin", N, w, sine, magnitude)}};
}

inline DumpArray drawn(const std::string& name, std::vector<Index> shape, unsigned seed = 1) {
  DumpArray array{name, std::move(shape), {}};
  std::size_t count = 1;
  for (const Index extent : array.shape) count *= static_cast<std::size_t>(extent);
  std::mt19937 engine(seed);
  for (std::size_t i = 0; i < count; ++i)
    array.numbers.push_back(single(static_cast<double>(engine()) / 2147483648.0 - 1));
  return array;
}

/// x [H, N, K] turned by `angle(n, m)` with the pairing of a style.
inline DumpArray rotated(const std::string& name, const DumpArray& x, bool halves,
                         const std::function<double(Index n, Index m)>& angle) {
  DumpArray out{name, x.shape, x.numbers};
  const Index H = x.shape[0], N = x.shape[1], K = x.shape[2];
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index m = 0; m < K / 2; ++m) {
        const auto row = static_cast<std::size_t>((h * N + n) * K);
        const std::size_t a = row + static_cast<std::size_t>(halves ? m : 2 * m);
        const std::size_t b = row + static_cast<std::size_t>(halves ? m + K / 2 : 2 * m + 1);
        const double c = std::cos(angle(n, m)), s = std::sin(angle(n, m));
        out.numbers[a] = single(x.numbers[a] * c - x.numbers[b] * s);
        out.numbers[b] = single(x.numbers[b] * c + x.numbers[a] * s);
      }
  return out;
}

inline poslab::identify::Verdict verdict_of(const Dump& dump, const poslab::identify::Request& request = {}) {
  return poslab::identify::identify(dump, request, shipped());
}
inline std::string named(const poslab::identify::Verdict& verdict) {
  return verdict.named ? verdict.named->named.text() : "";
}

}  // namespace dumps
