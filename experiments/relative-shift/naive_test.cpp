// SPDX-License-Identifier: Apache-2.0
// All measures of relative-shift once more, by plain loops, on 1000 random small cases.
// Dimension letters: N positions, C contents, D model width, H heads, K head width.
#include <limits>
#include <map>

#include "catch.hpp"
#include "naive_scheme.hpp"
#include "small_cases.hpp"

namespace {

using namespace naive;
using poslab::data::Value;
using small_cases::Dice;
using small_cases::difference;

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double share(double a, double b) { return a == 0 && b == 0 ? 0 : a / b; }

// Rows of which only what a causal mask shows is left: n <= m.
Heads seen(Heads all) {
  for (Rows& head : all)
    for (std::size_t m = 0; m < head.size(); ++m) head[m].resize(m + 1);
  return all;
}

// Less the mean of each row.
Heads centred(Heads all) {
  for (Rows& head : all)
    for (Numbers& row : head) {
      double mean = 0;
      for (const double x : row) mean += x / static_cast<double>(row.size());
      for (double& x : row) x -= mean;
    }
  return all;
}

// The variance of every row, their mean.
double over_keys(const Heads& logits) {
  double sum = 0, rows = 0;
  for (const Rows& head : logits)
    for (const Numbers& row : head) {
      double mean = 0;
      for (const double x : row) mean += x / static_cast<double>(row.size());
      for (const double x : row) sum += (x - mean) * (x - mean) / static_cast<double>(row.size());
      rows += 1;
    }
  return sum / rows;
}

double mean_square(const Heads& all) {
  double sum = 0, count = 0;
  for (const Rows& head : all)
    for (const Numbers& row : head)
      for (const double x : row) sum += x * x, count += 1;
  return sum / count;
}

double largest(const Heads& all) {
  double most = 0;
  for (const Rows& head : all)
    for (const Numbers& row : head)
      for (const double x : row) most = std::max(most, std::abs(x));
  return most;
}

Heads less(Heads a, const Heads& b) {
  for (std::size_t h = 0; h < a.size(); ++h)
    for (std::size_t m = 0; m < a[h].size(); ++m)
      for (std::size_t n = 0; n < a[h][m].size(); ++n) a[h][m][n] -= b[h][m][n];
  return a;
}

Heads products(const Heads& a, const Heads& b, double scale) {
  Heads out(a.size(), Rows(a[0].size()));
  for (std::size_t h = 0; h < a.size(); ++h)
    for (std::size_t m = 0; m < a[h].size(); ++m)
      for (const Numbers& key : b[h]) out[h][m].push_back(scale * product(a[h][m], key));
  return out;
}

Heads sum(Heads a, const Heads& b, double sign = 1) {
  for (std::size_t h = 0; h < a.size(); ++h)
    for (std::size_t n = 0; n < a[h].size(); ++n)
      for (std::size_t k = 0; k < a[h][n].size(); ++k) a[h][n][k] += sign * b[h][n][k];
  return a;
}

class Measures {
 public:
  Measures(const cells::Cell& cell, const cells::Answer& answer)
      : cell_(cell),
        answer_(answer),
        of_(cell, cell.axes.integer("length")),
        sight_{of_,
               {cell.axes.integer("length"), cell.model.train_length, of_.scheme.mask() == host::Mask::causal_only}} {
    const auto C = cell.axes.integer("contents"), H = static_cast<Index>(of_.H), N = static_cast<Index>(of_.N),
               K = static_cast<Index>(of_.K);
    const Array<double> x = of_.draws.normal("query", {C, H, N, K}), y = of_.draws.normal("key", {C, H, N, K});
    std::size_t i = 0;
    for (Index c = 0; c < C; ++c) {
      Heads q(of_.H, filled(of_.N, of_.K, 0)), k = q;
      for (std::size_t h = 0; h < of_.H; ++h)
        for (std::size_t n = 0; n < of_.N; ++n)
          for (std::size_t a = 0; a < of_.K; ++a, ++i) q[h][n][a] = x.data()[i], k[h][n][a] = y.data()[i];
      queries_.push_back(q), keys_.push_back(k);
    }
  }

  void check_contents() const {
    const Heads now = in_sight(logits(of_.positions));
    Heads bare;
    for (std::size_t c = 0; c < queries_.size(); ++c)
      for (const Rows& head : products(queries_[c], keys_[c], of_.scheme.logit_scale())) bare.push_back(head);
    bare = in_sight(bare);
    const double added = rounded_off(std::sqrt(over_keys(less(now, bare))), now, bare);
    Numbers most, spread;
    for (const double shift : cell_.axes.list("shift")) {
      const Rows to = moved(shift);
      const Heads there = to.empty() ? Heads{} : in_sight(logits(to)), change = to.empty() ? Heads{} : less(there, now);
      most.push_back(to.empty() ? undefined : share(largest(centred(change)), std::sqrt(mean_square(now))));
      spread.push_back(to.empty() ? undefined : share(rounded_off(std::sqrt(over_keys(change)), there, now), added));
    }
    check("content_error", most);
    check("content_error_rms", spread);
    check("added", {share(added, std::sqrt(over_keys(bare)))});
  }

  void check_scores() const {
    const Heads now = scores(of_.positions);
    const double size = std::sqrt(mean_square(in_sight(now)));
    const bool after_only = of_.scheme.mask() == host::Mask::causal_only;
    Numbers errors, spread;
    for (const double shift : cell_.axes.list("shift")) {
      const Rows to = moved(shift);
      errors.push_back(to.empty() ? undefined : share(largest(centred(in_sight(less(scores(to), now)))), size));
    }
    const auto N = static_cast<Index>(of_.N);
    double residual = 0;
    for (Index r = 1 - N; r < N; ++r) {
      double widest = 0;
      for (const Rows& head : now) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (Index m = std::max<Index>(0, r); m < std::min(N, N + r); ++m) {
          const double score = head[static_cast<std::size_t>(m)][static_cast<std::size_t>(m - r)];
          low = std::min(low, score), high = std::max(high, score);
        }
        widest = std::max(widest, high - low);
      }
      spread.push_back(after_only && r < 0 ? undefined : widest);
      if (!std::isnan(spread.back())) residual = std::max(residual, widest);
    }
    check("position_error", errors);
    check("position_spread", spread);
    check("toeplitz_residual", {residual});
    check("toeplitz_residual_relative", {share(residual, size)});
    check("position_score_rms", {size});
    check("toeplitz_residual_attended", {share(spread_of_seen(now), size)});
  }

  // One token after the other is another.
  void check_future() const {
    Numbers found;
    if (of_.has(Operation::score) && of_.scheme.mask() != host::Mask::bidirectional_only && of_.N > 1) {
      const Heads now = seen(logits(of_.positions));
      std::vector<Heads> queries = queries_, keys = keys_;
      for (std::vector<Heads>* contents : {&queries, &keys})
        for (Heads& content : *contents)
          for (Rows& head : content) head.back() = head.front();
      Heads change = centred(less(seen(logits(of_.positions, queries, keys)), now));
      for (Rows& head : change) head.pop_back();
      found = {share(largest(change), std::sqrt(mean_square(now)))};
    }
    check("future_error", found);
  }

  void check_shares() const {
    const bool is_additive = !of_.has(Operation::transform) && !of_.has(Operation::bias) &&
                             !of_.has(Operation::score) && !of_.has(Operation::mix);
    Numbers parts[3];
    if (is_additive && of_.N > 1) {
      const Heads code = split(sight_.codes(of_.positions), of_.H);
      double content = 0, cross = 0;
      for (std::size_t c = 0; c < queries_.size(); ++c) {
        content += over_keys(products(queries_[c], keys_[c], 1)) / static_cast<double>(queries_.size());
        cross += over_keys(less(products(queries_[c], code, 1), products(sum(code, code, -2), keys_[c], 1))) /
                 static_cast<double>(queries_.size());
      }
      const double position = over_keys(products(code, code, 1)), all = content + cross + position;
      parts[0] = {content / all}, parts[1] = {cross / all}, parts[2] = {position / all};
    }
    check("share_content", parts[0]);
    check("share_cross", parts[1]);
    check("share_position", parts[2]);
  }

  void check_composition() const {
    double worst = 0;
    for (std::size_t m = 0; m < of_.N && of_.has(Operation::transform); ++m)
      for (std::size_t n = m; n < of_.N; ++n)
        for (const Heads& content : queries_) {
          Heads first(of_.H);
          for (std::size_t h = 0; h < of_.H; ++h) first[h] = {content[h][0]};
          const host::Side side = of_.coded_side();
          const Heads there = sight_.transformed(side, {of_.positions[n]}, first),
                      at_once = sight_.transformed(side, {{static_cast<double>(n - m)}}, first),
                      turned_back = side == host::Side::value
                                        ? sight_.transformed(host::Side::output, {of_.positions[m]}, there)
                                        : Heads{};
          for (std::size_t h = 0; h < of_.H; ++h) {
            const Numbers again = turned_back.empty() ? back(m, there[h][0], h) : turned_back[h][0];
            worst = std::max(worst, distance(again, at_once[h][0]) / norm(first[h][0]));
          }
        }
    check("composition_error", of_.has(Operation::transform) ? Numbers{worst} : Numbers{});
  }

  // Whether there was a map to fit.
  bool check_linear_map() const {
    const std::vector<double> steps = cell_.axes.list("step");
    const auto farthest = static_cast<std::size_t>(steps.back());
    const bool is_plain = cell_.placement.is_plain();
    const std::size_t usable = !is_plain ? of_.N : of_.N > farthest ? of_.N - farthest : 0;
    Numbers residuals;
    if ((usable + 1) / 2 >= 2 * of_.D && (of_.has(Operation::encode) || of_.has(Operation::transform)))
      for (const double step : steps) residuals.push_back(residual(step, usable));
    check("linear_map_residual", residuals);
    return !residuals.empty();
  }

 private:
  void check(const char* measure, const Numbers& wanted) const {
    REQUIRE(difference(cell_, answer_, measure, wanted) == "");
  }

  Heads in_sight(const Heads& all) const { return of_.scheme.mask() == host::Mask::causal_only ? seen(all) : all; }

  // 0 where it may be the rounding of these logits.
  static double rounded_off(double spread, const Heads& a, const Heads& b) {
    return spread <= 0x1p-46 * std::max(largest(a), largest(b)) ? 0 : spread;
  }

  double spread_of_seen(Heads scores) const {
    for (Rows& head : scores)
      for (std::size_t m = 0; m < head.size(); ++m) {
        const double own = head[m][m];
        for (double& score : head[m]) score -= own;
      }
    std::map<std::pair<std::size_t, Index>, std::pair<double, double>> extremes;
    const Heads all = in_sight(scores);
    for (std::size_t h = 0; h < all.size(); ++h)
      for (std::size_t m = 0; m < all[h].size(); ++m)
        for (std::size_t n = 0; n < all[h][m].size(); ++n) {
          const double x = all[h][m][n];
          const auto offset = static_cast<Index>(m) - static_cast<Index>(n);
          auto& [low, high] = extremes.try_emplace({h, offset}, x, x).first->second;
          low = std::min(low, x), high = std::max(high, x);
        }
    double widest = 0;
    for (const auto& [where, extreme] : extremes) widest = std::max(widest, extreme.second - extreme.first);
    return widest;
  }

  // Empty where the scheme does not serve all of them.
  Rows moved(double shift) const {
    Rows to = of_.positions;
    for (Numbers& position : to) position[0] += shift;
    return !of_.scheme.why_not_positions(to.front()[0], to.back()[0]) ? to : Rows{};
  }

  // The logits of all contents: [C H][N][N]
  Heads logits(const Rows& positions) const { return logits(positions, queries_, keys_); }
  Heads logits(const Rows& positions, const std::vector<Heads>& queries, const std::vector<Heads>& keys) const {
    Heads all;
    const Heads code = split(sight_.codes(positions), of_.H);
    for (std::size_t c = 0; c < queries.size(); ++c) {
      const Heads q = sum(queries[c], code), k = sum(keys[c], code);
      for (const Rows& head :
           sight_.logits(positions, sight_.transformed(host::Side::query, positions, q),
                         sight_.transformed(host::Side::key, positions, k), join(q), of_.scheme.logit_scale()))
        all.push_back(head);
    }
    return all;
  }

  Heads scores(const Rows& positions) const {
    if (of_.has(Operation::encode)) {
      const Rows code = sight_.codes(positions);
      return products({code}, {code}, 1);
    }
    const Heads ones(of_.H, filled(of_.N, of_.K, 1));
    return sight_.logits(positions, sight_.transformed(host::Side::query, positions, ones),
                         sight_.transformed(host::Side::key, positions, ones), filled(of_.N, of_.D, 1), 1);
  }

  // T_m^T y: its number a is <T_m e_a, y>.
  Numbers back(std::size_t m, const Numbers& y, std::size_t h) const {
    Numbers out;
    for (std::size_t a = 0; a < of_.K; ++a) {
      Heads unit(of_.H, filled(1, of_.K, 0));
      unit[h][0][a] = 1;
      out.push_back(product(sight_.transformed(host::Side::query, {of_.positions[m]}, unit)[h][0], y));
    }
    return out;
  }

  Rows signatures(const Rows& positions) const {
    if (of_.has(Operation::encode)) return sight_.codes(positions);
    return join(sight_.transformed(of_.coded_side(), positions, Heads(of_.H, filled(positions.size(), of_.K, 1))));
  }

  // The minimum-norm map of even rows to those a step further, and what it leaves of the odd ones. The columns of X are
  // rotated against each other until they are orthogonal (Hestenes 1958): X V = U S, so M = V S^-2 (X V)^T Y.
  double residual(double step, std::size_t usable) const {
    Rows ahead = of_.positions;
    for (Numbers& position : ahead) position[0] += step;
    const bool is_plain = cell_.placement.is_plain();
    if (!is_plain && of_.scheme.why_not_positions(ahead.back()[0], ahead.back()[0])) return undefined;
    const Rows from = signatures(of_.positions), to = is_plain ? from : signatures(ahead);
    const std::size_t further = is_plain ? static_cast<std::size_t>(step) : 0, D = of_.D;
    Rows X, Y, V = filled(D, D, 0), M = V;
    for (std::size_t p = 0; p < usable; p += 2) X.push_back(from[p]), Y.push_back(to[p + further]);
    for (std::size_t i = 0; i < D; ++i) V[i][i] = 1;
    const auto columns = [&](std::size_t i, std::size_t j) {
      double sum = 0;
      for (const Numbers& row : X) sum += row[i] * row[j];
      return sum;
    };
    for (int sweep = 0; sweep < 30; ++sweep)
      for (std::size_t i = 0; i < D; ++i)
        for (std::size_t j = i + 1; j < D; ++j) {
          const double angle = 0.5 * std::atan2(2 * columns(i, j), columns(i, i) - columns(j, j));
          for (Rows* rows : {&X, &V})
            for (Numbers& row : *rows) {
              const double a = row[i], b = row[j];
              row[i] = std::cos(angle) * a + std::sin(angle) * b, row[j] = std::cos(angle) * b - std::sin(angle) * a;
            }
        }
    double greatest = 0;
    for (std::size_t i = 0; i < D; ++i) greatest = std::max(greatest, columns(i, i));
    for (std::size_t i = 0; i < D; ++i)
      for (std::size_t e = 0; e < D && columns(i, i) > 1e-24 * greatest; ++e) {
        double along = 0;
        for (std::size_t r = 0; r < X.size(); ++r) along += X[r][i] * Y[r][e];
        for (std::size_t d = 0; d < D; ++d) M[d][e] += V[d][i] * along / columns(i, i);
      }
    double wrong = 0, all = 0;
    for (std::size_t p = 1; p < usable; p += 2)
      for (std::size_t e = 0; e < D; ++e) {
        double predicted = 0;
        for (std::size_t d = 0; d < D; ++d) predicted += from[p][d] * M[d][e];
        wrong += std::pow(to[p + further][e] - predicted, 2), all += std::pow(to[p + further][e], 2);
      }
    return share(std::sqrt(wrong), std::sqrt(all));
  }

  const cells::Cell& cell_;
  const cells::Answer& answer_;
  const Subject of_;
  const Sight sight_;
  std::vector<Heads> queries_, keys_;  // of each content
};

}  // namespace

TEST_CASE("relative shift by plain loops, 1000 small cases") {
  Dice dice("relative shift");
  const auto draw = [&] {
    cells::Cell cell = dice.cell("relative-shift", "length", 9, 2);
    if (dice.between(0, 2) == 0) {  // room for a linear map
      cell.model.model_width = 2, cell.model.heads = 1;
      cell.axes.set("length", Value(dice.between(8, 12)));
    }
    cell.axes.set("contents", Value(dice.between(1, 2)));
    cell.axes.set("shift", Value(Numbers{1, static_cast<double>(dice.between(2, 40))}));
    cell.axes.set("step", Value(dice.between(0, 1) == 0 ? Numbers{1} : Numbers{1, 2}));
    return cell;
  };
  int maps = 0;
  small_cases::for_1000(draw, [&](const cells::Cell& cell, const cells::Answer& answer) {
    const Measures measures(cell, answer);
    measures.check_contents();
    measures.check_scores();
    measures.check_future();
    measures.check_shares();
    measures.check_composition();
    maps += measures.check_linear_map();
  });
  CHECK(maps > check::thousand / 20);
}
