// SPDX-License-Identifier: Apache-2.0
// Is position 0 favoured, and by whom: the mask or the scheme? Definitions: first-position-bias.md.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "decay.hpp"
#include "exposure.hpp"
#include "gradient.hpp"
#include "mask_null.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/shared_draws.hpp"
#include "stack.hpp"

namespace poslab::experiments {
namespace first_position_bias {
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
std::shared_ptr<const Drawn<S>> draw(const ExperimentInput& input, Index depth) {
  const Index N = input.axes.integer("length"), D = input.scheme.model().model_width;
  return shared_draw<Drawn<S>>(input, "content and projections", N * D + 3 * depth * D * D, [&] {
    return Drawn<S>{input.draws.normal("content", {N, D}), draw_projections<S>(input.draws, depth, D)};
  });
}

template <class S>
class Stacks {
 public:
  Stacks(const ExperimentInput& input, const std::vector<double>& wanted)
      : input_(input), wanted_(wanted), drawn_(draw<S>(input, static_cast<Index>(wanted.back()))) {}

  // Without `with_positions` it does not depend on the scheme.
  Stacked run(bool with_positions) const {
    const auto deepest = static_cast<Index>(wanted_.back());
    Stack<S> stack(input_, drawn_->content, with_positions, deepest, input_.axes.flag("residual"));
    Tally tally;
    Curves curves;
    for (Index layer = 0; layer < deepest; ++layer) {
      stack.step(drawn_->projections[static_cast<std::size_t>(layer)], input_.axes.real("query_gain"),
                 layer + 1 == deepest);
      tally.add_layer(stack.first_position());
      if (std::find(wanted_.begin(), wanted_.end(), static_cast<double>(layer + 1)) != wanted_.end())
        tally.report(curves);
    }
    return {std::move(curves), stack.last_logits().copy()};
  }
  std::vector<double> gradients(bool with_positions) const {
    return gradient_shares<S>(input_, drawn_->content, drawn_->projections, with_positions, wanted_);
  }

 private:
  const ExperimentInput& input_;
  const std::vector<double>& wanted_;
  std::shared_ptr<const Drawn<S>> drawn_;
};

template <class S>
Pair run_stacks(const ExperimentInput& input, const std::vector<double>& wanted) {
  const bool differs = input.scheme.looks_at_positions();
  const Stacks<S> stacks(input, wanted);
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
void record_share(const std::string& name, const std::vector<double>& scheme, const std::vector<double>& none,
                  const std::vector<double>& even, const std::vector<double>& depths, data::Record& record) {
  std::vector<double> of_mask, excess;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    of_mask.push_back(even[static_cast<std::size_t>(depths[i]) - 1]);
    excess.push_back(log_excess(scheme[i], none[i]));
  }
  record.curve(name, {"depth"}, scheme);
  record.curve(name + "_none", {"depth"}, none);
  record.curve(name + "_mask", {"depth"}, of_mask);
  record.curve(name + "_log_excess", {"depth"}, excess);
}

void record_gradients(const Pair& curves, data::Record& record) {
  std::vector<double> excess;
  for (std::size_t i = 0; i < curves.gradient_share.size(); ++i)
    excess.push_back(curves.gradient_share[i] > 0 ? log_excess(curves.gradient_share[i], curves.gradient_share_none[i])
                                                  : std::nan(""));
  if (excess.empty()) return;
  record.curve("gradient_share", {"depth"}, curves.gradient_share);
  record.curve("gradient_share_none", {"depth"}, curves.gradient_share_none);
  record.curve("gradient_share_log_excess", {"depth"}, excess);
}

void record_attention(const Pair& curves, Index N, const std::vector<double>& wanted, data::Record& record) {
  const auto deepest = static_cast<Index>(wanted.back());
  record.coordinate("depth", wanted);
  record.curve("sink_share", {"depth"}, curves.scheme.sink_share);
  record.curve("sink_share_none", {"depth"}, curves.none.sink_share);
  record.scalar("sink_share_mask", even_sink_share(N));
  record_share("context_share", curves.scheme.context_share, curves.none.context_share, even_context_share(N, deepest),
               wanted, record);
  record_share("residual_context_share", curves.scheme.residual_context_share, curves.none.residual_context_share,
               even_residual_context_share(N, deepest), wanted, record);
  record.coordinate("head", numbers_below(std::ssize(curves.decay)));
  record.curve("decay", {"head"}, curves.decay);
  record_gradients(curves, record);
}

void record_exposure(const ExperimentInput& input, data::Record& record) {
  const Index N = input.axes.integer("length"), sequences = input.axes.integer("sequences");
  const Lengths lengths(input.axes.text("lengths"), N);
  record.coordinate("position", numbers_below(N));
  record.curve("exposure", {"position"}, expected_updates(lengths, N, sequences));
  record.curve("exposure_drawn", {"position"},
               drawn_updates(lengths, N, sequences, input.draws.contents("lengths", {sequences})));
}

data::Record run(const ExperimentInput& input) {
  const std::vector<double> wanted = depths(input.axes);
  data::Record record;
  with_dtype(input.axes, [&](auto scalar) {
    const Pair curves = run_stacks<decltype(scalar)>(input, wanted);
    record_attention(curves, input.axes.integer("length"), wanted, record);
  });
  if (input.placement.is_plain()) record_exposure(input, record);  // of rows 0 .. N-1 of a table
  return record;
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), depth = depths(axes).back();
  const auto D = static_cast<double>(scheme.model().model_width), H = static_cast<double>(scheme.model().heads);
  const double in_flight = std::min<double>(4, std::ceil(N / attention::queries_per_tile));
  data::Estimate guess;
  const double tile = H * attention::queries_per_tile * N;
  guess.bytes = 8 * (18 * N * D + 3 * D * D + 3 * in_flight * tile + depth * (7 * N * D + 3 * D * D) + 5 * tile);
  const double of_layer = 6 * N * D * D + 2 * N * N * D + 10 * H * N * N;
  double back = 0;
  for (const double layers : depths(axes)) back += 2 * layers;
  guess.operations = 2 * (2 * depth + back) * of_layer + 120 * depth * D * D;
  return guess;
}

}  // namespace

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

}  // namespace first_position_bias

Experiment make_first_position_bias() {
  using namespace first_position_bias;
  Experiment experiment{describe(), why_no_causal_stack, estimate, run, axis_length, column(), answer};
  experiment.layers = deepest_layer;
  return experiment;
}

}  // namespace poslab::experiments
