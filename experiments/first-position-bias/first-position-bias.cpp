// SPDX-License-Identifier: Apache-2.0
// Is position 0 favoured, and by whom: the mask or the scheme? Definitions: first-position-bias.md.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "decay.hpp"
#include "first-position-bias.hpp"
#include "mask_null.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/shared_draws.hpp"
#include "untrained.hpp"

namespace poslab::experiments {
namespace first_position_bias {

Axes<FirstPositionBias> FirstPositionBias::axes() {
  using Distribution = Lengths::Distribution;
  return {
      {&FirstPositionBias::length, length_axis(64)},
      {&FirstPositionBias::samples,
       {.name = "samples",
        .default_value = 4,
        .range = {.lowest = 1, .highest = 1e6},
        .unit = "sequences",
        .sentence = "over how many draws of the contents, with the same projections, the shares of a cell are means; "
                    "gradients and decay are of the first"}},
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

// The scheme's curves and those of attention without positions, on the same contents and projections.
struct Pair {
  std::shared_ptr<const Curves> scheme, none;
  std::vector<double> decay;  // of each head
};

bool looks_at_positions(const host::LayerSchemes& schemes) {
  return schemes.any([](const host::Scheme& scheme) { return scheme.looks_at_positions(); });
}

template <class S>
Pair run_stacks(const FirstPositionBias& at, const ExperimentInput& input) {
  const Index N = at.length, D = input.scheme.model().model_width;
  // A network is of one scheme: nothing of it is another's.
  const auto contents = input.network
                            ? std::make_shared<const Contents<S>>(draw_contents<S>(at, input))
                            : shared_draw<Contents<S>>(input, "content and projections",
                                                       at.samples * N * D + D + 3 * at.scheme_layers() * D * D,
                                                       [&] { return draw_contents<S>(at, input); });
  const auto without = [&] { return run_stack(at, input, *contents, false); };
  Pair curves;
  curves.none = input.network ? std::make_shared<const Curves>(without())
                              : input.common.of<Curves>("stack without positions", without);
  curves.scheme = curves.none;
  if (looks_at_positions(input.layers()))
    curves.scheme = std::make_shared<const Curves>(run_stack(at, input, *contents, true));
  curves.decay = decays(curves.scheme->last_logits, curves.none->last_logits);
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
  const std::vector<double>&scheme = curves.scheme->gradient_share, &none = curves.none->gradient_share;
  for (std::size_t i = 0; i < scheme.size(); ++i)
    excess.push_back(scheme[i] > 0 ? log_excess(scheme[i], none[i]) : std::nan(""));
  if (excess.empty()) return;
  out.set(FirstPositionBias::gradient_share, scheme);
  out.set(FirstPositionBias::gradient_share_none, none);
  out.set(FirstPositionBias::gradient_share_log_excess, excess);
}

void record_attention(const Pair& curves, Index N, const std::vector<double>& wanted, Output& out) {
  const auto deepest = static_cast<Index>(wanted.back());
  out.coordinate<Depth>(wanted);
  out.set(FirstPositionBias::sink_share, curves.scheme->sink_share);
  out.set(FirstPositionBias::sink_share_none, curves.none->sink_share);
  out.set(FirstPositionBias::sink_share_mask, even_sink_share(N));
  record_share(FirstPositionBias::context_share, curves.scheme->context_share, curves.none->context_share,
               even_context_share(N, deepest), wanted, out);
  record_share(FirstPositionBias::residual_context_share, curves.scheme->residual_context_share,
               curves.none->residual_context_share, even_residual_context_share(N, deepest), wanted, out);
  out.coordinate<Head>(numbers_below(std::ssize(curves.decay)));
  out.set(FirstPositionBias::decay, curves.decay);
  record_gradients(curves, out);
}

void record_exposure(const FirstPositionBias& at, const data::Draws& draws, Output& out) {
  const Index N = at.length, sequences = at.sequences;
  const Lengths lengths(at.lengths, N);
  out.coordinate<Place>(numbers_below(N));
  out.set(FirstPositionBias::exposure, expected_updates(lengths, N, sequences));
  out.set(FirstPositionBias::exposure_drawn,
          drawn_updates(lengths, N, sequences, draws.contents("lengths", {sequences})));
}

}  // namespace

Index FirstPositionBias::scheme_layers() const { return static_cast<Index>(rising(depth).back()); }

std::optional<base::Refusal> FirstPositionBias::why_skip(const Setting& of) const {
  return why_no_causal_stack(of, depth, length);
}

std::optional<base::Refusal> FirstPositionBias::why_not_network(const Setting& of, const data::Values& axes) const {
  if (!residual) return "its layers add to their input, and residual = false is asked for";
  return why_not_looked_into(of, axes, scheme_layers(), true);
}

void FirstPositionBias::run(const ExperimentInput& input, Output& out) const {
  const std::vector<double> wanted = rising(depth);
  const Pair curves = with_dtype(dtype, [&]<class S>(S) { return run_stacks<S>(*this, input); });
  record_attention(curves, length, wanted, out);
  if (input.placement.is_plain()) record_exposure(*this, input.draws, out);  // of rows 0 .. N-1 of a table
}

// The stack, with what its gradient keeps of every layer; contents, and the projections of all layers.
data::Estimate FirstPositionBias::estimate(const Setting& of) const {
  const host::LayerSchemes schemes = of.layers();
  const Needs needs(schemes, dtype);
  const std::vector<double> depths = rising(depth);
  const auto [N, deepest] = reckoned(length, depths.back());
  const double D = needs.D, pairs = N * N / 2;
  double layers = static_cast<double>(samples) * deepest;  // forward each; back from every depth
  if (have_gradients(schemes)) layers += 3 * std::accumulate(depths.begin(), depths.end(), 0.0);
  const double a_layer = needs.products(3 * N * D * D + pairs * D) + needs.attend(pairs) + needs.softmax(pairs) +
                         needs.transform(N) + 4 * needs.H * pairs;
  const double stacks = looks_at_positions(schemes) ? 2 : 1;
  const Index feed_forward = of.network ? feed_forward_of(*of.network, of.scheme.model()) : 0;
  const double stack = with_dtype(dtype, [&]<class S>(S) { return bytes_of_stack<S>(*this, schemes, feed_forward); });
  return {stack + 8 * (static_cast<double>(samples) + 1) * N * D + needs.bytes * 5 * deepest * D * D,
          needs.draw(static_cast<double>(samples) * N * D + 3 * deepest * D * D) + stacks * layers * a_layer};
}

}  // namespace first_position_bias

Experiment make_first_position_bias() { return experiment_of<first_position_bias::FirstPositionBias>(); }

}  // namespace poslab::experiments
