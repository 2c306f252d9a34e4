// SPDX-License-Identifier: Apache-2.0
// All measures of distance-profile once more, by plain loops, on 1000 random small cases.
// Dimension letters: N positions, C contents, D model width, H heads, K head width.
#include <complex>
#include <limits>

#include "catch.hpp"
#include "naive_scheme.hpp"
#include "small_cases.hpp"

namespace {

using namespace naive;
using poslab::data::Value;
using small_cases::Dice;
using small_cases::difference;

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// One logit: of which content and head, at which distance, and how far positions move it beside that of the own key.
struct Pair {
  std::size_t content, head;
  Index distance;
  double logit, change;
};

double mean(const Numbers& numbers) {
  double sum = 0;
  for (const double x : numbers) sum += x;
  return sum / static_cast<double>(numbers.size());
}

double deviation(const Numbers& numbers) {
  double squares = 0;
  for (const double x : numbers) squares += std::pow(x - mean(numbers), 2);
  return std::sqrt(squares / static_cast<double>(numbers.size()));
}

double fall(const Numbers& curve) {
  Numbers far;
  for (std::size_t r = 0; r < curve.size(); ++r)
    if (2 * r >= curve.size()) far.push_back(curve[r]);
  return curve.size() < 2 ? undefined : curve[0] - mean(far);
}

class Measures {
 public:
  Measures(const cells::Cell& cell, const cells::Answer& answer)
      : cell_(cell),
        answer_(answer),
        both_(cell.axes.text("offsets") == "both"),
        of_(cell, cell.axes.integer("length")),
        sight_{of_, {cell.axes.integer("length"), cell.model.train_length, !both_}} {}

  void check_kind(const std::string& kind) const {
    const std::size_t C = kind == "ones" ? 1 : static_cast<std::size_t>(cell_.axes.integer("contents"));
    std::vector<Pair> pairs;
    for (std::size_t c = 0; c < C; ++c) add_pairs(kind, c, pairs);
    const auto check = [&](const std::string& measure, const Numbers& wanted) {
      REQUIRE(difference(cell_, answer_, measure + "_" + kind, wanted) == "");
    };
    Numbers means, deviations, head_means, head_deviations, lengths, falls_of_heads;
    const auto add = [&](int head, Numbers& of_mean, Numbers& of_deviation) {
      for (Index r = first(); r < tokens(); ++r) {
        Numbers logits;
        for (const Pair& pair : pairs)
          if (pair.distance == r && (head < 0 || pair.head == static_cast<std::size_t>(head)))
            logits.push_back(pair.logit);
        of_mean.push_back(mean(logits)), of_deviation.push_back(deviation(logits));
      }
    };
    add(-1, means, deviations);
    for (std::size_t h = 0; h < of_.H; ++h) {
      add(static_cast<int>(h), head_means, head_deviations);
      const Numbers of_head = changes(pairs, 0, [&](const Pair& pair) { return pair.head == h; });
      lengths.push_back(decay_length(of_head));
      falls_of_heads.push_back(fall(of_head));
    }
    check("mean", means);
    check("deviation", deviations);
    check("head_mean", head_means);
    check("head_deviation", head_deviations);
    check("head_decay_length", lengths);
    check("head_fall", falls_of_heads);
    const auto every = [](const Pair&) { return true; };
    check("change", changes(pairs, first(), every));
    const Numbers curve = changes(pairs, 0, every);
    check("fall", {fall(curve)});
    if (kind != "ones") {
      Numbers falls;
      for (std::size_t c = 0; c < C; ++c)
        falls.push_back(fall(changes(pairs, 0, [&](const Pair& pair) { return pair.content == c; })));
      const auto n = static_cast<double>(C);
      check("fall_error", {C < 2 ? undefined : deviation(falls) * std::sqrt(n / (n - 1)) / std::sqrt(n)});
    }
    double kept = 0, rise = undefined;
    for (std::size_t r = curve.size(); r-- > 1;) {
      const bool rises = curve[r] > curve[r - 1] + slack(curve);
      kept += rises ? 0 : 1;
      if (rises) rise = static_cast<double>(r - 1);
    }
    check("monotonicity", {curve.size() < 2 ? undefined : kept / static_cast<double>(curve.size() - 1)});
    check("first_rise", {rise});
    check("decay_length", {decay_length(curve)});
    check("asymmetry", both_ && of_.N > 1 ? Numbers{asymmetry(changes(pairs, first(), every))} : Numbers{});
    if (kind == "ones") check_attended(head_means);
  }

  // The angles of planes that are pairs of channels: |T_1 e - T_0 e| = 2 sin(angle / 2) for each of the two.
  void check_bound() const {
    Numbers bound;
    const bool is_rotation = (cell_.scheme == "rope" && cell_.parameters.find("scaling") == nullptr) ||
                             (cell_.scheme == "value-rope" && of_.scheme.transforms(host::Side::key));
    for (Index r = first(); r < tokens() && is_rotation; ++r) {
      double sum = 0;
      for (std::size_t h = 0; h < of_.H; ++h) {
        Numbers angles;
        for (std::size_t a = 0; a < of_.K; ++a) {
          Heads unit(of_.H, filled(1, of_.K, 0));
          unit[h][0][a] = 1;
          const double chord = distance(sight_.transformed(host::Side::key, {{1}}, unit)[h][0], unit[h][0]);
          angles.push_back(2 * std::asin(chord / 2));
        }
        std::sort(angles.rbegin(), angles.rend());
        std::complex<double> partial;
        for (std::size_t i = 0; i < angles.size(); i += 2) {
          partial += std::exp(std::complex<double>(0, static_cast<double>(r) * angles[i]));
          sum += std::abs(partial) / static_cast<double>(of_.K / 2 * of_.H);
        }
      }
      bound.push_back(sum);
    }
    if (is_rotation || cell_.scheme != "rope") REQUIRE(difference(cell_, answer_, "bound", bound) == "");
  }

 private:
  Index tokens() const { return static_cast<Index>(of_.N); }
  Index first() const { return both_ ? 1 - tokens() : 0; }

  // [H][N][K]
  Heads drawn(const std::string& purpose, std::size_t rows) const {
    const Array<double> x =
        rows == of_.N && purpose.find("equal") != 0
            ? of_.draws.normal(purpose, {static_cast<Index>(of_.H), tokens(), static_cast<Index>(of_.K)})
            : of_.draws.normal(purpose, {static_cast<Index>(of_.H), static_cast<Index>(of_.K)});
    Heads out(of_.H, filled(rows, of_.K, 0));
    std::size_t i = 0;
    for (Rows& head : out)
      for (Numbers& row : head)
        for (double& entry : row) entry = x.data()[i++];
    return out;
  }

  void add_pairs(const std::string& kind, std::size_t c, std::vector<Pair>& pairs) const {
    const std::string number = std::to_string(c);
    Heads q(of_.H, filled(of_.N, of_.K, 1)), k = q;
    if (kind == "random") q = drawn("query of content " + number, of_.N), k = drawn("key of content " + number, of_.N);
    if (kind == "equal") {
      const Heads one = drawn("equal content " + number, 1);
      for (std::size_t h = 0; h < of_.H; ++h)
        for (std::size_t n = 0; n < of_.N; ++n) q[h][n] = k[h][n] = one[h][0];
    }
    // The scale that a scheme leaves out of its logits is in its queries.
    const double usual = 1 / std::sqrt(static_cast<double>(of_.K)), own = of_.scheme.logit_scale();
    const Heads code = split(sight_.codes(of_.positions), of_.H);
    Heads coded_q = q, coded_k = k;
    for (std::size_t h = 0; h < of_.H; ++h)
      for (std::size_t n = 0; n < of_.N; ++n)
        for (std::size_t a = 0; a < of_.K; ++a) coded_q[h][n][a] += code[h][n][a], coded_k[h][n][a] += code[h][n][a];
    const Rows input = join(coded_q);
    for (Rows& head : coded_q)
      for (Numbers& row : head)
        for (double& entry : row) entry *= usual / own;
    const Heads logits = sight_.logits(of_.positions, sight_.transformed(host::Side::query, of_.positions, coded_q),
                                       sight_.transformed(host::Side::key, of_.positions, coded_k), input, own);
    for (std::size_t h = 0; h < of_.H; ++h)
      for (std::size_t m = 0; m < of_.N; ++m) {
        const auto moved = [&](std::size_t n) { return logits[h][m][n] - usual * product(q[h][m], k[h][n]); };
        for (std::size_t n = 0; n < of_.N; ++n)
          if (both_ || n <= m)
            pairs.push_back(
                {c, h, static_cast<Index>(m) - static_cast<Index>(n), logits[h][m][n], moved(n) - moved(m)});
      }
  }

  template <class Counts>
  Numbers changes(const std::vector<Pair>& pairs, Index from, const Counts& counts) const {
    Numbers curve;
    for (Index r = from; r < tokens(); ++r) {
      Numbers here;
      for (const Pair& pair : pairs)
        if (pair.distance == r && counts(pair)) here.push_back(pair.change);
      curve.push_back(mean(here));
    }
    return curve;
  }

  static double slack(const Numbers& curve) {
    double largest = 0;
    for (const double x : curve) largest = std::max(largest, std::abs(x));
    return 1e-9 * (1 + largest);
  }

  static double decay_length(const Numbers& curve) {
    for (std::size_t r = 1; r < curve.size(); ++r) {
      bool stays = true;
      for (std::size_t later = r; later < curve.size(); ++later) stays &= curve[later] <= curve[0] - 1 + slack(curve);
      if (stays) return static_cast<double>(r);
    }
    return undefined;
  }

  double asymmetry(const Numbers& curve) const {
    double squares = 0;
    for (std::size_t r = 1; r < of_.N; ++r) squares += std::pow(curve[of_.N - 1 + r] - curve[of_.N - 1 - r], 2);
    return std::sqrt(squares / static_cast<double>(of_.N - 1));
  }

  void check_attended(const Numbers& head_means) const {
    Numbers attended;
    for (std::size_t h = 0; h < of_.H; ++h) {
      double all = 0, distances = 0;
      for (Index r = 0; r < tokens(); ++r) {
        const double weight = std::exp(
            head_means[static_cast<std::size_t>((static_cast<Index>(h) + 1) * (tokens() - first()) - tokens() + r)]);
        all += weight, distances += weight * static_cast<double>(r);
      }
      attended.push_back(distances / all);
    }
    REQUIRE(difference(cell_, answer_, "attended_distance", attended) == "");
  }

  const cells::Cell& cell_;
  const cells::Answer& answer_;
  bool both_;
  const Subject of_;
  const Sight sight_;
};

}  // namespace

TEST_CASE("distance-profile by plain loops, 1000 small cases") {
  Dice dice("distance profile");
  const auto draw = [&] {
    cells::Cell cell = dice.cell("distance-profile", "length", 9);
    cell.axes.set("contents", Value(dice.between(1, 3)));
    cell.axes.set("offsets", Value(dice.among<std::string>({"causal", "both"})));
    return cell;
  };
  small_cases::for_1000(draw, [](const cells::Cell& cell, const cells::Answer& answer) {
    const Measures measures(cell, answer);
    for (const char* kind : {"random", "equal", "ones"}) measures.check_kind(kind);
    measures.check_bound();
  });
}
