// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include <cmath>
#include <vector>

#include "poslab/numerics/linear_fit.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::survival {
namespace {

struct Standard {
  double mean = 0, factor = 0;  // 0: a constant channel
};

std::vector<Standard> standards(View<const double> rows, double constant) {
  std::vector<Standard> of_channels;
  for (Index c = 0; c < rows.shape[1]; ++c) {
    numerics::Moments moments;
    for (Index r = 0; r < rows.shape[0]; ++r) moments.add(rows(r, c));
    const double deviation = std::sqrt(moments.variance());
    const bool varies = deviation > constant * moments.root_mean_square();
    of_channels.push_back({moments.mean(), varies ? 1 / deviation : 0});
  }
  return of_channels;
}

Array<double> standardised(View<const double> rows, const std::vector<Standard>& by) {
  Array<double> out{rows.shape[0], rows.shape[1]};
  for (Index r = 0; r < rows.shape[0]; ++r)
    for (Index c = 0; c < rows.shape[1]; ++c) {
      const Standard& standard = by[static_cast<std::size_t>(c)];
      out(r, c) = (rows(r, c) - standard.mean) * standard.factor;
    }
  return out;
}

struct Errors {
  double r2, mean_absolute_error;
};

// Errors of the places [R, 1] that a probe says, row r being of the token at place r % T.
Errors errors_of(const Array<double>& said, Index T) {
  const double middle = static_cast<double>(T - 1) / 2;
  double missed = 0, all = 0, off = 0;
  for (Index r = 0; r < said.size(); ++r) {
    const double place = static_cast<double>(r % T), error = said.data()[r] - place;
    missed += error * error;
    all += (place - middle) * (place - middle);
    off += std::abs(error);
  }
  return {1 - missed / all, off / static_cast<double>(said.size())};
}

}  // namespace

Found probe_places(View<const double> stream, Index fitted, double penalty, double constant) {
  const Index B = stream.shape[0], T = stream.shape[1], D = stream.shape[2];
  const View<const double> to_fit(stream.data, {fitted * T, D}),
      to_judge(stream.data + fitted * T * D, {(B - fitted) * T, D});
  const std::vector<Standard> by = standards(to_fit, constant);
  const Array<double> inputs = standardised(to_fit, by);
  Array<double> places{fitted * T, 1};
  for (Index r = 0; r < places.size(); ++r) places.data()[r] = static_cast<double>(r % T);
  const numerics::AffineMap probe = numerics::ridge(inputs, places, penalty);
  const Array<double> said = probe(standardised(to_judge, by));
  const Errors on_others = errors_of(said, T), on_fitted = errors_of(probe(inputs), T);
  return {on_others.r2, on_others.mean_absolute_error, on_fitted.r2};
}

double error_of_chance(Index length) {
  const auto T = static_cast<double>(length);
  return length % 2 == 0 ? T / 4 : (T - 1 / T) / 4;
}

}  // namespace poslab::experiments::survival
