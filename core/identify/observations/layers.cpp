// SPDX-License-Identifier: Apache-2.0
// Logits and outputs of attention, where the contents are in the dump, too.
// Dimension letters: B batches, H heads, N positions, K head width, D model width.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "observation.hpp"
#include "poslab/attention/attention.hpp"

namespace poslab::identify {
namespace {

View<const double> input_of(const Contents& contents, const host::Scheme& scheme) {
  if (contents.layer_input.empty()) return {};
  return {contents.layer_input.data(), {contents.query.N, scheme.model().model_width}};
}

// The length of each vector [b, h, n].
std::vector<double> lengths_of(const HeadRows& x) {
  std::vector<double> lengths;
  for (std::size_t at = 0; at < x.numbers.size(); at += static_cast<std::size_t>(x.K)) {
    double sum = 0;
    for (Index k = 0; k < x.K; ++k)
      sum += x.numbers[at + static_cast<std::size_t>(k)] * x.numbers[at + static_cast<std::size_t>(k)];
    lengths.push_back(std::sqrt(sum));
  }
  return lengths;
}

// A row has the numbers [B, H, N] of one query.
class Logits final : public Observation {
 public:
  Logits(const Caption& caption, std::shared_ptr<const Contents> contents, const std::vector<double>& logits,
         bool causal)
      : Observation(Kind::logits, caption), contents_(std::move(contents)) {
    const Index B = q().B, N = q().N, H = static_cast<Index>(logits.size()) / (B * N * N);
    H_ = H;
    std::vector<double> rows(logits.size());
    for (Index bh = 0; bh < B * H; ++bh)
      for (Index i = 0; i < N; ++i)
        for (Index j = 0; j < N; ++j) {
          const double x = logits[static_cast<std::size_t>((bh * N + i) * N + j)];
          const bool hidden = (causal && j > i) || x < -1e30;  // what masks put there
          rows[static_cast<std::size_t>((i * B * H + bh) * N + j)] =
              hidden ? std::numeric_limits<double>::quiet_NaN() : x;
          if (!hidden && std::isfinite(x)) largest_ = std::max(largest_, std::abs(x));
        }
    set(N, B * H * N, std::move(rows));
    const std::vector<double> of_queries = lengths_of(q()), of_keys = lengths_of(contents_->key);
    if (!of_queries.empty()) max_query_norm_ = *std::max_element(of_queries.begin(), of_queries.end());
    if (!of_keys.empty()) max_key_norm_ = *std::max_element(of_keys.begin(), of_keys.end());
  }
  // `none` has no operation, and logits all the same.
  bool suits(const host::Scheme& scheme) const override {
    return !scheme.has(host::Operation::encode) || scheme.has(host::Operation::score);
  }
  void predict(const Candidate& candidate, const Setting& setting, Index first, Index count,
               std::span<double> out) const override {
    const host::Scheme& scheme = *candidate.scheme;
    const auto [B, H, N] = std::tuple(q().B, q().H, q().N);
    const auto views = candidate.views();
    Array<double> tile{H, count, N};
    for (Index b = 0; b < B; ++b) {
      const attention::Content<double> content{q().batch(b), contents_->key.batch(b), input_of(*contents_, scheme)};
      const auto transformed = attention::transform<double>(scheme, setting.context, setting.positions, content, views);
      attention::logits<double>(scheme, setting.context, setting.positions, transformed, content.layer_input, first,
                                views, tile, contents_->scale);
      for (Index h = 0; h < H_; ++h)
        for (Index i = 0; i < count; ++i) std::copy_n(&tile(h, i, 0), N, out.data() + ((i * B + b) * H_ + h) * N);
    }
  }
  double size(Index, Index) const override {
    const double scale = contents_->scale.value_or(1 / std::sqrt(static_cast<double>(std::max<Index>(1, q().K))));
    return std::max(largest_, std::abs(scale) * max_query_norm_ * max_key_norm_);
  }
  Place place(Index row, Index column) const override {
    const Index bh = column / q().N;
    return {.position = row, .head = bh % H_, .key = column % q().N, .batch = q().B > 1 ? bh / H_ : -1, .array = {}};
  }
  std::shared_ptr<const Observation> with_sides_exchanged() const override {
    auto exchanged = std::make_shared<Contents>(*contents_);
    std::swap(exchanged->query, exchanged->key);
    auto other = std::make_shared<Logits>(*this);
    other->contents_ = std::move(exchanged);
    return other;
  }
  std::shared_ptr<const Observation> transposed() const override {
    const Index N = q().N;
    std::vector<double> turned(numbers().size());
    for (Index row = 0; row < N; ++row)
      for (Index column = 0; column < columns(); ++column)
        turned[static_cast<std::size_t>(row * columns() + column)] = number(column % N, column / N * N + row);
    auto other = std::make_shared<Logits>(*this);
    other->set(rows(), columns(), std::move(turned));
    return other;
  }
  std::shared_ptr<const Observation> of_first(Index tokens) const override {
    std::vector<double> corner = numbers();
    for (std::size_t i = 0; i < corner.size(); ++i)
      if (static_cast<Index>(i) % q().N >= tokens) corner[i] = std::numeric_limits<double>::quiet_NaN();
    auto other = std::make_shared<Logits>(*this);
    other->set(rows(), columns(), std::move(corner));
    return other;
  }

 private:
  const HeadRows& q() const { return contents_->query; }
  std::shared_ptr<const Contents> contents_;
  Index H_ = 0;  // heads that are shown: the first
  double largest_ = 0, max_query_norm_ = 0, max_key_norm_ = 0;
};

// A row has the numbers [B, H, K] of one query.
class Outputs final : public Observation {
 public:
  Outputs(const Caption& caption, std::shared_ptr<const Contents> contents, const HeadRows& outputs, bool causal)
      : Observation(Kind::outputs, caption), contents_(std::move(contents)), H_(outputs.H), causal_(causal) {
    const auto [B, H, N, K] = std::tuple(outputs.B, outputs.H, outputs.N, outputs.K);
    std::vector<double> rows(outputs.numbers.size());
    for (Index bh = 0; bh < B * H; ++bh)
      for (Index n = 0; n < N; ++n)
        std::copy_n(outputs.numbers.data() + (bh * N + n) * K, K, rows.data() + (n * B * H + bh) * K);
    for (const double x : contents_->value.numbers) size_ = std::max(size_, std::abs(x));
    set(N, B * H * K, std::move(rows));
  }
  bool suits(const host::Scheme& scheme) const override {
    return !scheme.has(host::Operation::encode) || scheme.has(host::Operation::score);
  }
  void predict(const Candidate& candidate, const Setting& setting, Index first, Index count,
               std::span<double> out) const override {
    const HeadRows& v = contents_->value;
    attention::Layer<double> layer;
    layer.scheme = candidate.scheme.get();
    layer.context = setting.context;
    layer.context.causal = causal_;
    layer.positions = setting.positions;
    layer.weights = candidate.views();
    layer.scale = contents_->scale;
    Array<double> mixed{v.H, v.N, v.K};
    for (Index b = 0; b < v.B; ++b) {
      mixed.fill(0);
      attention::attend<double>(
          layer, {contents_->query.batch(b), contents_->key.batch(b), input_of(*contents_, *candidate.scheme)},
          v.batch(b), mixed);
      for (Index h = 0; h < H_; ++h)
        for (Index i = 0; i < count; ++i)
          std::copy_n(&mixed(h, first + i, 0), v.K, out.data() + ((i * v.B + b) * H_ + h) * v.K);
    }
  }
  double size(Index, Index) const override { return 4 * size_; }
  Place place(Index row, Index column) const override {
    const HeadRows& v = contents_->value;
    const Index bh = column / v.K;
    return {.position = row, .head = bh % H_, .channel = column % v.K, .batch = v.B > 1 ? bh / H_ : -1, .array = {}};
  }

 private:
  std::shared_ptr<const Contents> contents_;
  Index H_;  // heads that are shown: the first
  bool causal_;
  double size_ = 0;
};

}  // namespace

std::unique_ptr<Observation> observe_logits(const Caption& caption, std::shared_ptr<const Contents> contents,
                                            std::vector<double> logits, bool causal) {
  return std::make_unique<Logits>(caption, std::move(contents), logits, causal);
}
std::unique_ptr<Observation> observe_outputs(const Caption& caption, std::shared_ptr<const Contents> contents,
                                             HeadRows outputs, bool causal) {
  return std::make_unique<Outputs>(caption, std::move(contents), outputs, causal);
}

}  // namespace poslab::identify
