// SPDX-License-Identifier: Apache-2.0
// Queries or keys before and after their rotation.
// Dimension letters: B batches, H heads, N positions, K head width.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <tuple>

#include "observation.hpp"

namespace poslab::identify {
namespace {

// A row has the numbers [B, H, K] of one position.
class Rotated final : public Observation {
 public:
  Rotated(const Caption& caption, host::Side side, HeadRows before, const HeadRows& after)
      : Observation(Kind::rotated, caption), side_(side), before_(std::move(before)) {
    const auto [B, H, N, K] = std::tuple(after.B, after.H, after.N, after.K);
    std::vector<double> rows(after.numbers.size());
    sizes_.resize(static_cast<std::size_t>(B * H * N));
    for (Index bh = 0; bh < B * H; ++bh)
      for (Index n = 0; n < N; ++n) {
        std::copy_n(after.numbers.data() + (bh * N + n) * K, K, rows.data() + (n * B * H + bh) * K);
        unchanged_ = unchanged_ &&
                     std::equal(after.numbers.data() + (bh * N + n) * K, after.numbers.data() + (bh * N + n + 1) * K,
                                before_.numbers.data() + (bh * N + n) * K);
        double& size = sizes_[static_cast<std::size_t>(n * B * H + bh)];
        for (Index k = 0; k < K; ++k)
          size = std::max({size, std::abs(before_.numbers[static_cast<std::size_t>((bh * N + n) * K + k)]),
                           std::abs(after.numbers[static_cast<std::size_t>((bh * N + n) * K + k)])});
      }
    set(N, B * H * K, std::move(rows));
  }
  bool suits(const host::Scheme& scheme) const override { return scheme.has(host::Operation::transform); }
  void predict(const Candidate& candidate, const Setting& setting, Index first, Index count,
               std::span<double> out) const override {
    if (mixed_) return pair(candidate, setting, first, count, {std::identity()}, out);
    const auto views = candidate.views();
    const auto [B, H, K] = std::tuple(before_.B, before_.H, before_.K);
    Array<double> x{H, count, K};
    for (Index b = 0; b < B; ++b) {
      for (Index h = 0; h < H; ++h)
        std::copy_n(before_.numbers.data() + ((b * H + h) * before_.N + first) * K, count * K, &x(h, 0, 0));
      for (int time = 0; time < times_; ++time)
        candidate.scheme->transform<double>(setting.context, side_, setting.positions.rows(first, count), views, x);
      for (Index h = 0; h < H; ++h)
        for (Index n = 0; n < count; ++n) std::copy_n(&x(h, n, 0), K, out.data() + (n * B * H + b * H + h) * K);
    }
  }
  double size(Index row, Index column) const override {
    return 1.5 * sizes_[static_cast<std::size_t>(row * before_.B * before_.H + column / before_.K)];
  }
  Place place(Index row, Index column) const override {
    const Index bh = column / before_.K;
    return {.position = row,
            .head = bh % before_.H,
            .channel = column % before_.K,
            .batch = before_.B > 1 ? bh / before_.H : -1,
            .array = {}};
  }
  bool is_unchanged() const override { return unchanged_; }
  std::shared_ptr<const Observation> with_sides_exchanged() const override {
    auto other = std::make_shared<Rotated>(*this);
    other->side_ = side_ == host::Side::query ? host::Side::key : host::Side::query;
    return other;
  }
  std::shared_ptr<const Observation> with_layout_exchanged() const override {
    if (!has_pairs()) return nullptr;
    auto other = std::make_shared<Rotated>(*this);
    other->mixed_ = true;
    return other;
  }
  std::shared_ptr<const Observation> applied_twice() const override {
    auto other = std::make_shared<Rotated>(*this);
    other->times_ = 2;
    return other;
  }
  bool predict_with_rounded_tables(const Candidate& candidate, const Setting& setting, const numerics::Format& format,
                                   const Beside& beside, Index first, Index count,
                                   std::span<double> out) const override {
    if (!has_pairs()) return false;
    const auto kept = [&](double x) { return numerics::rounded(x, format); };
    pair(candidate, setting, first, count, {kept, beside}, out);
    return true;
  }

 private:
  // Cosines and sines, as a program keeps them.
  struct Tables {
    std::function<double(double)> kept;
    Beside beside = {};
  };

  // Whether each channel has another to be rotated with.
  bool has_pairs() const { return before_.K > 0 && before_.K % 2 == 0; }

  // What a one in the first channel of every plane becomes, where all angles are longer by a share of themselves.
  Array<double> rotated_ones(const Candidate& candidate, const Setting& setting, const PlaneChannels& channels,
                             Index first, Index count, double longer) const {
    Array<double> one{before_.H, count, before_.K}, positions{count, setting.positions.shape[1]};
    for (Index n = 0; n < count; ++n) {
      for (const auto& plane : channels) one(0, n, plane.first) = 1;
      for (Index axis = 0; axis < positions.extent(1); ++axis)
        positions(n, axis) = (1 + longer) * setting.positions(first + n, axis);
    }
    candidate.scheme->transform<double>(setting.context, side_, positions, candidate.views(), one);
    return one;
  }

  // What x becomes by the cosines and sines that the scheme has for each plane. Mixed: cosines of halves, [w, w], meet
  // neighbours, and those of neighbours meet halves.
  void pair(const Candidate& candidate, const Setting& setting, Index first, Index count, const Tables& tables,
            std::span<double> out) const {
    const auto [B, H, K] = std::tuple(before_.B, before_.H, before_.K);
    const PlaneChannels channels = plane_channels(candidate, setting, K / 2);
    const Index apart = channels.front().second - channels.front().first;
    const bool halves = apart != 1, neighbours = halves == mixed_;
    const Array<double> cosines = rotated_ones(candidate, setting, channels, first, count, tables.beside.cosines);
    std::optional<Array<double>> others;
    if (tables.beside.sines != tables.beside.cosines)
      others = rotated_ones(candidate, setting, channels, first, count, tables.beside.sines);
    const Array<double>& sines = others ? *others : cosines;
    for (Index c = 0; c < K; ++c) {
      const bool is_second = neighbours ? c % 2 == 1 : c >= K / 2;
      const Index beside = neighbours ? (is_second ? c - 1 : c + 1) : (is_second ? c - K / 2 : c + K / 2);
      const auto [a, b] = channels[static_cast<std::size_t>(halves ? c % (K / 2) : c / 2)];
      for (Index n = 0; n < count; ++n) {
        const double cosine = tables.kept(cosines(0, n, a)),
                     sine = tables.kept(is_second ? sines(0, n, b) : -sines(0, n, b));
        for (Index bh = 0; bh < B * H; ++bh) {
          const double* const x = before_.numbers.data() + (bh * before_.N + first + n) * K;
          out[static_cast<std::size_t>((n * B * H + bh) * K + c)] = x[c] * cosine + x[beside] * sine;
        }
      }
    }
  }

  host::Side side_;
  bool mixed_ = false, unchanged_ = true;
  int times_ = 1;
  HeadRows before_;
  std::vector<double> sizes_;  // [N, B, H]
};

}  // namespace

std::unique_ptr<Observation> observe_rotated(const Caption& caption, host::Side side, HeadRows before,
                                             const HeadRows& after) {
  return std::make_unique<Rotated>(caption, side, std::move(before), after);
}

}  // namespace poslab::identify
