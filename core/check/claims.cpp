// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims.hpp"
#include "poslab/base/text.hpp"
#include "tolerances.hpp"

namespace poslab::check {

std::vector<Attack> attacks_on(const Subject& subject, Index rows, bool moves, const std::string& key) {
  std::vector<Attack> attacks;
  const base::Stream stream(key + "/shift");
  const bool fractions = subject.plugin()->info().real_positions;
  std::uint64_t drawn = 0;
  const auto add = [&](const Block& positions, double reach) {
    Attack attack{positions, {}};
    for (int a = 0; moves && a < subject.axes(); ++a)
      attack.shift.push_back(std::round((2 * stream.uniform(drawn++) - 0.5) * reach));
    if (moves && std::all_of(attack.shift.begin(), attack.shift.end(), [](double s) { return s == 0; }))
      attack.shift.front() = 1;
    if (served(subject, attack)) attacks.push_back(std::move(attack));
  };
  for (const double reach : {1.0, 3.0, 8.0}) add(consecutive(subject, rows), reach);
  for (const double reach : {8.0, 64.0, 1e3, 1e4, 1e5, 1e6})
    for (int i = 0; i < 4; ++i)
      add(scattered(subject, rows, reach, fmt::format("{}/{}/{}", key, reach, i), fractions && i == 3), reach);
  return attacks;
}

std::vector<Attack> every(std::size_t step, const std::vector<Attack>& attacks) {
  std::vector<Attack> some;
  for (std::size_t i = 0; i < attacks.size(); i += step) some.push_back(attacks[i]);
  return some;
}

bool served(const Subject& subject, const Attack& attack) {
  for (const double p : attack.positions.numbers)
    if (!subject.scheme().why_not_positions(p, p).empty()) return false;
  for (const double p : moved(attack.positions, attack.shift).numbers)
    if (!subject.scheme().why_not_positions(p, p).empty()) return false;
  return true;
}

int attack_all(const Subject& subject, const std::vector<Attack>& attacks, const Refute& refute, Index least_rows) {
  for (const Attack& attack : attacks)
    if (refute(attack)) throw Failed("refuted: " + smallest_refutation(subject, attack, refute, least_rows));
  return static_cast<int>(attacks.size());
}

std::string attack_claim(Trial& trial, const std::function<bool(const Subject&)>& claims,
                         const std::function<int(const Subject&)>& body) {
  int attacks = 0, claimants = 0;
  trial.for_each_subject([&](const Subject& subject) {
    if (!claims(subject)) return;
    ++claimants;
    attacks += body(subject);
  });
  if (claimants == 0) throw NotPerformed("no variant claims it");
  if (attacks == 0)
    return fmt::format("{} of {} claim it, and offer nothing that could break it", claimants, trial.scope());
  return fmt::format("stood {} attacks; {} of {} claim it", attacks, claimants, trial.scope());
}

std::string point_text(const std::vector<double>& point) {
  std::string text;
  for (const double p : point) text += (text.empty() ? "" : ", ") + base::shortest(p);
  return point.size() == 1 ? text : "(" + text + ")";
}

std::string point_text(const Block& positions, Index n) {
  std::vector<double> point;
  for (Index a = 0; a < positions.shape[1]; ++a) point.push_back(positions.at(n, a));
  return point_text(point);
}

Block moved(Block positions, const std::vector<double>& shift) {
  for (Index n = 0; n < positions.shape[0] && !shift.empty(); ++n)
    for (Index a = 0; a < positions.shape[1]; ++a) positions.at(n, a) += shift[static_cast<std::size_t>(a)];
  return positions;
}

Contents attack_contents(const Subject& subject, Index count, int kind) {
  if (kind == 0) return normal_contents(subject, count, "claims");
  Contents contents = normal_contents(subject, count, "", 0);
  if (kind == 1)
    for (Block* block : {&contents.query, &contents.key, &contents.layer_input})
      std::fill(block->numbers.begin(), block->numbers.end(), 1.0);
  return contents;
}

const char* content_text(int kind) {
  constexpr const char* texts[] = {"random contents", "contents of ones", "contents of zeros"};
  return texts[kind];
}

Scene attack_scene(const Subject& subject, const Block& positions, const std::vector<Block>& weights) {
  Scene scene;
  scene.positions = positions;
  scene.contents = attack_contents(subject, positions.shape[0], 0);
  scene.weights = weights;
  scene.queries = positions.shape[0];
  scene.causal = subject.causal_only();
  scene.train_length = subject.variant().model.train_length;
  scene.length = std::max<Index>(64, static_cast<Index>(largest_magnitude(positions.numbers)) + 1);
  return scene;
}

double logit_tolerance(const Block& a, const Block& b, double largest_position) {
  const double rms = std::max(root_mean_square(a.numbers), root_mean_square(b.numbers));
  return rms * logit_rounding.allowed(0, 0, largest_position, 0);
}

bool apart(double a, double b, double most) { return a != b && !(std::abs(a - b) <= most); }

}  // namespace poslab::check
