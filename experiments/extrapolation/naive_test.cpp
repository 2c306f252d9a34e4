// SPDX-License-Identifier: Apache-2.0
// All measures of extrapolation once more, by plain loops, on 1000 random small cases.
// Dimension letters: L trained length, N positions of a context, D model width, H heads.
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "catch.hpp"
#include "naive_scheme.hpp"
#include "naive_uniqueness.hpp"
#include "small_cases.hpp"

namespace {

using namespace naive;
using poslab::data::Value;
using small_cases::Dice;
using small_cases::difference;

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double share(double a, double b) { return a == 0 && b == 0 ? 0 : a / b; }

// What the queries of one context see.
struct Course {
  Numbers mean, less_own, window;  // of each query over heads; of the logits less that for its own key
  std::vector<Numbers> logits;     // that each sees, all heads
  Numbers squares;                 // of these, less the mean of their head
};

class Measures {
 public:
  Measures(const cells::Cell& cell, const cells::Answer& answer)
      : cell_(cell), answer_(answer), L_(cell.axes.integer("train_length")), of_(cell, 1) {
    for (const double multiple : cell.axes.list("multiple")) contexts_.push_back(static_cast<Index>(multiple) * L_);
    std::set<Index> positions;
    const Index step = std::max<Index>(1, L_ / cell.axes.integer("points"));
    for (Index p = 0; p < contexts_.back(); p += step) positions.insert(p);
    for (const Index length : contexts_) positions.insert(length - 1);
    measured_ = {positions.begin(), positions.end()};
  }

  void check_codes() const {
    Numbers defined, novelty, change;
    for (const Index p : measured_) defined.push_back(is_served(p) ? 1 : 0);
    const Rows trained = codes(L_);
    double squares = 0;
    for (std::size_t q = 1; q < trained.size(); ++q) squares += std::pow(distance(trained[q], trained[q - 1]), 2);
    const double unit = L_ > 1 ? std::sqrt(squares / static_cast<double>(L_ - 1)) : 0;
    const auto in_steps = [&](double apart) { return apart == 0 ? 0 : unit > 0 ? apart / unit : undefined; };
    for (const Index p : measured_) {
      if (!is_served(p)) {
        novelty.push_back(undefined);
        continue;
      }
      double nearest = std::numeric_limits<double>::infinity();
      const Rows here = levelled(codes(context_of(p)), trained);
      for (const Numbers& code : trained)
        nearest = std::min(nearest, distance(here[static_cast<std::size_t>(p)], code));
      novelty.push_back(in_steps(rounded_off(nearest, here)));
    }
    for (const Index length : contexts_) {
      const Rows longer = levelled(codes(length), trained);
      double moved = 0;
      for (std::size_t p = 0; p < trained.size(); ++p)
        moved += std::pow(distance(longer[p], trained[p]), 2) / static_cast<double>(L_);
      change.push_back(is_served(length - 1) ? in_steps(rounded_off(std::sqrt(moved), longer)) : undefined);
    }
    check("defined", defined);
    check("novelty", novelty);
    check("context_change", change);
  }

  // Declared, or those by which T_1 e and T_0 e lie apart: a plane rotates two unit vectors e of each head.
  void check_planes() const {
    const auto declared = of_.scheme.inverse_frequency();
    const bool is_measured = declared.empty() && of_.has(Operation::transform);
    Numbers angles(declared.begin(), declared.end());
    const Sight sight{of_, {L_, L_, true}};
    for (std::size_t i = 0; i < of_.D && is_measured; ++i) {
      Heads unit(of_.H, filled(1, of_.K, 0));
      unit[i / of_.K][0][i % of_.K] = 1;
      const Numbers zero = sight.transformed(of_.coded_side(), {{0}}, unit)[i / of_.K][0],
                    one = sight.transformed(of_.coded_side(), {{1}}, unit)[i / of_.K][0];
      double across = 0;
      for (std::size_t a = 0; a < of_.K; ++a)
        for (std::size_t b = 0; b < a; ++b) across += std::pow(zero[a] * one[b] - zero[b] * one[a], 2);
      angles.push_back(std::atan2(std::sqrt(across), product(zero, one)));
    }
    double rotating = 0, slow = 0;
    for (const double angle : angles) {
      rotating += std::abs(angle) > 1e-12;
      slow += std::abs(angle) > 1e-12 && std::abs(angle) * static_cast<double>(L_) < 2 * std::numbers::pi;
    }
    const bool known = !declared.empty() || is_measured || !of_.acts();
    check("unseen_planes", known ? Numbers{is_measured ? slow / static_cast<double>(2 * of_.H) : slow} : Numbers{});
    check("unseen_phase", known ? Numbers{rotating > 0 ? slow / rotating : 0} : Numbers{});
  }

  void check_attention() const {
    const auto N = contexts_.back(), D = static_cast<Index>(of_.D);
    const Rows x = unpacked(of_.draws.normal("query", {N, D})), y = unpacked(of_.draws.normal("key", {N, D})),
               equal(static_cast<std::size_t>(N), unpacked(of_.draws.normal("equal", {1, D}))[0]);
    const auto [drift, window, deviation] = follow(x, y, true);
    const auto [drift_none, unused, of_none] = follow(x, y, false);
    Numbers excess;
    for (std::size_t i = 0; i < drift.size(); ++i) excess.push_back(drift[i] - drift_none[i]);
    check("logit_drift", drift);
    check("logit_drift_none", drift_none);
    check("logit_drift_excess", excess);
    check("equal_drift", drift_less_own(equal, deviation));
    check("effective_window", window);
  }

  // Weights that nothing trained depends on, found by moving each of them far, both ways. Returns whether there were
  // any.
  bool check_untrained() {
    Numbers shares;
    for (const Index p : measured_) shares.push_back(is_served(p) ? 0 : undefined);
    std::vector<Array<double>> drawn;
    auto& arrays = of_.weights.arrays();
    for (std::size_t w = 0; w < arrays.size(); ++w) {
      const host::WeightInfo& info = of_.scheme.weights()[w];
      drawn.push_back(arrays[w][0].copy());
      if (info.initialisation == POSLAB_CONSTANT && info.first == 0 && !info.frozen)
        disturb(arrays[w][0], "general point of " + info.name, 0.1, std::vector<bool>(count(w), true));
    }
    const Rows trained = codes(L_), tested = tested_codes();
    bool found = false;
    for (std::size_t w = 0; w < arrays.size(); ++w) {
      const host::WeightInfo& info = of_.scheme.weights()[w];
      if (info.frozen) continue;
      std::vector<bool> untrained(count(w)), others(count(w));
      for (std::size_t i = 0; i < count(w); ++i) {
        double& weight = arrays[w][0].data()[i];
        const double before = weight;
        bool moves = false;
        for (const double step : {10.0, -10.0}) {
          weight = before + step;
          moves |= codes(L_) != trained;
        }
        weight = before;
        untrained[i] = !moves, others[i] = moves;
      }
      // Units of a network may be silent one by one, and not together: then they count as trained.
      if (largest(changes(w, untrained, trained, [&] { return codes(L_); })) > 0) continue;
      const auto again = [&] { return tested_codes(); };
      const Numbers u = changes(w, untrained, tested, again), t = changes(w, others, tested, again);
      std::size_t next = 0;
      for (double& one : shares) {
        if (std::isnan(one)) continue;
        one = std::max(one, share(u[next], u[next] + t[next]));
        found |= one > 0, ++next;
      }
    }
    for (std::size_t w = 0; w < arrays.size(); ++w) std::swap(arrays[w][0], drawn[w]);
    check("untrained", shares);
    return found;
  }

 private:
  void check(const char* measure, const Numbers& wanted) const {
    REQUIRE(difference(cell_, answer_, measure, wanted) == "");
  }
  bool is_served(Index p) const { return static_cast<double>(p) <= of_.scheme.highest_position(); }
  Index context_of(Index p) const {
    std::size_t i = 0;
    while (contexts_[i] <= p) ++i;
    return contexts_[i];
  }
  std::size_t count(std::size_t w) const { return of_.weights.arrays()[w][0].flat().size(); }

  // Less what the context adds for all keys of a query alike: on average as in training. Of what meets no key, that is
  // the bias of each head and, of a score, what it makes of each of K numbers of a query.
  Rows levelled(Rows codes, const Rows& trained) const {
    const std::size_t columns = !of_offsets() ? 0 : of_.has(Operation::score) ? of_.H * (1 + of_.K) : of_.H;
    for (std::size_t c = 0; c < columns; ++c) {
      double level = 0;
      for (std::size_t p = 0; p < trained.size(); ++p) level += (codes[p][c] - trained[p][c]) / static_cast<double>(L_);
      for (Numbers& code : codes) code[c] -= level;
    }
    return codes;
  }
  double rounded_off(double apart, const Rows& codes) const {
    double size = 0;
    for (const Numbers& code : codes) size = std::max(size, norm(code));
    return apart <= 1e-14 * size && of_offsets() ? 0 : apart;
  }
  bool of_offsets() const { return of_.acts() && !of_.has(Operation::encode) && !of_.has(Operation::transform); }

  // The positions of a context that are served: [N][1].
  Rows served(Index length) const {
    Rows positions;
    for (Index p = 0; p < length && is_served(p); ++p) positions.push_back({static_cast<double>(p)});
    return positions;
  }

  // The codes in a context of that length.
  Rows codes(Index length) const {
    of_.positions = served(length), of_.N = of_.positions.size();
    const Sight sight{of_, {length, L_, true}};
    return of_offsets() ? uniqueness::offset_codes(sight, of_.N - 1) : uniqueness::position_codes(sight);
  }
  Rows tested_codes() const {
    Rows rows;
    for (const Index p : measured_)
      if (is_served(p)) rows.push_back(codes(context_of(p))[static_cast<std::size_t>(p)]);
    return rows;
  }

  void disturb(Array<double>& array, const std::string& purpose, double size, const std::vector<bool>& wanted) const {
    const Array<double> drawn = of_.draws.normal(purpose, {array.size()});
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i]) array.data()[i] += size * drawn.data()[i];
  }
  static double largest(const Numbers& numbers) { return *std::max_element(numbers.begin(), numbers.end()); }
  // Squared changes of rows, which `again` makes once more with other weights.
  template <class Again>
  Numbers changes(std::size_t w, const std::vector<bool>& wanted, const Rows& before_it, const Again& again) {
    Numbers squares(before_it.size(), 0.0);
    Array<double>& array = of_.weights.arrays()[w][0];
    for (const double size : {10.0, -10.0}) {
      Array<double> before = array.copy();
      disturb(array, "other " + of_.scheme.weights()[w].name, size, wanted);
      const Rows now = again();
      for (std::size_t i = 0; i < now.size(); ++i) squares[i] += std::pow(distance(now[i], before_it[i]), 2);
      std::swap(before, array);
    }
    return squares;
  }

  Course course(Index length, const Rows& x, const Rows& y, bool with_positions) const {
    const Rows positions = served(length);
    const Sight sight{of_, {length, L_, true}};
    const double usual = 1 / std::sqrt(static_cast<double>(of_.K)),
                 own = with_positions ? of_.scheme.logit_scale() : usual;
    Rows q = filled(positions.size(), of_.D, 0), k = q;
    const Rows code = with_positions ? sight.codes(positions) : q;
    for (std::size_t n = 0; n < positions.size(); ++n)
      for (std::size_t c = 0; c < of_.D; ++c)
        q[n][c] = usual / own * (x[n][c] + code[n][c]), k[n][c] = y[n][c] + code[n][c];
    Heads queries = split(q, of_.H), keys = split(k, of_.H),
          logits(of_.H, filled(positions.size(), positions.size(), 0));
    if (with_positions) {
      queries = sight.transformed(host::Side::query, positions, queries);
      keys = sight.transformed(host::Side::key, positions, keys);
      logits = sight.logits(positions, queries, keys, k, own);
    } else {
      for (std::size_t h = 0; h < of_.H; ++h)
        for (std::size_t m = 0; m < positions.size(); ++m)
          for (std::size_t n = 0; n < positions.size(); ++n) logits[h][m][n] = own * product(queries[h][m], keys[h][n]);
    }
    Course out;
    for (std::size_t m = 0; m < positions.size(); ++m) {
      double mean = 0, window = 0, less_own = 0, squares = 0;
      Numbers all;
      for (std::size_t h = 0; h < of_.H; ++h) {
        Numbers weights;
        double sum = 0, held = 0, of_head = 0;
        for (std::size_t n = 0; n <= m; ++n) of_head += logits[h][m][n] / static_cast<double>(m + 1);
        for (std::size_t n = 0; n <= m; ++n) squares += std::pow(logits[h][m][n] - of_head, 2);
        less_own += (of_head - logits[h][m][m]) / static_cast<double>(of_.H);
        for (std::size_t n = 0; n <= m; ++n) {
          all.push_back(logits[h][m][n]);
          mean += logits[h][m][n] / static_cast<double>((m + 1) * of_.H);
          weights.push_back(std::exp(logits[h][m][n]));
          sum += weights.back();
        }
        std::sort(weights.rbegin(), weights.rend());
        for (std::size_t i = 0; held < 0.9 * sum * (1 - 1e-12); ++i) held += weights[i], window += 1;
      }
      out.mean.push_back(mean), out.window.push_back(window / static_cast<double>(of_.H)), out.logits.push_back(all);
      out.less_own.push_back(less_own), out.squares.push_back(squares);
    }
    return out;
  }

  // Drifts, windows, and by how much logits deviate from the means of their queries in training.
  std::tuple<Numbers, Numbers, double> follow(const Rows& x, const Rows& y, bool with_positions) const {
    const Course trained = course(L_, x, y, with_positions);
    double mean = 0, count = 0, squares = 0, of_keys = 0;
    for (const Numbers& row : trained.logits)
      for (const double logit : row) mean += logit, count += 1;
    mean /= count;
    for (const Numbers& row : trained.logits)
      for (const double logit : row) squares += (logit - mean) * (logit - mean);
    for (const double one : trained.squares) of_keys += one / count;
    Numbers drift, window;
    for (const Index p : measured_) {
      const Course here = is_served(p) ? course(context_of(p), x, y, with_positions) : Course{};
      const auto at = static_cast<std::size_t>(p);
      drift.push_back(is_served(p) ? share(here.mean[at] - mean, std::sqrt(squares / count)) : undefined);
      window.push_back(is_served(p) ? here.window[at] : undefined);
    }
    return {drift, window, std::sqrt(of_keys)};
  }

  // The drift of equal tokens, over `deviation`.
  Numbers drift_less_own(const Rows& equal, double deviation) const {
    const Course trained = course(L_, equal, equal, true);
    double mean = 0, count = 0;
    for (std::size_t m = 0; m < trained.less_own.size(); ++m) {
      const auto keys = static_cast<double>(m + 1);
      mean += keys * trained.less_own[m], count += keys;
    }
    Numbers drift;
    for (const Index p : measured_)
      drift.push_back(
          L_ == 1 || !is_served(p)
              ? undefined
              : (course(context_of(p), equal, equal, true).less_own[static_cast<std::size_t>(p)] - mean / count) /
                    deviation);
    return drift;
  }

  const cells::Cell& cell_;
  const cells::Answer& answer_;
  Index L_;
  mutable Subject of_;  // its positions are those of the context that is looked at
  std::vector<Index> contexts_, measured_;
};

}  // namespace

TEST_CASE("extrapolation by plain loops, 1000 small cases") {
  Dice dice("extrapolation");
  const auto draw = [&] {
    cells::Cell cell = dice.cell("extrapolation", "train_length", 4, 2);
    cell.axes.set("points", Value(dice.between(1, 4)));
    cell.axes.set("multiple", Value(dice.among<Numbers>({{1}, {1, 2}, {2}, {1, 3}, {1, 2, 4}})));
    return cell;
  };
  int untrained = 0;
  small_cases::for_1000(draw, [&](const cells::Cell& cell, const cells::Answer& answer) {
    Measures measures(cell, answer);
    measures.check_codes();
    measures.check_planes();
    measures.check_attention();
    if (answer.has("untrained")) untrained += measures.check_untrained();
  });
  CHECK(untrained > check::thousand / 20);
}
