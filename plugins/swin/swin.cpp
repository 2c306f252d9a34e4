// SPDX-License-Identifier: Apache-2.0
// Swin's bias inside a window of image patches: a learned number per offset (v1), or a network of the offset beside
// cosines instead of products (v2).
// Dimension letters: Wh x Ww window, H heads, Nq queries, Nk keys, R = (2 Wh - 1)(2 Ww - 1) offsets.
#include <cmath>
#include <optional>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/angles.hpp>

#include "continuous.hpp"
#include "unit_rows.hpp"

using namespace poslab;

struct Swin {
  static constexpr Card card{
      .id = "swin",
      .title = "Swin's window bias",
      .version = "2.0",
      .paper = "Liu et al. 2021, arXiv:2103.14030 (v1); Liu et al. 2021, arXiv:2111.09883 (v2)",
      .summary = "A bias per head and offset of rows and columns in a window, from a table or from a network.",
      .formula = "v1: logit += table[offset]; v2: logit = cos(q, k) exp(min(tau, ln 100)) + 16 sigmoid(MLP(v))",
      .used_in = "Swin Transformer, Swin Transformer V2",
      .family = Family::bias,
      .least_axes = 2,
      .most_axes = 2};
  enum class Version { table, continuous } version;
  std::vector<double> window;
  std::optional<std::vector<double>> pretrained_window;
  int hidden;
  static constexpr const char* versions[] = {"v1", "v2"};
  static constexpr double window_by_default[] = {8, 8};
  static constexpr std::tuple params{
      choice(&Swin::version, "version", versions, "v1: a table; v2: a network, and cosines for products"),
      list(&Swin::window, "window", window_by_default, between(1, 1024), "rows and columns that attend to each other")
          .in("position"),
      list(&Swin::pretrained_window, "pretrained_window", unset, between(2, 1024),
           "v2: the window whose scale the network keeps; unset: its own")
          .usual({{8, 8}, {12, 12}, {16, 16}, {24, 24}})
          .in("position"),
      integer(&Swin::hidden, "hidden", 512, between(1, 4096), "v2: hidden units of the network")};
  Traits traits() const {
    return Traits()
        .claims(relative | length_free | bounded | (is_table() ? content_free : no_claims))
        .min_position(0)
        .max_position(std::max(window[0], window[1]) - 1)  // the shorter side: `require_inside`
        .score_writes_logits(!is_table());
  }
  bool offers(Operation operation) const { return operation == (is_table() ? Operation::bias : Operation::score); }

  void prepare() {
    require_extents("window", window, 1);
    require(is_table() ? !pretrained_window : true, "swin: pretrained_window belongs to v2, not to v1");
    if (!is_table()) require_extents("pretrained_window", scale(), 2);
  }

  std::vector<Weight> weights(const Model& m) const {
    constexpr double deviation = 0.02;
    if (is_table())
      return {normal("table", {(2 * rows() - 1) * (2 * columns() - 1), m.H}, deviation, "a head's bias at an offset")
                  .each_layer()};
    return {normal("hidden_weight", {hidden, 2}, deviation, "from the offset to the hidden units").each_layer(),
            constant("hidden_bias", {hidden}, 0).each_layer(),
            normal("output_weight", {hidden, m.H}, deviation, "to the heads").each_layer(),
            constant("tau", {m.H}, std::log(10), "logarithm of what a head multiplies its cosines by").each_layer()};
  }

  // v1
  template <class S>
  void bias(Point query, Point key, Row<S> heads, Weights<const S> w) const {
    const Index at = offset_row(query, key);
    for (std::size_t h = 0; h < heads.size(); ++h) heads[h] = w[0](at, h);
  }
  template <class S>
  void bias_gradient(Point query, Point key, Row<const S> gradients, Weights<const S>, Weights<S> dw) const {
    add_scaled(dw[0].row(offset_row(query, key)), S(1), gradients);
  }

  // v2
  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Index H = tile.logits.shape(0), Nq = tile.query_positions.size(), Nk = tile.key_positions.size();
    OffsetBiases<S> biases(*this, H, w);
    const UnitRows<S> queries(tile.query), keys(tile.key);
    const std::vector<S> factors = factors_of<S>(H, w);
    for (Index i = 0; i < Nq; ++i)
      for (Index j = 0; j < Nk; ++j) {
        const std::vector<Exact<S>>& of_heads = biases.at(tile.query_positions[i], tile.key_positions[j]);
        for (Index h = 0; h < H; ++h) {
          const auto at = static_cast<std::size_t>(h);
          tile.logits(h, i, j) = S(factors[at] * dot(queries.row(h, i), keys.row(h, j)) + of_heads[at]);
        }
      }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Index H = gradient.logits.shape(0), Nq = tile.query_positions.size(), Nk = tile.key_positions.size();
    const UnitRows<S> queries(tile.query), keys(tile.key);
    const std::vector<S> factors = factors_of<S>(H, w);
    auto by_queries = queries.zeros(), by_keys = keys.zeros();
    OffsetGradients<S> by_biases(*this, H);
    for (Index h = 0; h < H; ++h) {
      const S factor = factors[static_cast<std::size_t>(h)];
      S by_factor = 0;
      for (Index i = 0; i < Nq; ++i)
        for (Index j = 0; j < Nk; ++j)
          if (const S by = gradient.logits(h, i, j); by != 0) {  // masked: it is 0
            by_factor += by * dot(queries.row(h, i), keys.row(h, j));
            add_dot_gradient(factor * by, queries.row(h, i), keys.row(h, j), queries.row_of(by_queries, h, i),
                             keys.row_of(by_keys, h, j));
            by_biases.add(h, tile.query_positions[i], tile.key_positions[j], by);
          }
      if (w[3](h) <= S(std::log(100))) dw[3](h) += factor * by_factor;
    }
    queries.pass_on(by_queries, gradient.query);
    keys.pass_on(by_keys, gradient.key);
    by_biases.pass_on(w, dw);
  }

 private:
  bool is_table() const { return version == Version::table; }
  Index rows() const { return static_cast<Index>(window[0]); }
  Index columns() const { return static_cast<Index>(window[1]); }
  const std::vector<double>& scale() const { return pretrained_window ? *pretrained_window : window; }

  static void require_extents(const char* name, const std::vector<double>& extents, int least) {
    require(extents.size() == 2, "swin: ", name, " needs two numbers, rows and columns, not ", extents.size());
    for (const double extent : extents)
      require(extent == std::floor(extent) && extent >= least, "swin: ", name, " needs whole numbers from ", least,
              least == 1 ? "" : " (v2 divides by the window less 1)", " on, not ", extent);
  }

  // The boundary knows one highest position for both axes, which is that of the longer side.
  void require_inside(Point p) const {
    for (int axis = 0; axis < 2; ++axis)
      if (p[axis] >= window[static_cast<std::size_t>(axis)])
        throw Failure(POSLAB_OUT_OF_RANGE,
                      sdk::text("swin: ", axis == 0 ? "row " : "column ", p[axis], " is beyond ",
                                window[static_cast<std::size_t>(axis)] - 1, ", the last of the window"));
  }

  // Where the offset of a pair stands among the R: rows first, query less key.
  Index offset_row(Point query, Point key) const {
    require_inside(query);
    require_inside(key);
    const auto row = static_cast<Index>(query[0] - key[0]), column = static_cast<Index>(query[1] - key[1]);
    return (row + rows() - 1) * (2 * columns() - 1) + column + columns() - 1;
  }

  // v2: what a head multiplies its cosines by [H].
  template <class S>
  static std::vector<S> factors_of(Index H, Weights<const S> w) {
    std::vector<S> factors;
    for (Index h = 0; h < H; ++h)
      factors.push_back(exp(value_of(w[3](h)) > std::log(100) ? S(std::log(100)) : S(w[3](h))));
    return factors;
  }

  // v2's biases [R, H], each computed when it is first asked for; in double, since a float's sum over hundreds of
  // hidden units would lose digits that a bias of up to 16 still has.
  template <class S>
  class OffsetBiases {
   public:
    OffsetBiases(const Swin& swin, Index H, Weights<const S> w)
        : swin_(swin),
          H_(H),
          w_(w),
          of_offset_(static_cast<std::size_t>((2 * swin.rows() - 1) * (2 * swin.columns() - 1))) {}
    const std::vector<Exact<S>>& at(Point query, Point key) {
      std::vector<Exact<S>>& heads = of_offset_[static_cast<std::size_t>(swin_.offset_row(query, key))];
      if (heads.empty()) {
        heads.resize(static_cast<std::size_t>(H_));
        const auto v = log_spaced(query[0] - key[0], query[1] - key[1], swin_.scale());
        continuous_bias<Exact<S>>(v, w_[0], w_[1], w_[2], heads);
      }
      return heads;
    }

   private:
    const Swin& swin_;
    Index H_;
    Weights<const S> w_;
    std::vector<std::vector<Exact<S>>> of_offset_;
  };

  // The gradient by v2's biases [R, H], gathered over all pairs of an offset before it goes back through the network.
  template <class S>
  class OffsetGradients {
   public:
    OffsetGradients(const Swin& swin, Index H)
        : swin_(swin), H_(H), of_offset_(static_cast<std::size_t>((2 * swin.rows() - 1) * (2 * swin.columns() - 1))) {}
    void add(Index h, Point query, Point key, S by) {
      OfOffset& at = of_offset_[static_cast<std::size_t>(swin_.offset_row(query, key))];
      if (at.by_heads.empty()) {
        at.v = log_spaced(query[0] - key[0], query[1] - key[1], swin_.scale());
        at.by_heads.resize(static_cast<std::size_t>(H_));
      }
      at.by_heads[static_cast<std::size_t>(h)] += by;
    }
    void pass_on(Weights<const S> w, Weights<S> dw) {
      for (OfOffset& at : of_offset_)
        if (!at.by_heads.empty()) add_continuous_bias_gradient<S>(at.v, w, at.by_heads, dw);
    }

   private:
    struct OfOffset {
      std::array<double, 2> v;
      std::vector<double> by_heads;  // empty: no pair has this offset
    };
    const Swin& swin_;
    Index H_;
    std::vector<OfOffset> of_offset_;
  };
};
POSLAB_SCHEME(Swin)
