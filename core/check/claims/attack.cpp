// SPDX-License-Identifier: Apache-2.0
#include "claims/attack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/text.hpp"

namespace poslab::check {
namespace {

// All three layers have their turn in every second and in every third attack, too.
Index turn_of_layer(std::uint64_t attack) { return static_cast<Index>((attack + attack / 3) % 3); }

}  // namespace

std::vector<Attack> attacks_on(const Instance& instance, Index rows, bool moves, const std::string& key) {
  std::vector<Attack> attacks;
  const base::Stream stream(key + "/shift");
  const bool fractions = instance.plugin()->info().real_positions;
  std::uint64_t drawn = 0, tried = 0;
  const auto add = [&](const Tensor& positions, double reach, double step) {
    const bool is_turn = (tried + tried / 4) % 2 == 1;  // of each of the four kinds below, too
    Attack attack{positions, {}, instance.causal_only() || (is_turn && instance.serves_causal()), turn_of_layer(tried)};
    for (int a = 0; moves && a < instance.axes(); ++a)
      attack.shift.push_back(step * std::round((2 * stream.uniform(drawn++) - 0.5) * reach / step));
    if (moves && std::all_of(attack.shift.begin(), attack.shift.end(), [](double s) { return s == 0; }))
      attack.shift.front() = 1;
    if (is_served(instance, attack)) attacks.push_back(std::move(attack));
    ++tried;
  };
  for (const double reach : {1.0, 3.0, 8.0}) add(consecutive(instance, rows), reach, 1);
  for (const double reach : {8.0, 64.0, 1e3, 1e4, 1e5, 1e6})
    for (int i = 0; i < 4; ++i)
      add(scattered(instance, rows, reach, fmt::format("{}/{}/{}", key, reach, i), fractions && i == 3), reach,
          fractions && i >= 2 ? 0.25 : 1);
  return attacks;
}

std::vector<Attack> every(std::size_t step, const std::vector<Attack>& attacks) {
  std::vector<Attack> some;
  for (std::size_t i = 0; i < attacks.size(); i += step) some.push_back(attacks[i]);
  return some;
}

std::vector<Attack> dense_attacks(const Instance& instance) {
  constexpr Index most = 1024, others = 7;
  const double last = instance.highest(most - 1.0), first = std::max(instance.lowest(1e6), std::min(0.0, last));
  const Index count = instance.axes() > 1 ? most : std::min<Index>(most, static_cast<Index>(last - first) + 1);
  const Tensor all = consecutive(instance, std::max<Index>(count, 0));
  std::vector<Attack> attacks;
  for (Index n = 1; n < count; n += others) {
    const Index rows = std::min(others, count - n);
    Attack attack{Tensor({rows + 1, all.shape[1]}), {}, instance.causal_only(), turn_of_layer(attacks.size())};
    for (Index a = 0; a < all.shape[1]; ++a) {
      attack.positions.at(0, a) = all.at(0, a);
      for (Index i = 0; i < rows; ++i) attack.positions.at(1 + i, a) = all.at(n + i, a);
    }
    if (is_served(instance, attack)) attacks.push_back(std::move(attack));
  }
  return attacks;
}

bool is_served(const Instance& instance, const Attack& attack) {
  for (const double p : attack.positions.numbers)
    if (instance.scheme().why_not_positions(p, p)) return false;
  for (const double p : moved(attack.positions, attack.shift).numbers)
    if (instance.scheme().why_not_positions(p, p)) return false;
  return true;
}

void Attacker::attack_all(const std::vector<Attack>& attacks, const Refute& refute, Index min_rows) {
  for (const Attack& attack : attacks) {
    const AttackResult result = refute(attack);
    ++(result.kind == AttackResult::Kind::not_possible ? impossible_ : made_);
    if (result.is_refuted())
      throw Failed("refuted: " +
                   (is_claimed ? smallest_refutation(instance, attack, refute, min_rows) : result.counter_example));
  }
}

std::string point_text(const std::vector<double>& point) {
  std::string text;
  for (const double p : point) text += (text.empty() ? "" : ", ") + base::shortest(p);
  return point.size() == 1 ? text : "(" + text + ")";
}

std::string point_text(const Tensor& positions, Index n) {
  std::vector<double> point;
  for (Index a = 0; a < positions.shape[1]; ++a) point.push_back(positions.at(n, a));
  return point_text(point);
}

Tensor moved(Tensor positions, const std::vector<double>& shift) {
  for (Index n = 0; n < positions.shape[0] && !shift.empty(); ++n)
    for (Index a = 0; a < positions.shape[1]; ++a) positions.at(n, a) += shift[base::at(a)];
  return positions;
}

Contents attack_contents(const Instance& instance, Index count, int kind) {
  if (kind == 0) return normal_contents(instance, count, "claims");
  Contents contents = normal_contents(instance, count, "", 0);
  if (kind == 1)
    for (Tensor* tensor : {&contents.query, &contents.key, &contents.layer_input, &contents.value, &contents.mixed})
      std::fill(tensor->numbers.begin(), tensor->numbers.end(), 1.0);
  return contents;
}

const char* content_text(int kind) {
  constexpr const char* texts[] = {"random contents", "contents of ones", "contents of zeros"};
  return texts[kind];
}

Inputs attack_inputs(const Instance& instance, const Attack& attack, const std::vector<Tensor>& weights, int kind) {
  const Tensor& positions = attack.positions;
  Inputs inputs;
  inputs.positions = positions;
  inputs.contents = attack_contents(instance, positions.shape[0], kind);
  inputs.weights = weights;
  inputs.queries = positions.shape[0];
  inputs.causal = attack.causal;
  inputs.layer = attack.layer;
  inputs.train_length = instance.variant().model.train_length;
  inputs.length = std::max<Index>(64, static_cast<Index>(largest_magnitude(positions.numbers)) + 1);
  return inputs;
}

double logit_tolerance(const Tensor& a, const Tensor& b, double largest_position) {
  const double rms = std::max(root_mean_square(a.numbers), root_mean_square(b.numbers));
  return rms * logit_rounding.allowed(0, 0, largest_position, 0);
}

std::string circumstances(const Attack& attack) {
  return fmt::format("{}{}", attack.causal ? ", under a causal mask" : "",
                     attack.layer > 0 ? fmt::format(", in layer {}", attack.layer) : "");
}

std::string one_but_other(double one, double other, const char* between) {
  std::string a = fmt::format("{:.9g}", one), b = fmt::format("{:.9g}", other);
  if (a == b) a = fmt::format("{:.17g}", one), b = fmt::format("{:.17g}", other);
  return a + between + b;
}

bool differ(double a, double b, double most) { return a != b && !(std::abs(a - b) <= most); }

}  // namespace poslab::check
