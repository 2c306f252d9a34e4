// SPDX-License-Identifier: Apache-2.0
// Dimension letters: L trained positions, A axes of a position, D model width, H heads, K head width.
#include "untrained.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "codes.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/numerics/closest_pair.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::extrapolation {
namespace {

using host::Operation;

constexpr double far = 10;  // as entries of weights go

// `array` gains `size` times a normal draw in the entries that wanted(index) names.
template <class Wanted>
void disturb(const ExperimentInput& input, const std::string& purpose, double size, const Wanted& wanted,
             Array<double>& array) {
  const Array<double> drawn = input.draws.normal(purpose, {array.size()});
  for (Index i = 0; i < array.size(); ++i)
    if (wanted(i)) array.data()[i] += size * drawn.data()[i];
}

// Random contents and random derivatives of a loss by every output.
class RandomLoss {
 public:
  RandomLoss(const ExperimentInput& input, const host::Context& context, View<const double> positions,
             const host::Weights<double>& weights)
      : input_(&input), context_(context), positions_(positions), weights_(weights.layer(0)) {}

  // gradient += the derivatives of all operations.
  void add_to(host::Weights<double>& gradient) const {
    const host::Scheme& scheme = input_->scheme;
    const Index L = positions_.shape[0], D = scheme.model().model_width, H = scheme.model().heads,
                K = scheme.model().head_width();
    const auto draw = [&](const char* purpose, std::initializer_list<Index> extents) {
      return input_->draws.normal(purpose, extents);
    };
    const host::Tile last{positions_.rows(L - 1, 1), positions_, L - 1};
    const std::vector<View<double>> out = gradient.layer(0);
    const Array<double> by_logits = draw("loss by logits", {H, 1, L}), query = draw("probing query", {H, 1, K}),
                        keys = draw("probing keys", {H, L, K}), input = draw("probing input", {L, D});
    if (scheme.has(Operation::encode))
      scheme.encode_gradient<double>(context_, positions_, weights_, draw("loss by codes", {L, D}), out);
    for (const host::Side side : host::all_sides)
      if (scheme.transforms(side)) {
        Array<double> by_transformed = draw("loss by transformed", {H, L, K});
        scheme.transform_gradient<double>(context_, side, positions_, weights_, by_transformed, out, keys);
      }
    if (scheme.has(Operation::bias)) scheme.bias_gradient<double>(context_, last, weights_, by_logits, out);
    if (scheme.has(Operation::score))
      scheme.score_gradient<double>(context_, last, {input, query, keys, scheme.logit_scale()}, weights_, by_logits, {},
                                    out);
    if (scheme.has(Operation::mix)) {
      Array<double> attention = draw("probing attention", {H, 1, L});
      for (double& share : attention.flat()) share = std::abs(share);
      scheme.mix_gradient<double>(context_, last, attention, weights_, draw("loss by values", {H, 1, K}), {}, out);
    }
  }

 private:
  const ExperimentInput* input_;
  host::Context context_;
  View<const double> positions_;
  std::vector<View<const double>> weights_;
};

// |a - b|^2 of every row is added.
void add_squared_changes(View<const double> a, View<const double> b, std::vector<double>& changes) {
  for (Index p = 0; p < a.shape[0]; ++p)
    changes[static_cast<std::size_t>(p)] += numerics::squared_distance(&a(p, 0), &b(p, 0), a.shape[1]);
}

// The weights as drawn, but for those that begin at 0, where a factor would hide what depends on what.
host::Weights<double> at_general_point(const ExperimentInput& input) {
  host::Weights<double> weights = draw_weights<double>(input);
  for (std::size_t w = 0; w < weights.arrays().size(); ++w) {
    const host::WeightInfo& info = input.scheme.weights()[w];
    const bool begins_at_zero = info.initialisation == POSLAB_CONSTANT && info.first == 0;
    if (begins_at_zero && !info.frozen)
      disturb(
          input, "general point of " + info.name, 0.1, [](Index) { return true; }, weights.arrays()[w][0]);
  }
  return weights;
}

}  // namespace

bool knows_untrained(const host::Scheme& scheme) {
  return !scheme.has_trainable_weights() || attention::has_gradients(scheme);
}

std::vector<double> untrained_shares(const ExperimentInput& input, const host::Context& trained,
                                     View<const double> positions, Index rows, const CodesWith& codes) {
  const Index T = positions.shape[0];
  std::vector<double> shares(static_cast<std::size_t>(rows), 0.0);
  if (!input.scheme.has_trainable_weights()) return shares;
  host::Weights<double> weights = at_general_point(input), gradient(input.scheme.weights(), 1);
  RandomLoss(input, trained, positions, weights).add_to(gradient);
  Array<double> before;
  for (std::size_t w = 0; w < weights.arrays().size(); ++w) {
    const host::WeightInfo& info = input.scheme.weights()[w];
    const std::span<const double> moved = gradient.arrays()[w][0].flat();
    if (info.frozen || std::find(moved.begin(), moved.end(), 0.0) == moved.end()) continue;
    if (before.size() == 0) before = codes(weights);
    // Both ways, and far: a silent unit of a network is not silent both times.
    const auto changes_by = [&](bool of_trained) {
      std::vector<double> changes(static_cast<std::size_t>(T + rows), 0.0);
      for (const double size : {far, -far}) {
        Array<double> redrawn = weights.arrays()[w][0].copy();
        disturb(
            input, "other " + info.name, size,
            [&](Index i) { return (moved[static_cast<std::size_t>(i)] != 0) == of_trained; }, redrawn);
        std::swap(redrawn, weights.arrays()[w][0]);
        add_squared_changes(codes(weights), before, changes);
        std::swap(redrawn, weights.arrays()[w][0]);
      }
      return changes;
    };
    const auto T_rows = static_cast<std::size_t>(T);
    const std::vector<double> by_untrained = changes_by(false);
    const auto changed = std::find_if(by_untrained.begin(), by_untrained.end(), [](double x) { return x != 0; });
    if (changed < by_untrained.begin() + static_cast<std::ptrdiff_t>(T) || changed == by_untrained.end()) continue;
    const std::vector<double> by_trained = changes_by(true);
    for (std::size_t p = 0; p < shares.size(); ++p) {
      const double u = by_untrained[T_rows + p], t = by_trained[T_rows + p];
      shares[p] = std::max(shares[p], numerics::ratio_or_zero(u, u + t));
    }
  }
  return shares;
}

std::vector<double> untrained_at(const Extrapolation& at, const ExperimentInput& input,
                                 const std::vector<MeasuredPosition>& measured) {
  const Index L = at.train_length;
  const auto defined =
      std::count_if(measured.begin(), measured.end(), [](const MeasuredPosition& one) { return one.defined; });
  const std::vector<double> shares = untrained_shares(
      input, {L, L, true}, ExperimentInput::positions(0, L), defined,
      [&](const host::Weights<double>& weights) { return trained_and_tested(at, input, measured, weights); });
  std::vector<double> curve;
  auto share = shares.begin();
  for (const MeasuredPosition& one : measured)
    curve.push_back(one.defined ? *share++ : std::numeric_limits<double>::quiet_NaN());
  return curve;
}

}  // namespace poslab::experiments::extrapolation
