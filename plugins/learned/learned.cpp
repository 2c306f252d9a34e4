// SPDX-License-Identifier: Apache-2.0
// A learned table: every position has a row of its own, and beyond the last row there is nothing.
#include <poslab/scheme.hpp>

using namespace poslab;

struct Learned {
  static constexpr Card card{.id = "learned",
                             .title = "Learned table",
                             .version = "1.0",
                             .paper = "Gehring et al. 2017, arXiv:1705.03122; Devlin et al. 2019, arXiv:1810.04805",
                             .summary = "A learned vector per position; positions beyond the table are refused.",
                             .formula = "e(p) = scale E[p + row_offset]",
                             .used_in = "BERT, GPT-2, GPT-3, OPT, BART, RoBERTa, ViT"};
  std::optional<int> max_length;
  double init_std;
  int row_offset;
  double output_scale;
  bool unit_rows;
  static constexpr std::tuple params{
      integer(&Learned::max_length, "max_length", unset, between(1, 1 << 24),
              "positions that have a row; unset: the train length")
          .in("position"),
      real(&Learned::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial rows"),
      integer(&Learned::row_offset, "row_offset", 0, between(0, 1 << 20),
              "rows before the one of position 0, as in OPT and BART (2)")
          .usual({0, 2, 1}),
      real(&Learned::output_scale, "output_scale", 1, any_number, "factor on every row"),
      flag(&Learned::unit_rows, "unit_rows", false, "rows are divided by their length before they are used")};
  Index rows = 0;  // of positions -row_offset .. rows - 1

  Traits traits() const {
    return Traits()
        .claims(content_free | bounded | (max_length ? length_free : no_claims))
        .min_position(-row_offset)
        .max_position(static_cast<double>(rows - 1));
  }

  void prepare(const Model& m) { rows = max_length ? *max_length : m.train_length; }
  std::vector<Weight> weights(const Model& m) const {
    return {normal("table", {rows + row_offset, m.D}, init_std, "the vector of every position")};
  }

  template <class S>
  void encode(double position, Row<S> row, Weights<const S> w) const {
    const auto stored = w[0].row(row_of(position));
    const S factor = S(output_scale) / divisor<S>(stored);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = factor * stored[c];
  }

  // By a stored row x: factor * g, less, for unit rows, the part of it along x.
  template <class S>
  void encode_gradient(double position, Row<const S> gradient, Weights<const S> w, Weights<S> dw) const {
    const auto stored = w[0].row(row_of(position));
    const S size = divisor<S>(stored), factor = S(output_scale) / size;
    add_scaled(dw[0].row(row_of(position)), factor, gradient);
    if (unit_rows && size > S(shortest))
      add_scaled(dw[0].row(row_of(position)), -factor * dot(gradient, stored) / (size * size), stored);
  }

 private:
  Index row_of(double position) const { return static_cast<Index>(position) + row_offset; }
  // What a row is divided by: with unit rows its length, but at least `shortest`, so that a row of zeros stays one and
  // its gradient is moderate.
  static constexpr double shortest = 1e-4;
  template <class S>
  S divisor(const auto& stored) const {
    if (!unit_rows) return S(1);
    const S squares = dot(stored, stored);
    return squares > S(shortest * shortest) ? sqrt(squares) : S(shortest);
  }
};
POSLAB_SCHEME(Learned)
