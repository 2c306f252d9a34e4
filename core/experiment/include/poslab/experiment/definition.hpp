// SPDX-License-Identifier: Apache-2.0
// An experiment as a struct: its axes are members, its measures handles. An object is the experiment at one point of
// its axes. experiments/u-shape shows one whole.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "poslab/experiment/axes.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/measure.hpp"

namespace poslab::experiments {

struct About {
  const char* id;
  const char* version;
  const char* title;
  const char* question;
  bool draws_contents = false;
  int default_repeats = 10;  ///< where something is drawn
};

// The struct T of an experiment, derived from Definition, has besides:
//   static constexpr About about{...};
//   static Axes<T> axes();
//   static constexpr std::tuple measures{...};      // of Measure<...>
//   static data::AnswerColumn column();             // where `answer` is overridden
//   static std::vector<data::FileInfo> files();     // where `needs` is overridden

template <class T>
T at(const data::Values& axes) {
  T point{};
  static const Axes<T> bound = T::axes();
  for (const BoundAxis<T>& axis : bound) axis.set(point, axes);
  return point;
}

/// Adds the dimension to those of the experiment, if it is no inner axis and not there yet.
void add_dimension(data::ExperimentInfo& info, const Dimension& dimension);
void add_dimension(data::ExperimentInfo& info,
                   const InnerAxis& axis);  ///< throws base::Error: no such inner axis

template <class T>
data::ExperimentInfo info_of() {
  data::ExperimentInfo info;
  info.id = T::about.id, info.version = T::about.version;
  info.title = T::about.title, info.question = T::about.question;
  info.draws_contents = T::about.draws_contents, info.default_repeats = T::about.default_repeats;
  for (const BoundAxis<T>& axis : T::axes()) info.axes.push_back(axis.info());
  const auto add = [&]<class... D>(const Measure<D...>& measure) {
    (add_dimension(info, D::dimension), ...);
    info.measures.push_back(measure.info());
  };
  if constexpr (requires { T::files(); }) info.files = T::files();
  std::apply([&](const auto&... measure) { (add(measure), ...); }, T::measures);
  return info;
}

/// As the rest of poslab has it.
template <class T>
Experiment experiment_of() {
  Experiment experiment{.info = info_of<T>(), .at = [](const data::Values& axes) -> std::unique_ptr<const Definition> {
                          return std::make_unique<const T>(at<T>(axes));
                        }};
  experiment.answers = requires { T::column(); };
  if constexpr (requires { T::column(); }) experiment.column = T::column();
  return experiment;
}

}  // namespace poslab::experiments
