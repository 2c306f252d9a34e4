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
      integer(&Learned::max_length, "max_length", unset, between(1, 1 << 24), "positions that have a row; unset: the train length").in("position"),
      real(&Learned::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial rows"),
      integer(&Learned::row_offset, "row_offset", 0, between(0, 1 << 20), "rows before the one of position 0, as in OPT and BART (2)"),
      real(&Learned::output_scale, "output_scale", 1, any_number, "factor on every row"),
      flag(&Learned::unit_rows, "unit_rows", false, "rows are divided by their length before they are used")};
  static constexpr auto claims = content_free | length_free | bounded;
  Index rows = 0;  // of positions -row_offset .. rows - 1

  void prepare(const Model& m) { rows = max_length ? *max_length : m.train_length; }
  std::vector<Weight> weights(const Model& m) const {
    return {normal("table", {rows + row_offset, m.D}, init_std, "the vector of every position")};
  }
  double min_position() const { return -row_offset; }
  double max_position() const { return static_cast<double>(rows - 1); }

  // What a row of the table is multiplied by.
  template <class S>
  S factor(Row<const S> stored) const {
    using std::sqrt;
    if (!unit_rows) return S(output_scale);
    S sum = S(0);
    for (const S& x : stored) sum += x * x;
    return S(output_scale) / sqrt(sum);
  }

  template <class S>
  void encode(double position, Row<S> row, Weights<const S> w) const {
    const Row<const S> stored = w[0].row(static_cast<Index>(position) + row_offset);
    const S by = factor<S>(stored);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = by * stored[c];
  }
};
POSLAB_SCHEME(Learned)
