// SPDX-License-Identifier: Apache-2.0
// What a gradient call is held against: the points at which it is tested, the forward call whose differences it must
// agree with, and slopes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "calls/call.hpp"
#include "calls/make_call.hpp"
#include "poslab/base/refusal.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::check {

struct Slopes {
  double left = 0, right = 0, middle = 0;
};
/// One-sided slopes of second order and the central one of fourth order, from f at 0, +-step and +-2 step.
Slopes slopes(const std::function<double(double)>& f, double step);

struct SlopeTest {
  double claimed = 0;    ///< by the gradient
  double scale = 0;      ///< what `relative` is relative to
  double magnitude = 0;  ///< of the terms that f sums: their rounding is allowed for
  bool single = true;    ///< along one number; else along many at once, where the kinks of some may mix
  double relative = 1e-6;
};
/// Nothing if `claimed` is the slope at 0; else the numbers that contradict it. Across a kink along many numbers at
/// once nothing can be said: there the sum of allowed slopes need not lie between the one-sided ones.
std::optional<base::Refusal> why_not_slope(const std::function<double(double)>& f, const SlopeTest& test);

struct Point {
  const char* name;
  WeightScale weights;
  double content;               ///< factor on contents
  double reach;                 ///< of positions; 0: consecutive
  Index keys = 6, queries = 4;  ///< the first query is the second key
  Index layer = 0;              ///< which asks, under a causal mask unless it is the first and both masks are served
};
const std::vector<Point>& gradient_points();

Inputs inputs_at(const Instance& instance, const Point& point, int side);

/// The sides on which an operation is called: those that transform changes; the others know none.
std::vector<int> sides_of(const Instance& instance, Operation operation);

/// Weights whose gradient is 0 wherever it is tested: training would never change them.
class ZeroGradients {
 public:
  /// The gradients by all weights of one call; frozen weights are passed over.
  void note(const std::vector<host::WeightInfo>& weights, const std::vector<Tensor>& gradients);
  /// One sentence for each weight that has had no other gradient than 0 in any call.
  std::vector<std::string> warnings(const std::string& scheme) const;

 private:
  struct Seen {
    int calls = 0;
    bool is_zero = true;
  };
  std::map<std::string, Seen> weights_;
};

// An input of the forward call, and the gradient that came back for it.
struct InputGradient {
  std::string name;
  Tensor* tensor;
  const Tensor* gradient;
};

// The forward call that belongs to a gradient call, with what it is a gradient by.
struct GradientProblem {
  Call forward;
  Tensor loss;  // weights of the outputs in the scalar loss
  std::vector<InputGradient> inputs;
};

/// The problem of one gradient call; its loss leaves out what is infinite. Nothing where the forward call is refused
/// (is_named_refusal); throws Failed where it does not succeed.
std::optional<GradientProblem> problem_of(const Instance& instance, const Inputs& inputs, const Call& call);
/// Lists the gradients that `completed` holds, which must outlive the problem.
void note_gradients(GradientProblem& problem, const Instance& instance, const Call& completed);
/// The loss of the forward call as it is now; `magnitude`, unless null, gets the sum of its terms' magnitudes.
double loss_of(const Instance& instance, const GradientProblem& problem, double* magnitude = nullptr);

}  // namespace poslab::check
