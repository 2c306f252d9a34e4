// SPDX-License-Identifier: Apache-2.0
#include "gradients/gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "calls/make_call.hpp"
#include "calls/place.hpp"

namespace poslab::check {
namespace {

constexpr Index first_query = 1;

}  // namespace

std::optional<GradientProblem> problem_of(const Instance& instance, const Inputs& inputs, const Call& call) {
  GradientProblem problem;
  problem.forward = forward_call(instance, inputs, call.operation, POSLAB_F64, call.side);
  problem.loss = call.operation == Operation::transform ? call.output : call.output_gradient;
  Call completed = problem.forward;
  const CallResult result = instance.invoke(completed);
  if (is_named_refusal(instance, result)) return std::nullopt;
  if (!result.ok())
    throw Failed(fmt::format("{}{} {}", name_of(completed), conditions_text(completed), result.text_of_status()));
  for (std::size_t i = 0; i < problem.loss.numbers.size(); ++i)
    if (std::isinf(completed.output.numbers[i])) problem.loss.numbers[i] = 0;
  return problem;
}

void note_gradients(GradientProblem& problem, const Instance& instance, const Call& completed) {
  Call& forward = problem.forward;
  for (std::size_t w = 0; w < forward.weights.size(); ++w)
    problem.inputs.push_back({fmt::format("weight \"{}\"", instance.scheme().weights()[w].name), &forward.weights[w],
                              &completed.weight_gradients[w]});
  if (forward.operation == Operation::transform) problem.inputs.push_back({"x", &forward.output, &completed.output});
  if (forward.operation == Operation::score) {
    problem.inputs.push_back({"layer_input", &forward.layer_input, &completed.layer_input_gradient});
    problem.inputs.push_back({"query", &forward.query, &completed.query_gradient});
    problem.inputs.push_back({"key", &forward.key, &completed.key_gradient});
  }
  if (forward.operation == Operation::mix)
    problem.inputs.push_back({"attention", &forward.attention, &completed.attention_gradient});
}

// `score` acts on q and k through the logits that it finds, too.
// Through logits that it only adds to, the host passes gradients on.
double loss_of(const Instance& instance, const GradientProblem& problem, double* magnitude) {
  Call call = problem.forward;
  const bool scores = call.operation == Operation::score;
  if (scores) call.output = plain_logits(instance, call);
  const std::vector<double> before = call.output.numbers;
  const bool adds = scores && !instance.scheme().score_writes_logits();
  const CallResult result = instance.invoke(call);
  double loss = result.ok() ? 0 : std::nan("");
  for (std::size_t i = 0; i < call.output.numbers.size(); ++i) {
    if (problem.loss.numbers[i] == 0) continue;
    loss += problem.loss.numbers[i] * (call.output.numbers[i] - (adds ? before[i] : 0));
    if (magnitude)
      *magnitude +=
          std::abs(problem.loss.numbers[i]) * (std::abs(call.output.numbers[i]) + (scores ? std::abs(before[i]) : 0));
  }
  return loss;
}

const std::vector<Point>& gradient_points() {
  static const std::vector<Point> points{{"drawn weights", WeightScale::drawn, 1, 0},
                                         {"normal weights", WeightScale::normal, 1, 40},
                                         {"far positions", WeightScale::normal, 1, 3000},
                                         {"large weights", WeightScale::large, 3, 300},
                                         {"zero weights and contents", WeightScale::zero, 0, 0},
                                         {"zero contents", WeightScale::normal, 0, 10},
                                         {"normal weights in layer 1", WeightScale::normal, 1, 0, 6, 4, 1},
                                         {"19 keys and 17 queries", WeightScale::normal, 1, 100, 19, 17}};
  return points;
}

Inputs inputs_at(const Instance& instance, const Point& point, int side) {
  const std::string key = fmt::format("gradient/{}/{}", point.name, side);
  Inputs inputs = inputs_of(
      instance,
      point.reach == 0 ? consecutive(instance, point.keys) : scattered(instance, point.keys, point.reach, key), key,
      point.weights);
  inputs.contents = normal_contents(instance, point.keys, key, point.content);
  inputs.first_query = first_query;
  inputs.queries = point.queries;
  inputs.layer = point.layer;
  inputs.causal = instance.causal_only() || (point.layer > 0 && instance.serves_causal());
  return inputs;
}

std::vector<int> sides_of(const Instance& instance, Operation operation) {
  return operation == Operation::transform ? instance.sides() : std::vector<int>{POSLAB_QUERY};
}

Slopes slopes(const std::function<double(double)>& f, double step) {
  const double at = f(0), up = f(step), up2 = f(2 * step), down = f(-step), down2 = f(-2 * step);
  return {(3 * at - 4 * down + down2) / (2 * step), (-3 * at + 4 * up - up2) / (2 * step),
          (8 * (up - down) - (up2 - down2)) / (12 * step)};
}

std::optional<base::Refusal> why_not_slope(const std::function<double(double)>& f, const SlopeTest& test) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Slopes last;
  double most = 0;
  // A smaller step gets between the point and a kink beside it, but the rounding of f weighs more. Powers of two, so
  // that x + step is exact; smaller ones where f would change by more than it is large.
  const double reach = test.magnitude / std::max(std::abs(test.claimed), test.scale);
  const double shrink = reach > 0 && reach < 1 ? std::exp2(std::floor(std::log2(reach))) : 1;
  for (const double steps : {0x1p-10, 0x1p-13, 0x1p-17, 0x1p-20}) {
    const double step = steps * shrink;
    last = slopes(f, step);
    most = test.relative * std::max({test.scale, std::abs(last.middle), std::abs(test.claimed)}) +
           8 * epsilon * test.magnitude / step;
    if (std::abs(test.claimed - last.middle) <= most) return std::nullopt;
  }
  const double low = std::min(last.left, last.right), high = std::max(last.left, last.right);
  const bool is_kink = high - low > 100 * most;
  if (is_kink && !test.single) return std::nullopt;
  if (is_kink && test.claimed >= low - most && test.claimed <= high + most) return std::nullopt;
  if (is_kink)
    return fmt::format("{:.9g}, but the slopes beside the kink there are {:.9g} and {:.9g}, give or take {:.2g}",
                       test.claimed, last.left, last.right, most);
  return fmt::format("{:.9g}, but the central difference is {:.9g}{}", test.claimed, last.middle,
                     gap_text(test.claimed, last.middle, most));
}

void ZeroGradients::note(const std::vector<host::WeightInfo>& weights, const std::vector<Tensor>& gradients) {
  for (std::size_t w = 0; w < weights.size(); ++w) {
    const std::vector<double>& numbers = gradients[w].numbers;
    if (weights[w].frozen || numbers.empty()) continue;
    Seen& seen = weights_[weights[w].name];
    ++seen.calls;
    seen.is_zero &= std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0; });
  }
}

std::vector<std::string> ZeroGradients::warnings(const std::string& scheme) const {
  std::vector<std::string> sentences;
  for (const auto& [name, seen] : weights_)
    if (seen.is_zero)
      sentences.push_back(
          fmt::format("weight \"{}\" of {}: its gradient is 0 in all {} gradient calls, so training "
                      "never changes it; use it, leave it out, or declare it frozen",
                      name, scheme, seen.calls));
  return sentences;
}

}  // namespace poslab::check
