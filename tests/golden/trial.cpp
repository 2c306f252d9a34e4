// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arrays.hpp"
#include "padded.hpp"
#include "poslab/base/error.hpp"
#include "poslab/host/library.hpp"

namespace poslab::golden {

using base::Array;
using base::View;

namespace {

// The first channel of plane `m` of `planes` under a pairing, and the second.
std::pair<Index, Index> channels_of(Index m, Index planes, bool interleaved) {
  return interleaved ? std::pair{2 * m, 2 * m + 1} : std::pair{m, m + planes};
}

}  // namespace

Trial::Trial(const Facts& facts, const Json& rule, std::shared_ptr<const host::Plugin> plugin)
    : facts_(facts), rule_(rule) {
  const base::Values parameters = parameters_of(facts, rule, plugin->info());
  scheme_ = std::make_unique<host::Scheme>(std::move(plugin), parameters, model_of(facts, rule));
  const Json& positions = member(rule, "positions");
  positions_ = positions_of(facts, positions.is_null() ? Json("positions") : positions);
  for (const double x : positions_.flat()) largest_position_ = std::max(largest_position_, std::abs(x));
}

// One output in one precision. Dimension letters as in host/scheme.hpp.
template <class S>
class Trial::Run {
 public:
  Run(const Trial& trial, const Json& spec)
      : facts_(trial.facts_), rule_(trial.rule_), spec_(spec), scheme_(*trial.scheme_) {
    positions_ = positions("positions", trial.positions_);
    query_positions_ = positions("query_positions", positions_);
    key_positions_ = positions("key_positions", positions_);
    const Json& context = member(rule_, "context");
    context_.length =
        context.is_null() ? key_positions_.extent(0) : static_cast<Index>(facts_.number(context.at("length")));
    context_.train_length = scheme_.model().train_length;
    context_.causal = spec.value("causal", false);
    set_weights();
  }

  /// What `is` names; with "head", that head of it only; with "columns", those of its last axis.
  Numbers produce() const {
    Numbers all = all_heads();
    if (spec_.contains("columns")) return columns_of(all);
    if (spec_.contains("first_heads")) return first_heads_of(std::move(all));
    if (!spec_.contains("head")) return all;
    const auto size = static_cast<std::ptrdiff_t>(all.numbers.size()) / all.shape.at(0);
    const auto first = all.numbers.begin() + spec_["head"].get<std::ptrdiff_t>() * size;
    return {{all.shape.begin() + 1, all.shape.end()}, {first, first + size}};
  }

 private:
  // "columns": [first, count]
  Numbers columns_of(const Numbers& all) const {
    const auto part = [&](std::size_t i) {
      return static_cast<std::ptrdiff_t>(facts_.number(spec_["columns"][i].get<std::string>()));
    };
    const std::ptrdiff_t first = part(0), count = part(1);
    const auto width = static_cast<std::ptrdiff_t>(all.shape.back());
    if (first < 0 || count < 0 || first + count > width) throw Unknown("the table asks for columns that are not there");
    Numbers out{all.shape, {}};
    out.shape.back() = count;
    for (auto row = all.numbers.begin(); row != all.numbers.end(); row += width)
      out.numbers.insert(out.numbers.end(), row + first, row + first + count);
    return out;
  }

  // "first_heads": how many of all heads; the others only make room
  Numbers first_heads_of(Numbers all) const {
    const auto kept = static_cast<Index>(std::llround(facts_.number(spec_["first_heads"])));
    all.numbers.resize(all.numbers.size() / static_cast<std::size_t>(all.shape.at(0)) * static_cast<std::size_t>(kept));
    all.shape[0] = kept;
    return all;
  }

  Numbers all_heads() const {
    const auto is = spec_.at("is").get<std::string>();
    if (is == "encode") return encode();
    if (is == "transform")
      return numbers_of(transform(side(), content(spec_.at("of"), positions_.extent(0)), positions_));
    if (is == "plane_angles") return plane_angles();
    if (is == "plane_cosines") return plane_part(0);
    if (is == "plane_sines") return plane_part(1);
    if (is == "plane_scale") return plane_scale();
    if (is == "bias") return numbers_of(bias());
    if (is == "logits") return numbers_of(logits());
    if (is == "added") return added();
    if (is == "turned_by_score") return turned_by_score();
    if (is == "attention") return numbers_of(attention());
    if (is == "values") return values();
    if (is == "logit_scale") return {{}, {scheme_.logit_scale()}};
    throw Unknown("the table's word \"" + is + "\" is not known");
  }

  Array<double> positions(const char* key, const Array<double>& otherwise) const {
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
    views_ = std::as_const(weights_).of_layer(0);
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

  // Queries, keys or values [H, N, K]: a dataset; {"unit": k}, the k-th unit vector everywhere; {"identity": true}, the n-th
  // at n; {"zeros": true}, null: zeros.
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

  const Json& content_spec(const char* name) const {
    const Json& own = member(spec_, name);
    return own.is_null() ? member(member(rule_, "attention"), name) : own;
  }

  host::Side side() const { return spec_.at("side") == "query" ? host::Side::query : host::Side::key; }

  Numbers encode() const {
    Array<S> out({positions_.extent(0), scheme_.model().model_width});
    scheme_.template encode<S>(context_, positions_, views_, out);
    return numbers_of(out);
  }

  Array<S> transform(host::Side side, Array<S> x, const Array<double>& at) const {
    if (scheme_.has(host::Operation::transform)) scheme_.template transform<S>(context_, side, at, views_, x);
    return x;
  }

  // The planes as they turn (1, 0) at the given positions: x [H, N, K] with a 1 in the first channel of every plane.
  Array<S> turned_planes(const Array<double>& at, Index planes, bool interleaved) const {
    Array<S> x({scheme_.model().heads, at.extent(0), scheme_.model().head_width()});
    for (Index h = 0; h < x.extent(0); ++h)
      for (Index n = 0; n < x.extent(1); ++n)
        for (Index m = 0; m < planes; ++m) x(h, n, channels_of(m, planes, interleaved).first) = 1;
    return transform(host::Side::key, std::move(x), at);
  }

  bool interleaved() const {
    const Json pairing = translated(facts_, spec_.at("pairing"));
    if (pairing != "interleaved" && pairing != "half-split")
      throw Unknown("the pairing " + pairing.dump() + " is not known");
    return pairing == "interleaved";
  }

  Numbers plane_angles() const {
    const auto planes = static_cast<Index>(facts_.number(spec_.at("planes")));
    Array<double> one({1, 1});
    one(0, 0) = 1;
    const bool pairing = interleaved();
    const Array<S> turned = turned_planes(one, planes, pairing);
    Numbers out{{planes}, {}};
    for (Index m = 0; m < planes; ++m) {
      const auto [first, second] = channels_of(m, planes, pairing);
      out.numbers.push_back(std::atan2(turned(0, 0, second), turned(0, 0, first)));
    }
    return out;
  }

  // By how much a vector grows: (1, 1, ...) at position 0, where nothing turns.
  Numbers plane_scale() const {
    Array<double> origin({1, 1});
    Array<S> ones({scheme_.model().heads, 1, scheme_.model().head_width()});
    ones.fill(1);
    return {{}, {transform(host::Side::key, std::move(ones), origin)(0, 0, 0)}};
  }

  // cos (part 0) or sin (part 1) of every channel's plane at every position: [N, 2 planes].
  Numbers plane_part(int part) const {
    const auto planes = static_cast<Index>(facts_.number(spec_.at("planes")));
    const bool pairing = interleaved();
    const Array<S> turned = turned_planes(positions_, planes, pairing);
    Numbers out{{positions_.extent(0), 2 * planes}, {}};
    for (Index n = 0; n < positions_.extent(0); ++n)
      for (Index c = 0; c < 2 * planes; ++c) {
        const auto [first, second] = channels_of(pairing ? c / 2 : c % planes, planes, pairing);
        out.numbers.push_back(turned(0, n, part == 0 ? first : second));
      }
    return out;
  }

  host::Tile tile() const { return {query_positions_.view(), key_positions_.view(), 0}; }

  Array<S> bias() const {
    Array<S> out({scheme_.model().heads, query_positions_.extent(0), key_positions_.extent(0)});
    if (scheme_.has(host::Operation::bias)) scheme_.template bias<S>(context_, tile(), views_, out);
    return out;
  }

  Array<S> queries() const {
    return transform(host::Side::query, content(content_spec("query"), query_positions_.extent(0)), query_positions_);
  }
  Array<S> keys() const {
    return transform(host::Side::key, content(content_spec("key"), key_positions_.extent(0)), key_positions_);
  }
  double scale() const {
    const Json& spec = content_spec("scale");
    return spec.is_null() ? scheme_.logit_scale() : facts_.number(spec.get<std::string>());
  }

  // What the layer's projections saw, [empty + N, D]: a dataset, {"padded": dataset}, or {"identity": true}, e_n at position
  // n; before it `empty` rows of zeros.
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

  // What `score` finds, [H, Nq, Nk]: the dataset "logits" of the attention, else scale q.k + bias.
  Array<S> incoming_logits() const {
    const Index H = scheme_.model().heads, Nq = query_positions_.extent(0), Nk = key_positions_.extent(0);
    const Json& given = content_spec("logits");
    if (!given.is_null())
      return shaped<S>(facts_.dataset(given.get<std::string>()), 3, {H, Nq, Nk, 1}, given.get<std::string>());
    const Array<S> q = queries(), k = keys();
    const S factor = static_cast<S>(scale());
    Array<S> out = bias();
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < Nq; ++i)
        for (Index j = 0; j < Nk; ++j) {
          double dot = 0;  // the host's part: its rounding is none of the scheme's
          for (Index c = 0; c < scheme_.model().head_width(); ++c) dot += static_cast<double>(q(h, i, c)) * k(h, j, c);
          out(h, i, j) += static_cast<S>(factor * dot);
        }
    return out;
  }

  // What `score` adds to that.
  Numbers added() const {
    Numbers after = numbers_of(logits());
    const Numbers before = numbers_of(incoming_logits());
    for (std::size_t i = 0; i < after.numbers.size(); ++i) after.numbers[i] -= before.numbers[i];
    return after;
  }

  // How `score` turns the dataset `of` on its `side`, for schemes whose logits are products of turned vectors. Before the
  // sequence stand K more places, whose layer input is zero so that nothing turns there; the other side holds the unit
  // vectors at them, and the logits with those are the channels of the turned vector.
  Numbers turned_by_score() const {
    const Index H = scheme_.model().heads, K = scheme_.model().head_width(), N = positions_.extent(0);
    const bool of_query = side() == host::Side::query;
    const Array<S> given = content(spec_.at("of"), N), input = layer_input(N, K);
    Array<double> places({K + N, 1});
    for (Index n = 0; n < K + N; ++n)
      places(n, 0) = n < K ? positions_(0, 0) - static_cast<double>(K - n) : positions_(n - K, 0);
    Array<S> all_keys({H, K + N, K}), all_queries({H, of_query ? N : K, K});
    for (Index h = 0; h < H; ++h) {
      for (Index c = 0; c < K; ++c) (of_query ? all_keys : all_queries)(h, c, c) = 1;
      for (Index n = 0; n < N; ++n)
        for (Index c = 0; c < K; ++c) (of_query ? all_queries(h, n, c) : all_keys(h, K + n, c)) = given(h, n, c);
    }
    const Index first = of_query ? K : 0, Nq = all_queries.extent(1);
    Array<S> met({H, Nq, K + N});
    scheme_.template score<S>(context_, {places.view().rows(first, Nq), places.view(), first},
                              {input.view(), all_queries.view(), all_keys.view(), 1.0}, views_, met);
    Numbers out{{H, N, K}, {}};
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < N; ++n)
        for (Index c = 0; c < K; ++c) out.numbers.push_back(of_query ? met(h, n, c) : met(h, c, K + n));
    return out;
  }

  // The logits [H, Nq, Nk] as the attention layer makes them; with "causal", masked.
  Array<S> logits() const {
    const Array<S> q = queries(), k = keys(), input = layer_input(key_positions_.extent(0));
    Array<S> out = incoming_logits();
    if (scheme_.has(host::Operation::score))
      scheme_.template score<S>(context_, tile(), {input.view(), q.view(), k.view(), scale()}, views_, out);
    if (context_.causal)
      for (Index h = 0; h < out.extent(0); ++h)
        for (Index i = 0; i < out.extent(1); ++i)
          for (Index j = i + 1; j < out.extent(2); ++j) out(h, i, j) = -std::numeric_limits<S>::infinity();
    return out;
  }

  Array<S> attention() const {
    Array<S> out = logits();
    for (Index h = 0; h < out.extent(0); ++h)
      for (Index i = 0; i < out.extent(1); ++i) {
        S* row = &out(h, i, 0);
        const S largest = *std::max_element(row, row + out.extent(2));
        S total = 0;
        for (Index j = 0; j < out.extent(2); ++j) total += row[j] = std::exp(row[j] - largest);
        for (Index j = 0; j < out.extent(2); ++j) row[j] /= total;
      }
    return out;
  }

  Numbers values() const {
    const Array<S> weights = attention(), v = content(content_spec("value"), key_positions_.extent(0));
    Array<S> out({v.extent(0), weights.extent(1), v.extent(2)});
    for (Index h = 0; h < out.extent(0); ++h)
      for (Index i = 0; i < out.extent(1); ++i)
        for (Index j = 0; j < weights.extent(2); ++j)
          for (Index c = 0; c < out.extent(2); ++c) out(h, i, c) += weights(h, i, j) * v(h, j, c);
    if (scheme_.has(host::Operation::mix)) scheme_.template mix<S>(context_, tile(), weights.view(), views_, out);
    return numbers_of(out);
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

template <class S>
Numbers Trial::produce(const std::string& name) const {
  return Run<S>(*this, rule_.at("outputs").at(name)).produce();
}

template Numbers Trial::produce<float>(const std::string&) const;
template Numbers Trial::produce<double>(const std::string&) const;

}  // namespace poslab::golden
