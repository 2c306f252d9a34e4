// SPDX-License-Identifier: Apache-2.0
// What the tests of schemes share: attaching a variant, arrays, and gradients by central differences.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "poslab/base/random.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"

namespace check {

using poslab::base::Array;
using poslab::base::Index;
using poslab::base::View;
using poslab::data::Value;

/// The variant of the built plugin `id`.
inline std::unique_ptr<poslab::host::Scheme> scheme(const std::string& id, const poslab::data::Values& parameters,
                                                    const poslab::host::Model& model) {
  const auto plugin = poslab::host::Plugin::open(POSLAB_PLUGIN_DIR "/" + id + ".so");
  return std::make_unique<poslab::host::Scheme>(plugin, parameters, model);
}

/// The same with every gradient derived from the operation itself; only for schemes that write some by hand.
inline std::unique_ptr<poslab::host::Scheme> derived(const std::string& id, const poslab::data::Values& parameters,
                                                     const poslab::host::Model& model) {
  const auto plugin = poslab::host::Plugin::open(POSLAB_PLUGIN_DIR "/../derived/" + id + ".so");
  return std::make_unique<poslab::host::Scheme>(plugin, parameters, model);
}

/// Positions [N, 1].
inline Array<double> positions(const std::vector<double>& numbers) {
  Array<double> out({static_cast<Index>(numbers.size()), 1});
  std::copy(numbers.begin(), numbers.end(), out.data());
  return out;
}

/// 0, 1, ..., count - 1 after `first`.
inline Array<double> consecutive(Index count, double first = 0) {
  Array<double> out({count, 1});
  for (Index n = 0; n < count; ++n) out(n, 0) = first + static_cast<double>(n);
  return out;
}

/// Standard normal numbers, others for every `key`.
template <class S = double>
Array<S> random(std::initializer_list<Index> extents, const std::string& key) {
  Array<S> out(extents);
  const poslab::base::Stream stream(key);
  for (Index i = 0; i < out.size(); ++i) out.data()[i] = static_cast<S>(stream.normal(static_cast<std::uint64_t>(i)));
  return out;
}

/// Weights of one layer full of standard normal numbers: larger than any initialisation, so that nothing hides.
template <class S = double>
poslab::host::Weights<S> random_weights(const poslab::host::Scheme& scheme, const std::string& key) {
  poslab::host::Weights<S> weights(scheme.weights(), 1);
  for (std::size_t w = 0; w < weights.arrays().size(); ++w) {
    const poslab::base::Stream stream(key + scheme.weights()[w].name);
    for (Index i = 0; i < weights.arrays()[w][0].size(); ++i)
      weights.arrays()[w][0].data()[i] = static_cast<S>(stream.normal(static_cast<std::uint64_t>(i)));
  }
  return weights;
}

/// sum of |a * b|
inline double magnitude_of(const Array<double>& a, const Array<double>& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += std::abs(a.data()[i] * b.data()[i]);
  return sum;
}

/// sum of a * b
template <class S>
double inner(const Array<S>& a, const Array<S>& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += static_cast<double>(a.data()[i]) * static_cast<double>(b.data()[i]);
  return sum;
}

/// The largest |a - b|.
template <class A, class B>
double largest_difference(const Array<A>& a, const Array<B>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const double apart = std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i]));
    largest = std::isnan(apart) ? INFINITY : std::max(largest, apart);
  }
  return largest;
}

/// A gradient beside central differences of the loss.
struct GradientComparison {
  double apart = 0;    ///< the largest difference; infinity where one is no number
  double largest = 0;  ///< the largest number of both
};

inline GradientComparison compare_gradient(const std::function<double()>& loss, Array<double>& x,
                                           const Array<double>& gradient) {
  REQUIRE(gradient.size() == x.size());
  GradientComparison found;
  for (Index i = 0; i < x.size(); ++i) {
    const double step = 1e-4, at = x.data()[i], claimed = gradient.data()[i];
    x.data()[i] = at + step;
    const double above = loss();
    x.data()[i] = at - step;
    const double slope = (above - loss()) / (2 * step);
    x.data()[i] = at;
    const double apart = std::abs(slope - claimed);
    found.apart = std::isnan(apart) ? INFINITY : std::max(found.apart, apart);
    found.largest = std::max({found.largest, std::abs(slope), std::abs(claimed)});
  }
  return found;
}

/// Whether `gradient` is d loss / d x, by central differences, within `relative` of the largest entry, which is not 0.
inline bool is_gradient(const std::function<double()>& loss, Array<double>& x, const Array<double>& gradient,
                        double relative = 1e-6) {
  const GradientComparison found = compare_gradient(loss, x, gradient);
  return found.largest > 0 && found.apart <= relative * found.largest;
}

/// The same, where x may be without effect. `magnitude` is the sum of the absolute values of what the loss adds up: its
/// rounding, and that of nothing else, is forgiven.
inline bool is_gradient_or_rounding(const std::function<double()>& loss, Array<double>& x,
                                    const Array<double>& gradient, double magnitude, double relative = 1e-6) {
  const double step = 1e-4, rounding = 8 * std::numeric_limits<double>::epsilon() * magnitude / step;
  const GradientComparison found = compare_gradient(loss, x, gradient);
  if (found.apart <= relative * found.largest + rounding) return true;
  UNSCOPED_INFO("a gradient of size " << found.largest << " is off by " << found.apart << "; rounding is " << rounding);
  return false;
}

}  // namespace check
