// SPDX-License-Identifier: Apache-2.0
// Every gradient against differences: of every operation, by every input and weight, at random and awkward points.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "calls/make_call.hpp"
#include "calls/place.hpp"
#include "gradients/gradients.hpp"
#include "list.hpp"
#include "poslab/base/count.hpp"

namespace poslab::check {
namespace {

constexpr int elements_each = 6, directions_each = 2;

// One number of the input alone, or all of them at once by signs.
struct Direction {
  std::string name;
  std::vector<std::pair<std::size_t, double>> steps;
};

std::vector<Direction> directions_of(const Call& call, const InputGradient& input, const std::string& key) {
  std::vector<Direction> directions;
  const base::Stream stream(key + "/" + input.name);
  const std::vector<double>& gradient = input.gradient->numbers;
  if (gradient.empty()) return directions;
  const auto largest =
      std::max_element(gradient.begin(), gradient.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  std::set<std::size_t> chosen{static_cast<std::size_t>(largest - gradient.begin())};
  for (std::uint64_t i = 0; i < elements_each; ++i) chosen.insert(stream.below(i, gradient.size()));
  for (const std::size_t i : chosen)
    directions.push_back({fmt::format("entry {}{}", i, place_text(call, input.name, *input.gradient, i)), {{i, 1.0}}});
  for (int d = 0; d < directions_each; ++d) {
    Direction all{"all entries together", {}};
    for (std::size_t i = 0; i < gradient.size(); ++i)
      all.steps.emplace_back(i, stream.bits((static_cast<std::uint64_t>(d) + 1) * 1000003 + i) % 2 == 0 ? 1.0 : -1.0);
    directions.push_back(std::move(all));
  }
  return directions;
}

int test_input(const Instance& instance, const GradientProblem& problem, const InputGradient& input, double magnitude,
               const std::string& key) {
  const std::vector<double>& gradient = input.gradient->numbers;
  const double largest = largest_magnitude(gradient);
  int tested = 0;
  for (const Direction& direction : directions_of(problem.forward, input, key)) {
    double claimed = 0, squares = 0;
    for (const auto& [i, sign] : direction.steps) {
      claimed += sign * gradient[i];
      squares += gradient[i] * gradient[i];
    }
    const std::vector<double> at = input.tensor->numbers;
    const auto along = [&](double step) {
      for (const auto& [i, sign] : direction.steps) input.tensor->numbers[i] = at[i] + sign * step;
      const double loss = loss_of(instance, problem);
      input.tensor->numbers = at;
      return loss;
    };
    const double scale = std::max(largest, std::sqrt(squares));
    if (const auto refusal = why_not_slope(along, {claimed, scale, magnitude, direction.steps.size() == 1}))
      throw Failed(fmt::format("gradient of {} by {}, {}{}: {}", host::to_text(problem.forward.operation), input.name,
                               direction.name, conditions_text(problem.forward), refusal->reason));
    ++tested;
  }
  return tested;
}

// What all points together come to.
struct Tested {
  int slopes = 0, without_loss = 0;
  ZeroGradients zero;
};

void test_operation(const Instance& instance, Operation operation, const Point& point, int side, Tested& tested) {
  const Inputs inputs = inputs_at(instance, point, side);
  Call call = gradient_call(instance, inputs, operation, POSLAB_F64, side);
  std::optional<GradientProblem> found = problem_of(instance, inputs, call);
  double magnitude = 0;
  if (!found || !std::isfinite(loss_of(instance, *found, &magnitude))) {
    ++tested.without_loss;  // no scheme promises to be finite at such weights
    return;
  }
  GradientProblem& problem = *found;
  (operation == Operation::transform ? call.output : call.output_gradient) = problem.loss;
  const CallResult result = instance.invoke(call);
  if (!result.ok()) throw Failed(fmt::format("{}{} {}", name_of(call), conditions_text(call), result.text_of_status()));
  tested.zero.note(instance.scheme().weights(), call.weight_gradients);
  note_gradients(problem, instance, call);
  for (const InputGradient& input : problem.inputs) {
    if (!input.gradient->finite())
      throw Failed(
          fmt::format("gradient of {} by {} is not finite, though the loss is", host::to_text(operation), input.name));
    tested.slopes += test_input(instance, problem, input, magnitude, inputs.key);
  }
}

}  // namespace

std::string check_gradients(Trial& trial) {
  Tested tested;
  std::set<std::string> without;
  trial.for_each_instance([&](const Instance& instance) {
    for (const Operation operation : instance.operations()) {
      if (!instance.has_gradient(operation)) {
        without.insert(host::to_text(operation));
        continue;
      }
      for (const Point& point : gradient_points())
        for (const int side : sides_of(instance, operation)) {
          trial.at(fmt::format("{}: {} at {}", instance.label(), host::to_text(operation), point.name));
          try {
            test_operation(instance, operation, point, side, tested);
          } catch (const Failed& failure) {
            throw Failed(fmt::format("at {}: {}", point.name, failure.what()));
          }
        }
    }
  });
  for (const std::string& sentence : tested.zero.warnings(trial.plugin()->info().id)) trial.warn(sentence);
  std::string lacking;
  for (const std::string& operation : without) lacking += fmt::format("; {} has none", operation);
  if (tested.slopes == 0 && tested.without_loss > 0)
    throw NotPerformed("its outputs are not finite, or refused, wherever its gradients were to be looked at" + lacking);
  if (tested.slopes == 0)
    throw NotPerformed("nothing that it offers has inputs or weights to differentiate by" + lacking);
  return fmt::format("{} in {} agree within 1e-6{}", base::counted(tested.slopes, "slope"), trial.scope(), lacking);
}

}  // namespace poslab::check
