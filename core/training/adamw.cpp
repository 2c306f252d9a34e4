// SPDX-License-Identifier: Apache-2.0
#include "poslab/training/adamw.hpp"

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <algorithm>
#include <cmath>

namespace poslab::training {
namespace {

constexpr Index piece = 1 << 14;  // numbers that one task updates

template <class Body>
void for_each_piece(Index size, const Body& body) {
  tbb::parallel_for(
      Index{0}, (size + piece - 1) / piece, [&](Index p) { body(p, p * piece, std::min(piece, size - p * piece)); },
      tbb::simple_partitioner());
}

}  // namespace

template <class S>
AdamW<S>::AdamW(const network::Layout& layout, const AdamWOptions& options)
    : options_(options),
      first_(layout),
      second_(layout),
      squares_(static_cast<std::size_t>((layout.size() + piece - 1) / piece)) {}

template <class S>
double AdamW<S>::step(double rate, const network::Parameters<S>& gradient, network::Parameters<S>& parameters) {
  ++steps_;
  double total = 0;
  for (const network::ParameterInfo& info : parameters.layout().parameters()) {
    if (info.frozen) continue;
    const S* g = gradient.flat().data() + info.offset;
    for_each_piece(info.size(), [&](Index p, Index first, Index count) {
      double sum = 0;
      for (Index i = first; i < first + count; ++i) sum += static_cast<double>(g[i]) * static_cast<double>(g[i]);
      squares_[static_cast<std::size_t>(p)] = sum;
    });
    for (Index p = 0; p * piece < info.size(); ++p) total += squares_[static_cast<std::size_t>(p)];
  }
  const double norm = std::sqrt(total), clipped = std::min(1.0, options_.clip / (norm + 1e-12));
  const auto t = static_cast<double>(steps_);
  const auto scale = static_cast<S>(clipped), b1 = static_cast<S>(options_.beta1), b2 = static_cast<S>(options_.beta2),
             c1 = static_cast<S>(1 - std::pow(options_.beta1, t)), c2 = static_cast<S>(1 - std::pow(options_.beta2, t)),
             epsilon = static_cast<S>(options_.epsilon), step_size = static_cast<S>(rate);
  const auto g1 = static_cast<S>(1 - options_.beta1), g2 = static_cast<S>(1 - options_.beta2);
  for (const network::ParameterInfo& info : parameters.layout().parameters()) {
    if (info.frozen) continue;
    const S* gradients = gradient.flat().data() + info.offset;
    S* x = parameters.flat().data() + info.offset;
    S* m = first_.flat().data() + info.offset;
    S* v = second_.flat().data() + info.offset;
    const auto kept = static_cast<S>(info.decays ? 1 - rate * options_.weight_decay : 1);
    for_each_piece(info.size(), [&](Index, Index first, Index count) {
      for (Index i = first; i < first + count; ++i) {
        const S g = gradients[i] * scale;
        m[i] = b1 * m[i] + g1 * g;
        v[i] = b2 * v[i] + g2 * (g * g);
        x[i] = kept * x[i] - step_size * (m[i] / c1) / (std::sqrt(v[i] / c2) + epsilon);
      }
    });
  }
  return norm;
}

template class AdamW<float>;
template class AdamW<double>;

}  // namespace poslab::training
