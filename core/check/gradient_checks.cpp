// SPDX-License-Identifier: Apache-2.0
// Every gradient: of every operation, by every input and weight, at random and awkward points.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "derivative.hpp"
#include "gradient_problem.hpp"
#include "list.hpp"

namespace poslab::check {
namespace {

constexpr Index keys = 6, first_query = 1, queries = 4;
constexpr int elements_each = 6, directions_each = 2;

// A point at which gradients are asked for.
struct Point {
  const char* name;
  WeightScale weights;
  double content;  // factor on contents
  double reach;    // of positions; 0: consecutive
};
const std::vector<Point> points{{"drawn weights", WeightScale::drawn, 1, 0},
                                {"normal weights", WeightScale::normal, 1, 40},
                                {"large weights", WeightScale::large, 3, 300},
                                {"zero weights and contents", WeightScale::zero, 0, 0},
                                {"zero contents", WeightScale::normal, 0, 10}};

Scene scene_at(const Subject& subject, const Point& point, int side) {
  const std::string key = fmt::format("gradient/{}/{}", point.name, side);
  Scene scene =
      scene_of(subject, point.reach == 0 ? consecutive(subject, keys) : scattered(subject, keys, point.reach, key), key,
               point.weights);
  scene.contents = normal_contents(subject, keys, key, point.content);
  scene.first_query = first_query;
  scene.queries = queries;
  return scene;
}

// One number of the input alone, or all of them at once by signs.
struct Direction {
  std::string name;
  std::vector<std::pair<std::size_t, double>> steps;
};

std::vector<Direction> directions_of(const Wanted& wanted, const std::string& key) {
  std::vector<Direction> directions;
  const base::Stream stream(key + "/" + wanted.name);
  const std::vector<double>& gradient = wanted.gradient->numbers;
  if (gradient.empty()) return directions;
  const auto largest =
      std::max_element(gradient.begin(), gradient.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  std::set<std::size_t> chosen{static_cast<std::size_t>(largest - gradient.begin())};
  for (std::uint64_t i = 0; i < elements_each; ++i) chosen.insert(stream.below(i, gradient.size()));
  for (const std::size_t i : chosen) directions.push_back({fmt::format("entry {}", i), {{i, 1.0}}});
  for (int d = 0; d < directions_each; ++d) {
    Direction all{"all entries together", {}};
    for (std::size_t i = 0; i < gradient.size(); ++i)
      all.steps.emplace_back(i, stream.bits((static_cast<std::uint64_t>(d) + 1) * 1000003 + i) % 2 == 0 ? 1.0 : -1.0);
    directions.push_back(std::move(all));
  }
  return directions;
}

int test_input(const Subject& subject, const Problem& problem, const Wanted& wanted, double magnitude,
               const std::string& key) {
  const std::vector<double>& gradient = wanted.gradient->numbers;
  const double largest = largest_magnitude(gradient);
  int tested = 0;
  for (const Direction& direction : directions_of(wanted, key)) {
    double claimed = 0, squares = 0;
    for (const auto& [i, sign] : direction.steps) {
      claimed += sign * gradient[i];
      squares += gradient[i] * gradient[i];
    }
    const std::vector<double> at = wanted.input->numbers;
    const auto along = [&](double step) {
      for (const auto& [i, sign] : direction.steps) wanted.input->numbers[i] = at[i] + sign * step;
      const double loss = loss_of(subject, problem);
      wanted.input->numbers = at;
      return loss;
    };
    const std::string reason =
        why_not_slope(along, {claimed, std::max(largest, std::sqrt(squares)), magnitude, direction.steps.size() == 1});
    if (!reason.empty())
      throw Failed(fmt::format("gradient of {} by {}, {}: {}", host::to_text(problem.forward.operation), wanted.name,
                               direction.name, reason));
    ++tested;
  }
  return tested;
}

int test_operation(const Subject& subject, Operation operation, const Point& point, int side) {
  const Scene scene = scene_at(subject, point, side);
  Call asked = gradient_call(subject, scene, operation, POSLAB_F64, side);
  Problem problem = problem_of(subject, scene, asked);
  drop_infinite(subject, problem, problem.loss);
  (operation == Operation::transform ? asked.output : asked.output_gradient) = problem.loss;
  double magnitude = 0;
  if (!std::isfinite(loss_of(subject, problem, &magnitude)))
    return 0;  // no scheme promises to be finite at such weights
  const Answer answer = subject.perform(asked);
  if (!answer.ok()) throw Failed(fmt::format("{} {}", name_of(asked), answer.words()));
  list_wanted(problem, subject, asked);
  int tested = 0;
  for (const Wanted& wanted : problem.wanted) {
    if (!wanted.gradient->finite())
      throw Failed(
          fmt::format("gradient of {} by {} is not finite, though the loss is", host::to_text(operation), wanted.name));
    tested += test_input(subject, problem, wanted, magnitude, scene.key);
  }
  return tested;
}

// The library with the same scheme and derived gradients, where a build has put one beside.
std::filesystem::path derived_twin(const std::filesystem::path& file) {
  const std::filesystem::path absolute = std::filesystem::absolute(file).lexically_normal();
  return absolute.parent_path().parent_path() / "derived" / absolute.filename();
}

}  // namespace

std::string check_gradients(Trial& trial) {
  int tested = 0;
  std::set<std::string> without;
  trial.for_each_subject([&](const Subject& subject) {
    for (const Operation operation : subject.operations()) {
      if (!subject.has_gradient(operation)) {
        without.insert(host::to_text(operation));
        continue;
      }
      for (const Point& point : points)
        for (const int side : {POSLAB_QUERY, POSLAB_KEY}) {
          if (side == POSLAB_KEY && operation != Operation::transform) continue;
          trial.at(fmt::format("{}: {} at {}", subject.label(), host::to_text(operation), point.name));
          try {
            tested += test_operation(subject, operation, point, side);
          } catch (const Failed& failure) {
            throw Failed(fmt::format("at {}: {}", point.name, failure.what()));
          }
        }
    }
  });
  std::string lacking;
  for (const std::string& operation : without) lacking += fmt::format("; {} has none", operation);
  if (tested == 0) throw NotPerformed("nothing that it offers has inputs or weights to differentiate by" + lacking);
  return fmt::format("{} slopes in {} agree within 1e-6{}", tested, trial.scope(), lacking);
}

std::string check_by_hand(Trial& trial) {
  const std::filesystem::path file = derived_twin(trial.file());
  if (!std::filesystem::exists(file)) throw NotPerformed("no library with derived gradients lies at " + file.string());
  const auto twin = host::Plugin::open(file);
  int compared = 0;
  trial.for_each_subject([&](const Subject& subject) {
    const Subject derived(twin, subject.variant(), subject.axes());
    for (const Operation operation : subject.operations())
      for (const Point& point : points)
        for (const int side : {POSLAB_QUERY, POSLAB_KEY}) {
          if ((side == POSLAB_KEY && operation != Operation::transform) || !subject.has_gradient(operation)) continue;
          Call ours = gradient_call(subject, scene_at(subject, point, side), operation, POSLAB_F64, side),
               theirs = ours;
          subject.perform(ours);
          derived.perform(theirs);
          const std::vector<Member> a = members_of(ours), b = members_of(theirs);
          for (std::size_t m = 0; m < a.size(); ++m) {
            if (!a[m].is_output) continue;
            const std::vector<double>&x = a[m].block->numbers, &y = b[m].block->numbers;
            const double most = 1e-12 * std::max(largest_magnitude(x), largest_magnitude(y));
            for (std::size_t i = 0; i < x.size(); ++i) {
              if (!(std::abs(x[i] - y[i]) <= most) && !(std::isnan(x[i]) && std::isnan(y[i])))
                throw Failed(fmt::format("at {}: {}, entry {} of `{}`: {:.17g} by hand, {:.17g} derived", point.name,
                                         name_of(ours), i, a[m].name, x[i], y[i]));
            }
            ++compared;
          }
        }
  });
  return fmt::format("{} arrays in {} agree within 1e-12", compared, trial.scope());
}

}  // namespace poslab::check
