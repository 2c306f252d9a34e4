// SPDX-License-Identifier: Apache-2.0
// Tables that are added, cosines and sines, inverse frequencies.
// Dimension letters: N positions, D model width, K head width, P planes.
#include <algorithm>
#include <cmath>
#include <utility>

#include "observation.hpp"
#include "poslab/base/error.hpp"

namespace poslab::identify {
namespace {

using host::Operation;

host::Positions rows_of(const Setting& setting, Index first, Index count) {
  return setting.positions.rows(first, count);
}

std::vector<double> largest_of_columns(const std::vector<double>& numbers, Index columns) {
  std::vector<double> largest(static_cast<std::size_t>(columns), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double& most = largest[i % static_cast<std::size_t>(columns)];
    most = std::max(most, std::abs(numbers[i]));
  }
  return largest;
}

class Table final : public Observation {
 public:
  Table(const Caption& caption, Index N, Index D, std::vector<double> numbers) : Observation(Kind::table, caption) {
    sizes_ = largest_of_columns(numbers, D);
    set(N, D, std::move(numbers));
  }
  bool suits(const host::Scheme& scheme) const override { return scheme.has(Operation::encode); }
  bool is_of_position_alone() const override { return true; }
  void predict(const Candidate& candidate, const Setting& setting, Index first, Index count,
               std::span<double> out) const override {
    const auto views = candidate.views();
    const Index D = candidate.scheme->model().model_width;
    if (D == columns())
      return candidate.scheme->encode<double>(setting.context, rows_of(setting, first, count), views,
                                              {out.data(), {count, D}});
    Array<double> all{count, D};  // the dump shows the first columns
    candidate.scheme->encode<double>(setting.context, rows_of(setting, first, count), views, all);
    for (Index n = 0; n < count; ++n) std::copy_n(&all(n, 0), columns(), out.data() + n * columns());
  }
  double size(Index, Index column) const override { return sizes_[static_cast<std::size_t>(column)]; }
  Place place(Index row, Index column) const override { return {.position = row, .channel = column, .array = {}}; }
  bool is_unchanged() const override { return is_zero(*this); }

 private:
  std::vector<double> sizes_;
};

class Planes final : public Observation {
 public:
  Planes(const Caption& caption, Index N, Index P, const std::vector<double>& cosines, const std::vector<double>& sines)
      : Observation(cosines.empty() ? Kind::sines : Kind::cosines, caption),
        P_(P),
        has_cosines_(!cosines.empty()),
        has_sines_(!sines.empty()) {
    const Index parts = (has_cosines_ ? 1 : 0) + (has_sines_ ? 1 : 0);
    std::vector<double> both;
    both.reserve(static_cast<std::size_t>(N * P * parts));
    for (Index n = 0; n < N; ++n) {
      if (has_cosines_) both.insert(both.end(), cosines.begin() + n * P, cosines.begin() + (n + 1) * P);
      if (has_sines_) both.insert(both.end(), sines.begin() + n * P, sines.begin() + (n + 1) * P);
    }
    for (const double x : both) size_ = std::max(size_, std::abs(x));
    set(N, P * parts, std::move(both));
  }
  bool suits(const host::Scheme& scheme) const override { return scheme.has(Operation::transform); }
  bool is_of_position_alone() const override { return true; }

  // A vector with a one in the first channel of every plane becomes cosines there, and sines in the second.
  void predict(const Candidate& candidate, const Setting& setting, Index first, Index count,
               std::span<double> out) const override {
    const host::Scheme& scheme = *candidate.scheme;
    const Index H = scheme.model().heads, K = scheme.model().head_width();
    const PlaneChannels channels = plane_channels(candidate, setting, P_);
    Array<double> x{H, count, K};
    for (Index n = 0; n < count; ++n)
      for (const auto& plane : channels) x.data()[n * K + plane.first] = 1;
    scheme.transform<double>(setting.context, host::Side::key, rows_of(setting, first, count), candidate.views(), x);
    for (Index n = 0; n < count; ++n) {
      const double* const of_head = x.data() + n * K;  // the first
      double* row = out.data() + n * columns();
      if (has_cosines_)
        for (const auto& plane : channels) *row++ = of_head[plane.first];
      if (has_sines_)
        for (const auto& plane : channels) *row++ = of_head[plane.second];
    }
  }
  double size(Index, Index) const override { return size_; }
  Place place(Index row, Index column) const override {
    const bool is_sine = !has_cosines_ || column >= P_;
    return {.position = row, .plane = column % P_, .array = has_cosines_ && has_sines_ ? is_sine ? "sin" : "cos" : ""};
  }
  bool is_unchanged() const override {
    for (Index row = 0; row < rows(); ++row)
      for (Index column = 0; column < columns(); ++column)
        if (number(row, column) != (has_cosines_ && column < P_ ? 1 : 0)) return false;
    return true;
  }

 private:
  Index P_;
  bool has_cosines_, has_sines_;
  double size_ = 0;
};

class FrequencyList final : public Observation {
 public:
  FrequencyList(const Caption& caption, std::vector<double> frequencies) : Observation(Kind::frequencies, caption) {
    const auto count = static_cast<Index>(frequencies.size());
    set(1, count, std::move(frequencies));
  }
  bool suits(const host::Scheme& scheme) const override {
    return scheme.has(Operation::transform) || (scheme.has(Operation::score) && !scheme.inverse_frequency().empty());
  }
  // As the variant declares them; else by how far each plane rotates from position 0 to 1.
  void predict(const Candidate& candidate, const Setting& setting, Index, Index, std::span<double> out) const override {
    const host::Scheme& scheme = *candidate.scheme;
    const std::span<const double> declared = scheme.inverse_frequency();
    if (declared.size() == out.size()) return void(std::copy(declared.begin(), declared.end(), out.begin()));
    if (!scheme.has(Operation::transform)) throw base::Error("it declares other frequencies");
    const Index H = scheme.model().heads, K = scheme.model().head_width(), A = scheme.least_axes();
    const PlaneChannels channels = plane_channels(candidate, setting, columns());
    Array<double> x{H, 1, K}, one{1, A};
    one.fill(1);
    for (const auto& plane : channels) x(0, 0, plane.first) = 1;
    scheme.transform<double>(setting.context, host::Side::key, one, candidate.views(), x);
    for (std::size_t m = 0; m < out.size(); ++m)
      out[m] = std::atan2(x(0, 0, channels[m].second), x(0, 0, channels[m].first));
  }
  double size(Index, Index column) const override { return std::abs(number(0, column)); }
  Place place(Index, Index column) const override { return {.plane = column, .array = {}}; }
  bool by_position() const override { return false; }
  bool relative() const override { return true; }
};

}  // namespace

std::unique_ptr<Observation> observe_table(const Caption& caption, Index N, Index D, std::vector<double> numbers) {
  return std::make_unique<Table>(caption, N, D, std::move(numbers));
}
std::unique_ptr<Observation> observe_planes(const Caption& caption, Index N, Index P,
                                            const std::vector<double>& cosines, const std::vector<double>& sines) {
  return std::make_unique<Planes>(caption, N, P, cosines, sines);
}
std::unique_ptr<Observation> observe_frequencies(const Caption& caption, std::vector<double> frequencies) {
  return std::make_unique<FrequencyList>(caption, std::move(frequencies));
}

bool is_zero(const Observation& observation) {
  bool any = false;
  for (const double x : observation.numbers()) {
    if (std::isnan(x)) continue;
    if (x != 0) return false;
    any = true;
  }
  return any;
}

// What the first basis vector becomes says how far apart the channels of a plane are: the first plane is the fastest,
// and all are paired alike.
PlaneChannels plane_channels(const Candidate& candidate, const Setting& setting, Index P) {
  const host::Scheme& scheme = *candidate.scheme;
  const Index H = scheme.model().heads, K = scheme.model().head_width();
  const Index A = std::max<Index>(scheme.least_axes(), std::min<Index>(setting.positions.shape[1], scheme.most_axes()));
  Array<double> basis{H, 1, K}, at{1, A};
  for (Index axis = 0; axis < A; ++axis) at(0, axis) = static_cast<double>(1 + axis);
  basis(0, 0, 0) = 1;
  scheme.transform<double>(setting.context, host::Side::key, at, candidate.views(), basis);
  Index distance = K / 2;
  for (Index c = 1; c < K; ++c)
    if (basis(0, 0, c) != 0) distance = c;
  PlaneChannels channels;
  if (distance == 1)
    for (Index m = 0; 2 * m + 1 < K; ++m) channels.emplace_back(2 * m, 2 * m + 1);
  else
    for (Index m = 0; m < distance && m + distance < K; ++m) channels.emplace_back(m, m + distance);
  if (static_cast<Index>(channels.size()) < P) throw base::Error("it has fewer planes");
  channels.resize(static_cast<std::size_t>(P));
  return channels;
}

}  // namespace poslab::identify
