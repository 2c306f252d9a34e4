// SPDX-License-Identifier: Apache-2.0
// Queries or keys before and after their rotation.
// Dimension letters: B batches, H heads, N positions, K head width.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "observation.hpp"

namespace poslab::identify {
namespace {

// A row has the numbers [B, H, K] of one position.
class Rotated final : public Observation {
 public:
  Rotated(const std::string& arrays, host::Side side, HeadRows before, const HeadRows& after)
      : Observation(Kind::rotated, arrays), side_(side), before_(std::move(before)) {
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
    if (tiled_) return tile(candidate, setting, first, count, out);
    const auto views = candidate.views();
    const auto [B, H, K] = std::tuple(before_.B, before_.H, before_.K);
    Array<double> x{H, count, K};
    for (Index b = 0; b < B; ++b) {
      for (Index h = 0; h < H; ++h)
        std::copy_n(before_.numbers.data() + ((b * H + h) * before_.N + first) * K, count * K, &x(h, 0, 0));
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
  // Channel c is turned by the angle of plane c mod P, as cosines for halves have it, with the channel beside it.
  std::shared_ptr<const Observation> with_layout_exchanged() const override {
    auto other = std::make_shared<Rotated>(*this);
    other->tiled_ = true;
    return other;
  }

 private:
  // What x becomes where cosines [w, w] meet pairs of neighbours.
  void tile(const Candidate& candidate, const Setting& setting, Index first, Index count, std::span<double> out) const {
    const auto [B, H, K] = std::tuple(before_.B, before_.H, before_.K);
    const Index P = K / 2;
    const PlaneChannels channels = plane_channels(candidate, setting, P);
    Array<double> one{H, count, K};
    for (Index n = 0; n < count; ++n)
      for (const auto& plane : channels.planes) one(0, n, plane.first) = 1;
    candidate.scheme->transform<double>(setting.context, side_, setting.positions.rows(first, count), candidate.views(),
                                        one);
    for (Index n = 0; n < count; ++n)
      for (Index bh = 0; bh < B * H; ++bh)
        for (Index c = 0; c < K; ++c) {
          const double* const x = before_.numbers.data() + (bh * before_.N + first + n) * K;
          const auto [a, b] = channels.planes[static_cast<std::size_t>(c % P)];
          const double beside = c % 2 == 0 ? -x[c + 1] : x[c - 1];
          out[static_cast<std::size_t>((n * B * H + bh) * K + c)] = x[c] * one(0, n, a) + beside * one(0, n, b);
        }
  }

  host::Side side_;
  bool tiled_ = false, unchanged_ = true;
  HeadRows before_;
  std::vector<double> sizes_;  // [N, B, H]
};

}  // namespace

std::unique_ptr<Observation> observe_rotated(const std::string& arrays, host::Side side, HeadRows before,
                                             HeadRows after) {
  return std::make_unique<Rotated>(arrays, side, std::move(before), after);
}

}  // namespace poslab::identify
