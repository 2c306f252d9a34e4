// SPDX-License-Identifier: Apache-2.0
// Attacks that shrink, and logits through every operation, on shipped schemes and on the toy.
#include "claims/attack.hpp"

#include <cmath>
#include <set>

#include "calls/make_call.hpp"
#include "catch.hpp"
#include "claims/unique_positions.hpp"

namespace checks = poslab::check;
using checks::Attack;
using checks::Instance;
using checks::Tensor;
using poslab::base::Index;
using poslab::host::Plugin;

namespace {

checks::Variant usual(const poslab::data::Values& parameters = {}) { return {"usual", parameters, {8, 2, 64}}; }

Attack attack_at(std::vector<double> positions, std::vector<double> shift) {
  Attack attack{Tensor({static_cast<Index>(positions.size()), 1}), std::move(shift)};
  attack.positions.numbers = std::move(positions);
  return attack;
}

}  // namespace

TEST_CASE("an attack shrinks to the smallest that still refutes") {
  const Instance instance(Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), usual(), 1);
  // Falls where two positions are at least 10 apart and the move is at least 3.
  const checks::Refute refute = [](const Attack& attack) {
    const std::vector<double>& p = attack.positions.numbers;
    if (p.size() < 2 || std::abs(attack.shift[0]) < 3) return checks::stood();
    for (const double a : p)
      for (const double b : p)
        if (std::abs(a - b) >= 10)
          return checks::refuted(checks::point_text(attack.positions, 0) + " " + checks::point_text(attack.shift));
    return checks::stood();
  };
  std::vector<double> smallest;
  const checks::Refute noting = [&](const Attack& attack) {
    checks::AttackResult found = refute(attack);
    if (found.is_refuted() && (smallest.empty() || attack.positions.numbers.size() <= smallest.size()))
      smallest = attack.positions.numbers;
    return found;
  };
  checks::smallest_refutation(instance, attack_at({-500, 20, 90, 1000, 7777}, {640}), noting, 1);
  REQUIRE(smallest.size() == 2);
  CHECK(std::abs(smallest[0] - smallest[1]) == 10);
  CHECK(std::abs(smallest[0]) + std::abs(smallest[1]) == 10);
}

TEST_CASE("attacks move by quarters, too, and under either mask, where both are served") {
  const Instance instance(Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), usual(), 1);
  std::size_t fractions = 0, causal = 0, both = 0, moved_without_mask = 0;
  const auto attacks = checks::attacks_on(instance, 6, true, "test");
  for (const Attack& attack : attacks) {
    const bool moves = attack.shift[0] != std::round(attack.shift[0]);
    const bool lies = std::any_of(attack.positions.numbers.begin(), attack.positions.numbers.end(),
                                  [](double p) { return p != std::round(p); });
    fractions += moves;
    causal += attack.causal;
    both += lies && attack.causal;
    moved_without_mask += moves && !lies && !attack.causal;
  }
  CHECK(fractions > 5);
  CHECK(causal > attacks.size() / 3);
  CHECK(causal < 2 * attacks.size() / 3);
  CHECK(both > 0);
  CHECK(moved_without_mask > 0);
}

TEST_CASE("attacks ask layers 0, 1 and 2, every second and every third of them, too") {
  const Instance instance(Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), usual(), 1);
  for (const std::size_t step : {1, 2, 3}) {
    std::set<Index> layers;
    for (const Attack& attack : checks::every(step, checks::attacks_on(instance, 6, true, "test")))
      layers.insert(checks::attack_inputs(instance, attack, {}).layer);
    CHECK(layers == std::set<Index>{0, 1, 2});
  }
  Attack attack = attack_at({0, 1}, {1});
  attack.layer = 2;
  const checks::Refute in_any_layer = [](const Attack& of) { return checks::refuted(checks::circumstances(of)); };
  CHECK(checks::circumstances(attack) == ", in layer 2");
  CHECK(checks::smallest_refutation(instance, attack, in_any_layer, 1).empty());
}

TEST_CASE("dense attacks meet each of the first positions beside the very first") {
  const Instance all(Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), usual(), 1);
  const Instance few(Plugin::open(POSLAB_PLUGIN_DIR "/learned.so"), usual({{"max_length", std::int64_t{16}}}), 1);
  for (const auto& [instance, count] : {std::pair{&all, 1024}, {&few, 16}}) {
    std::set<double> met;
    for (const Attack& attack : checks::dense_attacks(*instance)) {
      CHECK(attack.positions.at(0, 0) == 0);
      CHECK(attack.positions.shape[0] > 1);
      met.insert(attack.positions.numbers.begin(), attack.positions.numbers.end());
    }
    CHECK(met.size() == static_cast<std::size_t>(count));
    CHECK(*met.rbegin() == count - 1);
  }
}

TEST_CASE("positions that must be unique are all, if they are few, and else hold both ends and periods") {
  const Instance line(Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), usual(), 1);
  CHECK(checks::positions_up_to(line, 300).shape[0] == 300);
  CHECK(checks::end_of_positions(300) == 300);
  CHECK(checks::end_of_positions(INFINITY) == 16777216);
  const Tensor many = checks::positions_up_to(line, 4e6);
  const std::set<double> found(many.numbers.begin(), many.numbers.end());
  for (const double each : {0.0, 127.0, 2e6, 2097152.0, 4e6 - 128, 4e6 - 1}) CHECK(found.count(each) == 1);
  CHECK(*found.rbegin() == 4e6 - 1);
  CHECK(found.size() == many.numbers.size());
}

TEST_CASE("weights by which a transform turns stay as drawn, and others do not") {
  const Instance turns(Plugin::open(POSLAB_PLUGIN_DIR "/../test-schemes/learned-turns.so"), usual(), 1);
  CHECK(checks::normal_but_frequencies(turns, "test").empty());
  const Instance slopes(Plugin::open(POSLAB_PLUGIN_DIR "/../test-schemes/late-gradient.so"), usual(), 1);
  const auto normal = checks::weights_of(slopes.scheme(), checks::WeightScale::normal, "test");
  REQUIRE(checks::normal_but_frequencies(slopes, "test").size() == 1);
  CHECK(checks::normal_but_frequencies(slopes, "test")[0].numbers == normal[0].numbers);
}

TEST_CASE("two numbers that differ in their last digits are told apart") {
  CHECK(checks::one_but_other(0.5, 0.25) == "0.5, but 0.25");
  CHECK(checks::one_but_other(0.491438847, 0.491438847 + 1e-12) == "0.49143884700000001, but 0.49143884700099999");
}

TEST_CASE("an array of rank 0 is one number, and there, one that was never made is not") {
  Tensor scalar;
  CHECK_FALSE(scalar.exists());
  scalar.numbers = {2.5};
  CHECK(scalar.exists());
  CHECK(Tensor({0, 4}).exists());
}

TEST_CASE("attacks stay within the positions that a scheme serves") {
  const Instance instance(Plugin::open(POSLAB_PLUGIN_DIR "/learned.so"), usual({{"max_length", std::int64_t{16}}}), 1);
  const auto attacks = checks::attacks_on(instance, 6, true, "test");
  CHECK(attacks.size() > 3);
  for (const Attack& attack : attacks)
    for (const double p : checks::moved(attack.positions, attack.shift).numbers) CHECK((p >= 0 && p < 16));
}

TEST_CASE("logits of a bias are scaled products with the bias on top") {
  const Instance instance(Plugin::open(POSLAB_PLUGIN_DIR "/alibi.so"), usual(), 1);
  checks::Inputs inputs = checks::inputs_of(instance, checks::consecutive(instance, 5), "test");
  const auto logits = checks::logits_of(instance, inputs);
  REQUIRE(logits);
  for (Index h = 0; h < 2; ++h) {
    const double slope = h == 0 ? 1.0 / 16 : 1.0 / 256;  // 2^(-8 (h + 1) / H)
    double product = 0;
    for (Index k = 0; k < 4; ++k) product += inputs.contents.query.at(h, 3, k) * inputs.contents.key.at(h, 1, k);
    CHECK(std::abs(logits->at(h, 3, 1) - (product / 2 - slope * 2)) < 1e-14);
  }
}

TEST_CASE("the calls of the toy are answered as its page says, through our own way over the boundary") {
  const Instance instance(Plugin::open(POSLAB_PLUGIN_DIR "/../faults/toy/toy.so"), usual(), 1);
  const checks::Inputs inputs = checks::usual_inputs(instance);
  for (const int scalar : {POSLAB_F64, POSLAB_F32}) {
    checks::Call call = checks::forward_call(instance, inputs, checks::Operation::encode, scalar);
    checks::require_success(instance, call);
    CHECK(std::abs(call.output.at(4, 3) - (0.5 * 4 + call.weights[0].at(3))) < 1e-6);
  }
  checks::Call call = checks::gradient_call(instance, inputs, checks::Operation::encode);
  checks::require_success(instance, call);
  double sum = 0;
  for (Index n = 0; n < checks::few_positions; ++n) sum += call.output_gradient.at(n, 2);
  CHECK(std::abs(call.weight_gradients[0].at(2) - sum) < 1e-14);
}

TEST_CASE("a gradient of a causal scheme asks for nothing that the mask hides") {
  const Instance instance(Plugin::open(POSLAB_PLUGIN_DIR "/../faults/toy/toy.so"), usual(), 1);
  const checks::Call call = checks::gradient_call(instance, checks::usual_inputs(instance), checks::Operation::bias);
  REQUIRE(call.causal);
  CHECK(call.output_gradient.at(0, 2, 3) == 0);
  CHECK(call.output_gradient.at(0, 3, 3) != 0);
}
