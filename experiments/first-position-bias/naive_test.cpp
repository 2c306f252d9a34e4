// SPDX-License-Identifier: Apache-2.0
// The measures of first-position-bias but its gradients (gradient_test.cpp) once more, by plain loops over whole
// matrices, on 1000 random small cases.
// Dimension letters: N positions, D model width, H heads, K head width.
#include <limits>
#include <numbers>

#include "catch.hpp"
#include "first_position_bias_cells.hpp"
#include "naive_scheme.hpp"
#include "small_cases.hpp"

namespace {

using namespace naive;
using poslab::data::Value;
using small_cases::Dice;
using small_cases::difference;

Rows times(const Rows& a, const Rows& b) {
  Rows out = filled(a.size(), b[0].size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k) out[i][j] += a[i][k] * b[k][j];
  return out;
}

Rows with_residual(Rows a) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) a[i][j] = (a[i][j] + (i == j ? 1 : 0)) / 2;
  return a;
}

struct Curves {
  Numbers sink, context, residual_context;  // after 1, 2, ... layers
  Rows first_logits;                        // [H][N]: of the last query in the first layer
};

class Stack {
 public:
  Stack(const cells::Cell& cell, const Subject& of, bool with_positions)
      : cell_(cell), of_(of), with_positions_(with_positions) {}

  // Means over samples; logits of the first.
  Curves run(Index depth) const {
    const Index samples = cell_.axes.integer("samples");
    Curves all = run(depth, "content");
    for (Index sample = 1; sample < samples; ++sample) {
      const Curves one = run(depth, "content of sample " + std::to_string(sample));
      for (std::size_t t = 0; t < all.sink.size(); ++t)
        all.sink[t] += one.sink[t], all.context[t] += one.context[t],
            all.residual_context[t] += one.residual_context[t];
    }
    for (Numbers* shares : {&all.sink, &all.context, &all.residual_context})
      for (double& share : *shares) share /= static_cast<double>(samples);
    return all;
  }

 private:
  Curves run(Index depth, const std::string& content) const {
    const auto N = static_cast<Index>(of_.N), D = static_cast<Index>(of_.D);
    Rows x = unpacked(of_.draws.normal(content, {N, D})), F, G;
    if (with_positions_) {
      const Rows code = sight(0).codes(of_.positions);
      const bool sorts = of_.has(Operation::encode) && !of_.has(Operation::score);
      const std::vector<Index> order = first_position_bias_cells::sorted_channels(columns_of(code));
      for (std::size_t n = 0; n < of_.N; ++n)
        for (std::size_t c = 0; c < of_.D; ++c) x[n][c] += code[n][sorts ? static_cast<std::size_t>(order[c]) : c];
    }
    Curves curves;
    double sinks = 0;
    for (Index l = 0; l < depth; ++l) {
      const Heads A = layer(l, x, curves);
      Rows mean = filled(of_.N, of_.N, 0);
      for (const Rows& head : A)
        for (std::size_t i = 0; i < of_.N; ++i) {
          sinks += head[i][0] / static_cast<double>(of_.N * of_.H);
          for (std::size_t j = 0; j < of_.N; ++j) mean[i][j] += head[i][j] / static_cast<double>(of_.H);
        }
      F = l == 0 ? mean : times(mean, F);
      G = l == 0 ? with_residual(mean) : times(with_residual(mean), G);
      curves.sink.push_back(sinks / static_cast<double>(l + 1));
      curves.context.push_back(F.back()[0]);
      curves.residual_context.push_back(G.back()[0]);
    }
    return curves;
  }

  static Rows columns_of(const Rows& rows) {
    Rows columns(rows[0].size());
    for (const Numbers& row : rows)
      for (std::size_t c = 0; c < row.size(); ++c) columns[c].push_back(row[c]);
    return columns;
  }

  // Queries or keys with the channels of each head where the order puts those that were drawn.
  Heads in_order(const Heads& drawn, Index l) const {
    if (!of_.scheme.transforms(host::Side::query)) return drawn;
    const Heads ones = sight(l).transformed(host::Side::query, of_.positions, Heads(of_.H, filled(of_.N, of_.K, 1)));
    Heads out = drawn;
    for (std::size_t h = 0; h < of_.H; ++h) {
      const std::vector<Index> order = first_position_bias_cells::sorted_channels(columns_of(ones[h]));
      for (std::size_t i = 0; i < of_.N; ++i)
        for (std::size_t j = 0; j < of_.K; ++j) out[h][i][static_cast<std::size_t>(order[j])] = drawn[h][i][j];
    }
    return out;
  }

  Sight sight(Index l) const {
    const auto N = static_cast<Index>(of_.N);
    return {of_, {N, N, true}, l};
  }

  Heads projected(const Rows& z, const char* name, Index l, double factor) const {
    const auto D = static_cast<Index>(of_.D);
    Rows W = unpacked(of_.draws.normal(std::string(name) + " projection of layer " + std::to_string(l), {D, D}));
    for (Numbers& row : W)
      for (double& entry : row) entry *= factor / std::sqrt(static_cast<double>(D));
    return split(times(z, W), of_.H);
  }

  // The attention [H][N][N]; x becomes the layer's output.
  Heads layer(Index l, Rows& x, Curves& curves) const {
    Rows z = x;
    for (Numbers& row : z) {
      const double rms = norm(row) / std::sqrt(static_cast<double>(of_.D));
      for (double& entry : row) entry = rms > 0 ? entry / rms : 0;
    }
    const double usual = 1 / std::sqrt(static_cast<double>(of_.K)),
                 own = with_positions_ ? of_.scheme.logit_scale() : usual, gain = cell_.axes.real("query_gain");
    Heads q = projected(z, "query", l, gain * usual / own), k = projected(z, "key", l, 1);
    Heads v = projected(z, "value", l, 1);
    if (with_positions_) {
      q = sight(l).transformed(host::Side::query, of_.positions, in_order(q, l));
      k = sight(l).transformed(host::Side::key, of_.positions, in_order(k, l));
      v = sight(l).transformed(host::Side::value, of_.positions, v);
    }
    Heads A(of_.H, filled(of_.N, of_.N, 0)), out(of_.H, filled(of_.N, of_.K, 0));
    for (std::size_t i = 0; i < of_.N; ++i) {
      Rows logits(of_.H, Numbers(of_.N));
      for (std::size_t h = 0; h < of_.H; ++h)
        for (std::size_t j = 0; j < of_.N; ++j) logits[h][j] = own * product(q[h][i], k[h][j]);
      if (with_positions_) logits = sight(l).logits_of(i, of_.positions, q, k, z, own);
      if (l == 0 && i + 1 == of_.N) curves.first_logits = logits;
      for (std::size_t h = 0; h < of_.H; ++h) {
        double sum = 0;
        for (std::size_t j = 0; j <= i; ++j) sum += A[h][i][j] = std::exp(logits[h][j]);
        for (std::size_t j = 0; j <= i; ++j) {
          A[h][i][j] /= sum;
          for (std::size_t a = 0; a < of_.K; ++a) out[h][i][a] += A[h][i][j] * v[h][j][a];
        }
      }
      if (with_positions_ && of_.has(Operation::mix)) mix(l, i, A, out);
    }
    if (with_positions_) out = sight(l).transformed(host::Side::output, of_.positions, out);
    const Rows added = join(out);
    for (std::size_t n = 0; n < of_.N; ++n)
      for (std::size_t c = 0; c < of_.D; ++c) x[n][c] = (cell_.axes.flag("residual") ? x[n][c] : 0) + added[n][c];
    return A;
  }

  // The values that a scheme adds to the output of the query i.
  void mix(Index l, std::size_t i, const Heads& A, Heads& out) const {
    Heads rows(of_.H), at(of_.H);
    for (std::size_t h = 0; h < of_.H; ++h) rows[h] = {A[h][i]}, at[h] = {out[h][i]};
    Array<double> mixed = packed(at);
    const Array<double> here = packed({of_.positions[i]}, 1), all = packed(of_.positions, 1), attention = packed(rows);
    of_.scheme.mix<double>(sight(l).context, {here, all, static_cast<Index>(i)}, attention, sight(l).weights(), mixed,
                           l);
    for (std::size_t h = 0; h < of_.H; ++h)
      for (std::size_t a = 0; a < of_.K; ++a) out[h][i][a] = mixed.data()[h * of_.K + a];
  }

  const cells::Cell& cell_;
  const Subject& of_;
  bool with_positions_;
};

// By the normal equations of a straight line over distances.
Numbers decays(const Rows& logits, const Rows& none) {
  Numbers out;
  for (std::size_t h = 0; h < logits.size(); ++h) {
    const std::size_t N = logits[h].size();
    double n = 0, d = 0, c = 0, dd = 0, dc = 0;
    for (std::size_t j = 0; j < N; ++j) {
      const double distance = static_cast<double>(N - 1 - j), change = logits[h][j] - none[h][j];
      n += 1, d += distance, c += change, dd += distance * distance, dc += distance * change;
    }
    out.push_back(N > 1 ? -(n * dc - d * c) / (n * dd - d * d) : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

// P(Z <= z) of a normal number, by the series of the error function.
double normal_below(double z) {
  double term = z / std::sqrt(2 * std::numbers::pi), sum = 0;
  for (int n = 0; n < 60; ++n) {
    sum += term / (2 * n + 1);
    term *= -z * z / 2 / (n + 1);
  }
  return 0.5 + sum;
}

struct Check {
  const cells::Cell& cell;
  const cells::Answer& answer;
  void operator()(const std::string& measure, const Numbers& wanted) const {
    REQUIRE(difference(cell, answer, measure, wanted) == "");
  }

  void exposure(const Subject& of) const {
    const auto N = static_cast<double>(of.N);
    const Index sequences = cell.axes.integer("sequences");
    const bool is_uniform = cell.axes.text("lengths") == "uniform";
    const auto stream = of.draws.contents("lengths", {sequences});
    Numbers expected, drawn;
    for (double p = 0; p < N; ++p) {
      const double shorter = is_uniform ? p / N : p == 0 ? 0 : normal_below(std::log(p) - std::log(N / 4));
      expected.push_back(static_cast<double>(sequences) * (1 - shorter));
      double longer = 0;
      for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(sequences); ++i) {
        const double length = is_uniform ? 1 + static_cast<double>(stream.below(i, of.N))
                                         : std::min(N, std::ceil(N / 4 * std::exp(stream.normal(i))));
        longer += length > p || p == 0;
      }
      drawn.push_back(longer);
    }
    const bool is_plain = cell.placement.is_plain();
    (*this)("exposure", is_plain ? expected : Numbers{});
    (*this)("exposure_drawn", is_plain ? drawn : Numbers{});
  }

  void shares(const std::string& name, const Numbers& scheme, const Numbers& none, Rows M) const {
    Numbers of_mask, excess;
    Rows power = M;
    for (std::size_t t = 0; t < scheme.size(); ++t, power = times(M, power)) {
      of_mask.push_back(power.back()[0]);
      excess.push_back(std::log(scheme[t] / none[t]));
    }
    (*this)(name, scheme);
    (*this)(name + "_none", none);
    (*this)(name + "_mask", of_mask);
    (*this)(name + "_log_excess", excess);
  }
};

}  // namespace

TEST_CASE("first-position-bias by plain loops, 1000 small cases") {
  Dice dice("first-position bias");
  const auto draw = [&] {
    cells::Cell cell = dice.cell("first-position-bias", "length", 9);
    cell.axes.set("query_gain", Value(dice.real(0, 2)));
    cell.axes.set("samples", Value(dice.between(1, 3)));
    cell.axes.set("residual", Value(dice.between(0, 1) == 1));
    cell.axes.set("lengths", Value(dice.among<std::string>({"uniform", "log-normal"})));
    cell.axes.set("sequences", Value(dice.between(1, 30)));
    cell.axes.set("depth", Value(dice.among<Numbers>({{1}, {1, 2}, {1, 2, 3}})));
    return cell;
  };
  small_cases::for_1000(draw, [](const cells::Cell& cell, const cells::Answer& answer) {
    const auto depth = static_cast<Index>(cell.axes.list("depth").size());
    const Subject of(cell, cell.axes.integer("length"), depth);
    const Curves none = Stack(cell, of, false).run(depth), scheme = Stack(cell, of, true).run(depth);
    Rows M = filled(of.N, of.N, 0);
    double mask = 0;
    for (std::size_t i = 0; i < of.N; ++i) {
      for (std::size_t j = 0; j <= i; ++j) M[i][j] = 1 / static_cast<double>(i + 1);
      mask += M[i][0] / static_cast<double>(of.N);
    }
    const Check check{cell, answer};
    check("sink_share", scheme.sink);
    check("sink_share_none", none.sink);
    check("sink_share_mask", {mask});
    check.shares("context_share", scheme.context, none.context, M);
    check.shares("residual_context_share", scheme.residual_context, none.residual_context, with_residual(M));
    check("decay", decays(scheme.first_logits, none.first_logits));
    check.exposure(of);
    if (!answer.has("gradient_share")) return;
    Numbers excess;
    for (std::size_t t = 0; t < none.sink.size(); ++t)
      excess.push_back(answer.curve("gradient_share")[t] > 0 && answer.curve("gradient_share_none")[t] > 0
                           ? std::log(answer.curve("gradient_share")[t] / answer.curve("gradient_share_none")[t])
                           : std::nan(""));
    check("gradient_share_log_excess", excess);
  });
}
