// SPDX-License-Identifier: Apache-2.0
// What goes into a case's call in one precision: positions, weights, contents, as the table writes them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "padded.hpp"
#include "poslab/host/scheme.hpp"
#include "table.hpp"

namespace poslab::golden {

using base::Array;
using base::View;

/// The inputs of one output. Dimension letters as in host/scheme.hpp.
template <class S>
class Inputs {
 public:
  Inputs(const Facts& facts, const Json& rule, const Json& spec, const host::Scheme& scheme,
         const Array<double>& positions)
      : facts_(facts), rule_(rule), spec_(spec), scheme_(scheme) {
    positions_ = positions_or("positions", positions);
    query_positions_ = positions_or("query_positions", positions_);
    key_positions_ = positions_or("key_positions", positions_);
    const Json& context = member(rule_, "context");
    context_.length =
        context.is_null() ? key_positions_.extent(0) : static_cast<Index>(facts_.number(context.at("length")));
    context_.train_length = scheme_.model().train_length;
    context_.causal = spec.value("causal", false);
    set_weights();
  }

  const Facts& facts() const { return facts_; }
  const Json& spec() const { return spec_; }
  const host::Scheme& scheme() const { return scheme_; }
  const host::Context& context() const { return context_; }
  const std::vector<View<const S>>& weights() const { return views_; }
  const Array<double>& positions() const { return positions_; }
  const Array<double>& query_positions() const { return query_positions_; }
  const Array<double>& key_positions() const { return key_positions_; }
  host::Tile tile() const { return {query_positions_.view(), key_positions_.view(), 0}; }
  host::Side side() const { return spec_.at("side") == "query" ? host::Side::query : host::Side::key; }

  // The output's own word for an input of the attention layer, or the rule's.
  const Json& content_spec(const char* name) const {
    const Json& own = member(spec_, name);
    return own.is_null() ? member(member(rule_, "attention"), name) : own;
  }

  // Queries, keys or values [H, N, K]: a dataset; {"unit": k}, the k-th unit vector everywhere; {"identity": true}, the
  // n-th at n; {"zeros": true}, null: zeros.
  Array<S> content(const Json& spec, Index N) const {
    const Index H = scheme_.model().heads, K = scheme_.model().head_width();
    if (spec.is_string())
      return shaped<S>(facts_.dataset(spec.get<std::string>()), 3, {H, N, K, 1}, spec.get<std::string>());
    if (spec.contains("padded")) return padded<S>(facts_, spec, 3, {H, N, K, 1});
    Array<S> array({H, N, K});
    if (spec.is_null() || spec.contains("zeros")) return array;
    const bool identity = spec.contains("identity");
    if (identity && N > K) throw Unknown("there are fewer unit vectors than positions");
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < N; ++n) array(h, n, identity ? n : spec.at("unit").get<Index>()) = 1;
    return array;
  }

  // What the layer's projections saw, [empty + N, D]: a dataset, {"padded": dataset}, or {"identity": true}, e_n at
  // position n; before it `empty` rows of zeros.
  Array<S> layer_input(Index N, Index empty = 0) const {
    const Json& spec = content_spec("layer_input");
    const Index D = scheme_.model().model_width;
    if (spec.is_null()) return {};
    Array<S> rows({N, D}), all({empty + N, D});
    if (spec.is_string())
      rows = shaped<S>(facts_.dataset(spec.get<std::string>()), 2, {N, D, 1, 1}, "layer_input");
    else if (spec.contains("padded"))
      rows = padded<S>(facts_, spec, 2, {N, D, 1, 1});
    else if (N > D)
      throw Unknown("there are fewer unit vectors than positions");
    else
      for (Index n = 0; n < N; ++n) rows(n, n) = 1;
    std::copy(rows.flat().begin(), rows.flat().end(), all.data() + empty * D);
    return all;
  }

  // x [H, N, K] as the scheme leaves it.
  Array<S> transform(host::Side side, Array<S> x, const Array<double>& at) const {
    if (scheme_.has(host::Operation::transform)) scheme_.template transform<S>(context_, side, at, views_, x);
    return x;
  }

 private:
  Array<double> positions_or(const char* key, const Array<double>& otherwise) const {
    const Json& spec = member(spec_, key);
    if (spec.is_null()) return otherwise.copy();
    if (spec != "last") return positions_of(facts_, spec);
    const Index axes = otherwise.extent(1);
    Array<double> last({1, axes});
    for (Index a = 0; a < axes; ++a) last(0, a) = otherwise(otherwise.extent(0) - 1, a);
    return last;
  }

  // Every declared weight, from the output's own `weights` or from the rule's.
  void set_weights() {
    weights_ = host::Weights<S>(scheme_.weights(), 1);
    for (std::size_t w = 0; w < scheme_.weights().size(); ++w) {
      const host::WeightInfo& info = scheme_.weights()[w];
      const Json *own = &member(member(spec_, "weights"), info.name.c_str()),
                 *common = &member(member(rule_, "weights"), info.name.c_str());
      const Json& spec = own->is_null() ? *common : *own;
      if (spec.is_null()) throw Unknown("the table does not say what the weight \"" + info.name + "\" is");
      weights_.arrays()[w][0] = weight(info, spec);
    }
    views_ = std::as_const(weights_).layer(0);
  }

  Array<S> weight(const host::WeightInfo& info, const Json& spec) const {
    if (spec.is_string()) return shaped<S>(facts_.dataset(spec.get<std::string>()), info.rank, info.shape, info.name);
    if (spec.contains("padded")) return padded<S>(facts_, spec, info.rank, info.shape);
    if (spec.contains("transposed")) return transposed<S>(facts_.dataset(spec["transposed"].get<std::string>()));
    Array<S> array(info.rank, info.shape);
    if (spec.contains("all"))
      array.fill(static_cast<S>(facts_.number(spec["all"].get<std::string>())));
    else if (spec.contains("row_numbers"))
      for (Index i = 0; i < array.size(); ++i)
        array.data()[i] = static_cast<S>(static_cast<double>(Index{i / array.view().stride()}) +
                                         facts_.number(spec.value("plus", "0")));
    else if (spec.contains("identity"))
      for (Index i = 0; i < std::min(array.extent(0), array.extent(1)); ++i) array(i, i) = 1;
    else
      throw Unknown("the table's weight cannot be read: " + spec.dump());
    return array;
  }

  const Facts& facts_;
  const Json& rule_;
  const Json& spec_;
  const host::Scheme& scheme_;
  Array<double> positions_, query_positions_, key_positions_;
  host::Context context_;
  host::Weights<S> weights_;
  std::vector<View<const S>> views_;
};

}  // namespace poslab::golden
