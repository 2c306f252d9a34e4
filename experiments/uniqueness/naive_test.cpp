// SPDX-License-Identifier: Apache-2.0
// All measures of uniqueness once more, by plain loops, on 1000 random small cases.
// Dimension letters: N codes, M sampled ones, C contents, H heads.
#include "catch.hpp"
#include "naive_uniqueness.hpp"
#include "small_cases.hpp"

namespace {

using namespace naive;
using namespace naive::uniqueness;
using poslab::data::Value;
using small_cases::Dice;
using small_cases::difference;

struct Check {
  const cells::Cell& cell;
  const cells::Answer& answer;
  void operator()(const char* measure, const Numbers& wanted) const {
    REQUIRE(difference(cell, answer, measure, wanted) == "");
  }
  void operator()(const char* measure, double wanted) const { (*this)(measure, Numbers{wanted}); }
};

bool codes_offsets(const Subject& of) {
  return of.has(Operation::bias) || of.has(Operation::score) || of.has(Operation::mix);
}
bool codes_positions(const Subject& of) { return of.has(Operation::encode) || of.has(Operation::transform); }

void check_all(const Check& check, const Rows& codes, double norm) {
  const double inf = std::numeric_limits<double>::infinity();
  double least = inf, first = -1, second = -1, collisions = 0;
  Numbers nearest_distance, nearest_position;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Nearest found = nearest(codes, i);
    nearest_distance.push_back(found.distance), nearest_position.push_back(found.other);
    if (found.distance < least) least = found.distance;
    collisions += found.collisions / 2;
  }
  for (std::size_t i = codes.size(); i-- > 0;)
    for (std::size_t j = codes.size(); j-- > i + 1;)
      if (distance(codes[i], codes[j]) <= least * (1 + 1e-12))
        first = static_cast<double>(i), second = static_cast<double>(j);
  const auto of_pairs = [&](double value) { return least < inf ? Numbers{value} : Numbers{}; };
  check("min_distance", of_pairs(least));
  check("closest_first", of_pairs(first));
  check("closest_second", of_pairs(second));
  check("relative_margin", of_pairs(norm > 0 ? least / norm : 0));
  check("collisions", collisions);
  check("distinct", classes(codes));
  check("nearest_distance", nearest_distance);
  check("nearest_position", nearest_position);
}

// Floyd's draw of M different rows, as the page says that they are drawn.
std::set<std::size_t> sampled(const Subject& of, std::size_t M) {
  const auto stream = of.draws.contents("sampled codes", {static_cast<Index>(of.N)});
  std::set<std::size_t> rows;
  for (std::size_t last = of.N - M; last < of.N; ++last) {
    const std::size_t pick = stream.below(last - (of.N - M), last + 1);
    rows.insert(rows.count(pick) ? last : pick);
  }
  return rows;
}

// N / factor times the mean of numbers of M of N codes, and its standard error.
void check_estimate(const Check& check, const std::string& name, const Numbers& of_sample, double N, double times) {
  const auto M = static_cast<double>(of_sample.size());
  double mean = 0, squares = 0;
  for (const double x : of_sample) mean += x / M;
  for (const double x : of_sample) squares += (x - mean) * (x - mean);
  check((name + "_estimate").c_str(), times * mean);
  const double error = M == N ? 0 : times * std::sqrt(squares / (M - 1) / M * (1 - M / N));
  check((name + "_error").c_str(), M == 1 && N > 1 ? Numbers{} : Numbers{error});
}

void check_sampled(const Check& check, const Subject& of, const Rows& codes) {
  const auto N = static_cast<double>(of.N);
  const std::size_t M = std::min(of.N, static_cast<std::size_t>(check.cell.axes.integer("samples")));
  double least = std::numeric_limits<double>::infinity();
  Numbers collisions, shares;
  for (const std::size_t i : sampled(of, M)) {
    const Nearest found = nearest(codes, i);
    least = std::min(least, found.distance);
    collisions.push_back(found.collisions), shares.push_back(1 / (1 + found.collisions));
  }
  check("min_distance_at_most", least);
  check("nearer_share_at_most", M == of.N ? 0 : 1 - std::exp(std::log(0.05) / static_cast<double>(M)));
  check_estimate(check, "collisions", collisions, N, N / 2);
  check_estimate(check, "distinct", shares, N, N);
}

// The smallest distance of the code of an offset from that of its mirror image; the code of 0 stands at `middle`.
Numbers mirror_distance(const Rows& codes, std::size_t middle) {
  Numbers least;
  for (std::size_t r = 1; r <= middle && middle + r < codes.size(); ++r) {
    const double apart = distance(codes[middle + r], codes[middle - r]);
    if (least.empty() || apart < least[0]) least = {apart};
  }
  return least;
}

void check_codes(const Check& check, const Sight& sight, std::size_t query) {
  const Subject& of = sight.of;
  const std::string kind = check.cell.axes.text("kind");
  const bool both = check.cell.axes.text("offsets") == "both",
             is_offset = kind == "offset" || (kind == "natural" && (codes_positions(of) ? false
                                                                    : of.acts()         ? codes_offsets(of)
                                                                                        : both));
  const Rows codes = is_offset ? offset_codes(sight, query) : position_codes(sight);
  const double norm = root_mean_square_norm(codes);
  check("norm", norm);
  check("distinct_float32", distinct_stored(codes, false));
  check("distinct_bfloat16", distinct_stored(codes, true));
  if (check.cell.axes.text("search") == "sampled" && of.N > 1)
    check_sampled(check, of, codes);
  else
    check_all(check, codes, norm);
  const bool in_nats = is_offset && !of.has(Operation::mix) && check.answer.has("min_distance");
  check("min_distance_nats",
        in_nats ? Numbers{check.answer.scalar("min_distance") / std::sqrt(static_cast<double>(of.H))} : Numbers{});
  check("mirror_distance", is_offset && both ? mirror_distance(codes, of.N - 1 - query) : Numbers{});
}

// A sequence of one token: which positions the query tells apart.
void check_equal_tokens(const Check& check, const Sight& sight, std::size_t query) {
  const Subject& of = sight.of;
  const Index C = check.cell.axes.integer("contents");
  double told_apart = 0, distinct = 0;
  for (const Numbers& token : unpacked(of.draws.normal("token", {C, static_cast<Index>(of.D)}))) {
    const Rows input(of.N, token);
    const Heads x = split(input, of.H), q = sight.transformed(host::Side::query, of.positions, x),
                k = sight.transformed(host::Side::key, of.positions, x);
    const Rows logits = sight.logits_of(query, of.positions, q, k, input, of.scheme.logit_scale());
    Rows codes(of.N);
    for (const Numbers& head : logits)
      for (std::size_t n = 0; n < of.N; ++n) codes[n].push_back(head[n]);
    double apart = 0, pairs = 0;
    for (std::size_t i = 0; i < of.N; ++i)
      for (std::size_t j = 0; j < i; ++j) apart += !collide(codes[i], codes[j]), pairs += 1;
    told_apart += apart / pairs / static_cast<double>(C);
    distinct += classes(codes) / static_cast<double>(C);
  }
  check("told_apart", told_apart);
  check("distinct_positions", distinct);
}

}  // namespace

TEST_CASE("uniqueness by plain loops, 1000 small cases") {
  Dice dice("uniqueness");
  const auto draw = [&] {
    cells::Cell cell = dice.cell("uniqueness", "length", 9, 2);
    cell.axes.set("contents", Value(dice.between(1, 3)));
    cell.axes.set("kind", Value(dice.among<std::string>({"natural", "natural", "position", "offset"})));
    cell.axes.set("offsets", Value(dice.among<std::string>({"causal", "both"})));
    cell.axes.set("search", Value(dice.among<std::string>({"exact", "exact", "sampled"})));
    cell.axes.set("samples", Value(dice.between(1, 9)));
    return cell;
  };
  int codes = 0, equal_tokens = 0;
  small_cases::for_1000(draw, [&](const cells::Cell& cell, const cells::Answer& answer) {
    const Index N = cell.axes.integer("length");
    const bool both = cell.axes.text("offsets") == "both";
    const Subject of(cell, N);
    const Sight sight{of, {N, cell.model.train_length, !both}};
    const auto query = static_cast<std::size_t>(both ? N / 2 : N - 1);
    const bool reads_contents = cell.scheme == "cope" || cell.scheme == "fox";
    (reads_contents ? equal_tokens : codes) += 1;
    if (reads_contents)
      check_equal_tokens({cell, answer}, sight, query);
    else
      check_codes({cell, answer}, sight, query);
  });
  CHECK(codes > 7 * check::thousand / 10);
  CHECK(equal_tokens > check::thousand / 50);
}
