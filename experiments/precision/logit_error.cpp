// SPDX-License-Identifier: Apache-2.0
#include "logit_error.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace poslab::experiments::precision {
namespace {

struct Differences {
  double largest = 0, squares = 0, count = 0;

  void add(const Array<double>& a, const Array<double>& b) {
    for (Index i = 0; i < a.size(); ++i) {
      const double apart = std::abs(a.data()[i] - b.data()[i]);
      largest = std::max(largest, apart);
      squares += apart * apart;
    }
    count += static_cast<double>(a.size());
  }
  void append(const Differences& other) {
    largest = std::max(largest, other.largest);
    squares += other.squares, count += other.count;
  }
  double at_most() const { return defined(largest); }
  double root_mean_square() const { return defined(std::sqrt(squares / count)); }

 private:
  // One difference that is no number makes the sum none, but not the largest.
  double defined(double x) const { return std::isfinite(squares) ? x : std::numeric_limits<double>::quiet_NaN(); }
};

struct AtShift {
  Differences error, moved;
};

Table table_at(const LogitSetting& setting, double shift, const Rounding& keep) {
  std::vector<double> positions = setting.window;
  for (double& position : positions) position += shift;
  return table(positions, setting.frequencies, keep);
}

}  // namespace

LogitErrors logit_errors(const LogitSetting& setting, const Rounding& keep, View<const double> queries,
                         View<const double> keys) {
  const std::size_t R = setting.shifts.size();
  const Index C = queries.shape[0];
  const Table unshifted = table_at(setting, 0, keep);
  std::vector<Table> exact, kept;
  for (const double shift : setting.shifts) {
    exact.push_back(table_at(setting, shift, Rounding()));
    kept.push_back(table_at(setting, shift, keep));
  }
  std::vector<std::vector<AtShift>> of_content(static_cast<std::size_t>(C), std::vector<AtShift>(R));
  tbb::parallel_for(Index{0}, C, [&](Index c) {
    const Array<double> here = window_logits(queries[c], keys[c], unshifted, setting.use, keep);
    for (std::size_t r = 0; r < R; ++r) {
      AtShift& at = of_content[static_cast<std::size_t>(c)][r];
      const Array<double> there = window_logits(queries[c], keys[c], kept[r], setting.use, keep);
      at.error.add(there, window_logits(queries[c], keys[c], exact[r], setting.use, Rounding()));
      at.moved.add(there, here);
    }
  });
  LogitErrors errors;
  for (std::size_t r = 0; r < R; ++r) {
    AtShift all;
    for (const std::vector<AtShift>& one : of_content) {
      all.error.append(one[r].error);
      all.moved.append(one[r].moved);
    }
    errors.largest.push_back(all.error.at_most());
    errors.root_mean_square.push_back(all.error.root_mean_square());
    errors.moved.push_back(all.moved.root_mean_square());
  }
  return errors;
}

}  // namespace poslab::experiments::precision
