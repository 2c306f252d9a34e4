// SPDX-License-Identifier: Apache-2.0
// Is position 0 favoured, and by whom: the mask or the scheme? Definitions: first-position-bias.md.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "decay.hpp"
#include "first-position-bias.hpp"
#include "gradient.hpp"
#include "mask_null.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/shared_draws.hpp"
#include "stack.hpp"

namespace poslab::experiments {
namespace first_position_bias {

Axes<FirstPositionBias> FirstPositionBias::axes() {
  using Distribution = Lengths::Distribution;
  return {
      {&FirstPositionBias::length, length_axis(64)},
      {&FirstPositionBias::query_gain,
       {.name = "query_gain",
        .default_value = 1.0,
        .range = {.lowest = 0, .highest = 1e6},
        .sentence = "factor on the random query projections: 1 gives content logits of variance 1, 0 leaves mask and "
                    "positions alone"}},
      {&FirstPositionBias::residual,
       {.name = "residual",
        .default_value = true,
        .sentence = "whether a layer's output is added to its input, or replaces it"}},
      {&FirstPositionBias::lengths,
       {.name = "lengths",
        .choices = {{Distribution::uniform, "uniform"}, {Distribution::log_normal, "log-normal"}},
        .sentence = "how the lengths of training sequences are distributed, up to the length (exposure)"}},
      {&FirstPositionBias::sequences,
       {.name = "sequences",
        .default_value = 1000,
        .range = {.lowest = 1, .highest = 1e9},
        .unit = "sequences",
        .sentence = "how many training sequences there are (exposure)"}},
      {&FirstPositionBias::dtype, dtype_axis()},
      {&FirstPositionBias::depth,
       {.name = "depth",
        .default_value = {1, 2, 3},
        .range = {.lowest = 1, .highest = 1e4},
        .unit = "layers",
        .sentence = "t: how many attention layers stand on each other"}},
  };
}

namespace {

// One value a depth of one stack.
struct Curves {
  std::vector<double> sink_share, context_share, residual_context_share;
};

// Running sums over the layers of a stack.
class Tally {
 public:
  void add_layer(const FirstPosition& seen) {
    for (const double sink : seen.sink) {
      share_ += sink;
      ++heads_;
    }
    context_ = seen.context.back();
    residual_context_ = seen.residual_context.back();
  }
  void report(Curves& curves) const {
    curves.sink_share.push_back(share_ / heads_);
    curves.context_share.push_back(context_);
    curves.residual_context_share.push_back(residual_context_);
  }

 private:
  double share_ = 0, heads_ = 0, context_ = 0, residual_context_ = 0;
};

// What a stack of attention layers comes to.
struct Stacked {
  Curves curves;
  Array<double> last_logits;  // [H, N], of the first layer's last query
};

// The scheme's curves and those of attention without positions, on the same contents and projections.
struct Pair {
  Curves scheme, none;
  std::vector<double> decay;                                // of each head
  std::vector<double> gradient_share, gradient_share_none;  // one value a depth; empty without gradients
};

template <class S>
struct Drawn {
  Array<double> content;                    // [N, D]
  std::vector<Projections<S>> projections;  // of each layer
};

template <class S>
std::shared_ptr<const Drawn<S>> draw(const ExperimentInput& input, Index N, Index depth) {
  const Index D = input.scheme.model().model_width;
  return shared_draw<Drawn<S>>(input, "content and projections", N * D + 3 * depth * D * D, [&] {
    return Drawn<S>{input.draws.normal("content", {N, D}), draw_projections<S>(input.draws, depth, D)};
  });
}

template <class S>
class Stacks {
 public:
  Stacks(const FirstPositionBias& at, const ExperimentInput& input, const std::vector<double>& wanted)
      : at_(at), input_(input), wanted_(wanted), drawn_(draw<S>(input, at.length, at.scheme_layers())) {}

  // Without `with_positions` it does not depend on the scheme.
  Stacked run(bool with_positions) const {
    const auto deepest = static_cast<Index>(wanted_.back());
    Stack<S> stack(input_, drawn_->content, with_positions, deepest, at_.residual);
    Tally tally;
    Curves curves;
    for (Index layer = 0; layer < deepest; ++layer) {
      stack.step(drawn_->projections[static_cast<std::size_t>(layer)], at_.query_gain, layer + 1 == deepest);
      tally.add_layer(stack.first_position());
      if (std::find(wanted_.begin(), wanted_.end(), static_cast<double>(layer + 1)) != wanted_.end())
        tally.report(curves);
    }
    return {std::move(curves), stack.last_logits().copy()};
  }
  std::vector<double> gradients(bool with_positions) const {
    return gradient_shares<S>(at_, input_, drawn_->content, drawn_->projections, with_positions, wanted_);
  }

 private:
  const FirstPositionBias& at_;
  const ExperimentInput& input_;
  const std::vector<double>& wanted_;
  std::shared_ptr<const Drawn<S>> drawn_;
};

template <class S>
Pair run_stacks(const FirstPositionBias& at, const ExperimentInput& input, const std::vector<double>& wanted) {
  const bool differs = input.scheme.looks_at_positions();
  const Stacks<S> stacks(at, input, wanted);
  const auto none = input.common.of<Stacked>("stack without positions", [&] { return stacks.run(false); });
  Pair curves;
  curves.none = none->curves;
  if (differs) {
    const Stacked positioned = stacks.run(true);
    curves.scheme = positioned.curves;
    curves.decay = decays(positioned.last_logits, none->last_logits);
  } else {
    curves.scheme = none->curves;
    curves.decay = decays(none->last_logits, none->last_logits);
  }
  if (!attention::has_gradients(input.scheme)) return curves;
  curves.gradient_share_none =
      *input.common.of<std::vector<double>>("gradients without positions", [&] { return stacks.gradients(false); });
  curves.gradient_share = differs ? stacks.gradients(true) : curves.gradient_share_none;
  return curves;
}

// Nothing to compare with has no excess; of a share of 0 it is -infinity.
double log_excess(double share, double none) { return none > 0 ? std::log(share) - std::log(none) : std::nan(""); }

// The share of position 0 by one of the two rollouts, beside those of the mask and of attention without positions.
void record_share(const ShareMeasures& measures, const std::vector<double>& scheme, const std::vector<double>& none,
                  const std::vector<double>& even, const std::vector<double>& depths, Output& out) {
  std::vector<double> of_mask, excess;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    of_mask.push_back(even[static_cast<std::size_t>(depths[i]) - 1]);
    excess.push_back(log_excess(scheme[i], none[i]));
  }
  out.set(measures.scheme, scheme);
  out.set(measures.none, none);
  out.set(measures.mask, of_mask);
  out.set(measures.log_excess, excess);
}

void record_gradients(const Pair& curves, Output& out) {
  std::vector<double> excess;
  for (std::size_t i = 0; i < curves.gradient_share.size(); ++i)
    excess.push_back(curves.gradient_share[i] > 0 ? log_excess(curves.gradient_share[i], curves.gradient_share_none[i])
                                                  : std::nan(""));
  if (excess.empty()) return;
  out.set(FirstPositionBias::gradient_share, curves.gradient_share);
  out.set(FirstPositionBias::gradient_share_none, curves.gradient_share_none);
  out.set(FirstPositionBias::gradient_share_log_excess, excess);
}

void record_attention(const Pair& curves, Index N, const std::vector<double>& wanted, Output& out) {
  const auto deepest = static_cast<Index>(wanted.back());
  out.coordinate<Depth>(wanted);
  out.set(FirstPositionBias::sink_share, curves.scheme.sink_share);
  out.set(FirstPositionBias::sink_share_none, curves.none.sink_share);
  out.set(FirstPositionBias::sink_share_mask, even_sink_share(N));
  record_share(FirstPositionBias::context_share, curves.scheme.context_share, curves.none.context_share,
               even_context_share(N, deepest), wanted, out);
  record_share(FirstPositionBias::residual_context_share, curves.scheme.residual_context_share,
               curves.none.residual_context_share, even_residual_context_share(N, deepest), wanted, out);
  out.coordinate<Head>(numbers_below(std::ssize(curves.decay)));
  out.set(FirstPositionBias::decay, curves.decay);
  record_gradients(curves, out);
}

void record_exposure(const FirstPositionBias& at, const data::Draws& draws, Output& out) {
  const Index N = at.length, sequences = at.sequences;
  const Lengths lengths(at.lengths, N);
  out.coordinate<Position>(numbers_below(N));
  out.set(FirstPositionBias::exposure, expected_updates(lengths, N, sequences));
  out.set(FirstPositionBias::exposure_drawn,
          drawn_updates(lengths, N, sequences, draws.contents("lengths", {sequences})));
}

}  // namespace

Index FirstPositionBias::scheme_layers() const { return static_cast<Index>(rising(depth).back()); }

std::string FirstPositionBias::why_skip(const Setting& of) const {
  return why_no_causal_stack(of.scheme, of.placement, depth, length);
}

void FirstPositionBias::run(const ExperimentInput& input, Output& out) const {
  const std::vector<double> wanted = rising(depth);
  const Pair curves = with_dtype(dtype, [&]<class S>(S) { return run_stacks<S>(*this, input, wanted); });
  record_attention(curves, length, wanted, out);
  if (input.placement.is_plain()) record_exposure(*this, input.draws, out);  // of rows 0 .. N-1 of a table
}

data::Estimate FirstPositionBias::estimate(const Setting& of) const {
  const double N = static_cast<double>(length), deepest = rising(depth).back();
  const auto D = static_cast<double>(of.scheme.model().model_width), H = static_cast<double>(of.scheme.model().heads);
  const double in_flight = std::min<double>(4, std::ceil(N / attention::queries_per_tile));
  data::Estimate guess;
  const double tile = H * attention::queries_per_tile * N;
  guess.bytes = 8 * (18 * N * D + 3 * D * D + 3 * in_flight * tile + deepest * (7 * N * D + 3 * D * D) + 5 * tile);
  const double of_layer = 6 * N * D * D + 2 * N * N * D + 10 * H * N * N;
  double back = 0;
  for (const double layers : rising(depth)) back += 2 * layers;
  guess.operations = 2 * (2 * deepest + back) * of_layer + 120 * deepest * D * D;
  return guess;
}

}  // namespace first_position_bias

Experiment make_first_position_bias() { return experiment_of<first_position_bias::FirstPositionBias>(); }

}  // namespace poslab::experiments
