// SPDX-License-Identifier: Apache-2.0
// The stack of first-position-bias once more from its definition: plain products, attention one query at a time, whole
// matrices.
// Dimension letters: N positions, D model width, H heads, K head width.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"
#include "first_position_bias_cells.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/host/scheme.hpp"

using namespace poslab;
using namespace first_position_bias_cells;

namespace {

constexpr Index K = D / H;

struct Naive {
  std::vector<double> sink_share, context_share, residual_context_share;  // at depth 1, 2, ...
};

// `schemes` of the layers, which repeat.
Naive naive_stack(const std::vector<const host::Scheme*>& schemes, const data::Draws& draws, Index N, int depth,
                  bool residual) {
  base::Array<double> x = draws.normal("content", {N, D}), positions{N, 1};
  for (Index n = 0; n < N; ++n) positions(n, 0) = static_cast<double>(n);
  const auto scheme_of = [&](Index l) { return schemes[static_cast<std::size_t>(l) % schemes.size()]; };
  std::map<const host::Scheme*, host::Weights<double>> weights;
  for (Index l = 0; l < depth; ++l) {
    const host::Scheme* scheme = scheme_of(l);
    if (!scheme || weights.count(scheme) > 0) continue;
    weights[scheme] = scheme->draw_weights(draws.of_scheme(scheme->info().id), depth);
    if (!scheme->has(host::Operation::encode)) continue;
    const base::Array<double> encoded = sorted_codes(*scheme, N, std::as_const(weights[scheme]).layer(l));
    for (Index i = 0; i < x.size(); ++i) x.data()[i] += encoded.data()[i];
  }
  Naive naive;
  std::vector<double> F(static_cast<std::size_t>(N), 0.0);
  F[0] = 1;
  std::vector<double> G = F;
  double shares = 0;
  for (int l = 0; l < depth; ++l) {
    const host::Scheme* scheme = scheme_of(l);
    const std::vector<base::View<const double>> layer_weights =
        scheme ? std::as_const(weights[scheme]).layer(l) : std::vector<base::View<const double>>();
    const std::string layer_name = " projection of layer " + std::to_string(l);
    base::Array<double> z{N, D}, projected[3], out{H, N, K};
    for (Index n = 0; n < N; ++n) {
      double squares = 0;
      for (Index c = 0; c < D; ++c) squares += x(n, c) * x(n, c) / D;
      for (Index c = 0; c < D; ++c) z(n, c) = x(n, c) / std::sqrt(squares);
    }
    for (int side = 0; side < 3; ++side) {
      const base::Array<double> W = draws.normal((side == 0   ? "query"
                                                  : side == 1 ? "key"
                                                              : "value") +
                                                     layer_name,
                                                 {D, D});
      projected[side] = base::Array<double>{H, N, K};
      const std::vector<Index> channels = query_channels(side < 2 ? scheme : nullptr, N, layer_weights, l, D, H);
      for (Index n = 0; n < N; ++n)
        for (Index drawn = 0; drawn < D; ++drawn) {
          const Index c = channels[static_cast<std::size_t>(drawn)];
          for (Index a = 0; a < D; ++a)
            projected[side](c / K, n, c % K) += z(n, a) * W(a, drawn) / std::sqrt(double(D));
        }
    }
    if (scheme)
      for (double& q : projected[0].flat()) q *= 1 / std::sqrt(double(K)) / scheme->logit_scale();
    const base::Array<double> A = attention::attend_reference<double>(
        {scheme, {N, N, true}, positions, layer_weights, l}, {projected[0], projected[1], z}, projected[2], out);
    std::vector<double> next(F.size(), 0.0), next_residual(F.size(), 0.0);
    for (std::size_t i = 0; i < G.size(); ++i) next_residual[i] = G[i] / 2;
    for (Index h = 0; h < H; ++h) {
      double sink = 0;
      for (Index i = 0; i < N; ++i) {
        sink += A(h, i, 0) / static_cast<double>(N);
        for (Index j = 0; j < N; ++j) {
          next[static_cast<std::size_t>(i)] += A(h, i, j) * F[static_cast<std::size_t>(j)] / H;
          next_residual[static_cast<std::size_t>(i)] += A(h, i, j) * G[static_cast<std::size_t>(j)] / H / 2;
        }
        for (Index a = 0; a < K; ++a) x(i, h * K + a) = (residual ? x(i, h * K + a) : 0) + out(h, i, a);
      }
      shares += sink;
    }
    F = next;
    G = next_residual;
    naive.sink_share.push_back(shares / H / (l + 1));
    naive.context_share.push_back(F.back());
    naive.residual_context_share.push_back(G.back());
  }
  return naive;
}

void check_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK_THAT(a[i], check::WithinAbs(b[i], tolerance));
}

}  // namespace

TEST_CASE("first-position-bias: random contents as a second implementation by definition gives them") {
  for (const char* id : {"none", "sinusoidal", "learned", "index", "rope", "alibi", "t5", "shaw", "transformer-xl"})
    for (const bool residual : {true, false})
      for (const Index N : {7, 140}) {
        CAPTURE(id, residual, N);
        cells::Cell here = cell(id, N, {1, 2, 3});
        here.axes.set("residual", Value(residual));
        const cells::Answer answer = cells::run(here);
        const host::Scheme scheme(cells::plugin(id), {}, {D, H, N});
        const data::Draws draws(20261121, "first-position-bias", id, 0);
        const Naive positioned = naive_stack({&scheme}, draws, N, 3, residual),
                    none = naive_stack({nullptr}, draws, N, 3, residual);
        check_near(answer.curve("sink_share"), positioned.sink_share, 1e-11);
        check_near(answer.curve("context_share"), positioned.context_share, 1e-11);
        check_near(answer.curve("sink_share_none"), none.sink_share, 1e-11);
        check_near(answer.curve("residual_context_share"), positioned.residual_context_share, 1e-11);
        check_near(answer.curve("context_share_none"), none.context_share, 1e-11);
        check_near(answer.curve("residual_context_share_none"), none.residual_context_share, 1e-11);
        for (std::size_t t = 0; t < 3; ++t) {
          CHECK_THAT(answer.curve("context_share_log_excess")[t],
                     check::WithinAbs(std::log(positioned.context_share[t] / none.context_share[t]), 1e-10));
          const double residual_ratio = positioned.residual_context_share[t] / none.residual_context_share[t];
          CHECK_THAT(answer.curve("residual_context_share_log_excess")[t],
                     check::WithinAbs(std::log(residual_ratio), 1e-10));
        }
      }
}

TEST_CASE("first-position-bias: layers with different schemes, as a reference composes them layer by layer") {
  const std::vector<std::vector<std::string>> lists{
      {"rope", "none"}, {"none", "alibi", "t5"}, {"rope", "rope", "learned"}, {"shaw", "transformer-xl"}};
  for (const std::vector<std::string>& ids : lists)
    for (const bool residual : {true, false}) {
      CAPTURE(ids, residual);
      constexpr Index N = 20;
      std::vector<std::shared_ptr<host::Scheme>> owned;
      std::vector<const host::Scheme*> schemes;
      for (const std::string& id : ids) {
        const data::Values parameters =
            !owned.empty() && id == "rope" ? data::Values{{"base", 50.0}} : data::Values{};  // two of one plugin
        owned.push_back(std::make_shared<host::Scheme>(cells::plugin(id), parameters, host::Model{D, H, N}));
        schemes.push_back(owned.back().get());
      }
      cells::Cell here = cell(ids.front(), N, {1, 2, 5});
      here.axes.set("residual", Value(residual));
      const data::Values axes = cells::all_axes(here);
      const data::Draws draws(20261121, "first-position-bias", "mixed", 0);
      const host::LayerSchemes layers(schemes);
      const experiments::Experiment& experiment = experiments::find_experiment("first-position-bias");
      const cells::Answer answer{"", experiment.run({*schemes.front(),
                                                     axes,
                                                     draws,
                                                     here.placement,
                                                     experiments::unwatched(),
                                                     experiments::no_files(),
                                                     nullptr,
                                                     {},
                                                     &layers})};
      const Naive naive = naive_stack(schemes, draws, N, 5, residual);
      for (const auto& [name, curve] :
           {std::pair("sink_share", naive.sink_share), std::pair("context_share", naive.context_share),
            std::pair("residual_context_share", naive.residual_context_share)})
        check_near(answer.curve(name), {curve[0], curve[1], curve[4]}, 1e-11);
    }
}

TEST_CASE("first-position-bias: where a scheme puts the scale does not change its untrained logits") {
  cells::Cell unscaled = cell("t5", 30, {1, 2, 3}), scaled = unscaled;
  scaled.parameters = {{"scaled", Value(true)}};
  check_near(cells::run(unscaled).curve("context_share"), cells::run(scaled).curve("context_share"), 1e-12);
}
