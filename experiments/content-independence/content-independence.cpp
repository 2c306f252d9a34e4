// SPDX-License-Identifier: Apache-2.0
// Is what a scheme adds to a logit the same for all contents? Definitions: content-independence.md.
// Dimension letters: C contents, N positions, D model width, H heads, K head width.
#include "content-independence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "poslab/experiment/given_network.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "spread.hpp"

namespace poslab::experiments {
namespace content_independence {

Axes<ContentIndependence> ContentIndependence::axes() {
  return {{&ContentIndependence::length, length_axis(64)},
          {&ContentIndependence::contents, contents_axis()},
          {&ContentIndependence::dtype, dtype_axis()}};
}

std::optional<base::Refusal> ContentIndependence::why_skip(const experiments::Setting& of) const {
  if (contents < 2)
    return "one content has nothing to differ from: contents = 2 or more are needed, and 1 is asked for";
  if (auto refusal = why_not_finite(of.scheme, "differences of its logits mean nothing")) return refusal;
  return of.why_not_length(length);
}

namespace {

bool is_causal(const host::Scheme& scheme) { return scheme.mask() != host::Mask::bidirectional_only; }

// [C N, D]: entries N(0, 1), or random tokens as they enter the layers of a network.
template <class S>
Array<S> draw_rows(const ContentIndependence& at, const ExperimentInput& input, const GivenStack<S>* network,
                   const char* side) {
  const Index C = at.contents, N = at.length;
  if (network) return network->draw_tokens(input.draws.contents(fmt::format("tokens of the {}", side)), C * N);
  return as<S>(input.draws.normal(side, {C, N, input.scheme.model().model_width}));
}

template <class S>
std::vector<Contents<S>> draw_contents(const ContentIndependence& at, const ExperimentInput& input,
                                       const GivenStack<S>* network) {
  const Index C = at.contents, N = at.length, D = input.scheme.model().model_width;
  const Array<S> x = draw_rows(at, input, network, "query"), y = draw_rows(at, input, network, "key");
  std::vector<Contents<S>> contents;
  for (Index c = 0; c < C; ++c) {
    Contents<S> one{Array<S>{N, D}, Array<S>{N, D}};
    std::copy_n(x.data() + c * N * D, N * D, one.query.data());
    std::copy_n(y.data() + c * N * D, N * D, one.key.data());
    contents.push_back(std::move(one));
  }
  return contents;
}

template <class S>
Array<S> code_of(const host::Scheme& scheme, const host::Context& context, const Array<double>& positions,
                 const std::vector<View<const S>>& weights) {
  if (!scheme.has(host::Operation::encode)) return {};
  Array<S> code{positions.extent(0), scheme.model().model_width};
  scheme.encode<S>(context, positions, weights, code);
  return code;
}

// What is added may be nothing but rounding of the logits, of which no share can be told.
template <class S>
bool is_rounding(const Spread& found) {
  return found.size > 0 && found.size <= 64 * static_cast<double>(std::numeric_limits<S>::epsilon()) * found.logit_size;
}

template <class S>
void measure(const ContentIndependence& at, const ExperimentInput& input, Output& out) {
  const host::Scheme& scheme = input.scheme;
  const Index N = at.length;
  std::optional<GivenStack<S>> given;
  if (input.network) given.emplace(input);
  const bool causal = given ? given->is_causal() : is_causal(scheme);
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.layer(0);
  host::Context context = scheme.context(N);
  if (given) context.causal = causal;
  Array<double> positions = input.positions(N);
  Array<S> code = code_of<S>(scheme, context, positions, views);
  const GivenStack<S>* network = given ? &*given : nullptr;
  const Setting<S> setting{scheme, context, views, std::move(positions), std::move(code), network};
  const std::vector<Contents<S>> contents = draw_contents<S>(at, input, network);
  const Spread found = spread(setting, contents, causal);

  out.coordinate<Offset>(numbers_below(N));
  out.set(ContentIndependence::logit_size, found.logit_size);
  out.set(ContentIndependence::size, found.size);
  out.set(ContentIndependence::content_spread, found.content_spread);
  if (!is_rounding<S>(found)) {
    const double share = found.content_spread / found.size;
    out.set(ContentIndependence::content_share, found.size > 0 ? std::min(1.0, share * share) : 0);
  }
  out.set(ContentIndependence::spread_by_offset, found.by_offset);
  out.set(ContentIndependence::curvature, curvature(setting, contents, causal));
  if (N > 2)
    out.set(ContentIndependence::third_token,
            scheme.has(host::Operation::score) ? third_tokens(setting, contents, causal) : 0.0);
}

}  // namespace

std::optional<base::Refusal> ContentIndependence::why_not_network(const experiments::Setting& of,
                                                                  const data::Values& axes) const {
  return why_not_looked_into(of, axes, 1);
}

void ContentIndependence::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { measure<S>(*this, input, out); });
}

// Contents, and those of a second difference with the logits that are added under each.
data::Estimate ContentIndependence::estimate(const experiments::Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto [N, C] = reckoned(length, contents);
  const double D = needs.D, a_content = N * D, pairs = N * N, times = needs.scores ? 7 : 5;
  return {needs.bytes * (2 * C * a_content +
                         std::max(2 * C * a_content, 23 * a_content + 4 * needs.H * pairs + needs.logits(N, N))),
          needs.draw(2 * C * a_content) +
              times * C * (needs.code(N) + needs.attend(pairs) + needs.products(pairs * D) + 6 * needs.H * pairs)};
}

}  // namespace content_independence

Experiment make_content_independence() { return experiment_of<content_independence::ContentIndependence>(); }

}  // namespace poslab::experiments
