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

/// What a cell is asked of, as far as it is known before it runs.
struct Setting {
  const host::Scheme& scheme;
  const data::Placement& placement;
  const Files& files = no_files();
};

struct About {
  const char* id;
  const char* version;
  const char* title;
  const char* question;
  bool draws_contents = false;
  int default_repeats = 10;  ///< where something is drawn
};

/// Base of the struct T of an experiment, which has besides:
///   static constexpr About about{...};
///   static Axes<T> axes();
///   static constexpr std::tuple measures{...};      // of Measure<...>
///   static data::AnswerColumn column();             // where `answer` is overridden
///   static std::vector<data::FileInfo> files();     // where `needs` is overridden
class Definition {
 public:
  Definition() = default;
  Definition(const Definition&) = default;
  Definition& operator=(const Definition&) = default;
  virtual ~Definition() = default;

  /// Empty, or the sentence with which a cell is skipped: the question means nothing for this scheme at this point.
  virtual std::string why_skip(const Setting&) const { return ""; }
  virtual data::Estimate estimate(const Setting&) const = 0;
  virtual void run(const ExperimentInput&, Output&) const = 0;
  /// The train_length of the model at this point: an axis of its own, or the length.
  virtual base::Index model_train_length() const = 0;
  /// For how many layers it takes weights of the scheme.
  virtual base::Index scheme_layers() const { return 1; }
  virtual data::Answer answer(const Point&) const { return {}; }
  /// Names of the files that it needs at this point.
  virtual std::vector<std::string> needs() const { return {}; }
  /// Empty, or why what it needs cannot be used.
  virtual std::string why_not_files(const Files&) const { return ""; }
};

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
                   const InnerAxis& axis);  ///< throws data::WrongRecord: no such inner axis

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

/// As the rest of poslab calls it.
template <class T>
Experiment experiment_of() {
  Experiment experiment{.info = info_of<T>(),
                        .why_skip =
                            [](const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
                              return at<T>(axes).why_skip({scheme, placement});
                            },
                        .estimate =
                            [](const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
                              return at<T>(axes).estimate({scheme, placement});
                            },
                        .run =
                            [](const ExperimentInput& input) {
                              data::Record record;
                              Output output(record);
                              at<T>(input.axes).run(input, output);
                              return record;
                            },
                        .train_length = [](const data::Values& axes) { return at<T>(axes).model_train_length(); }};
  experiment.layers = [](const data::Values& axes) { return at<T>(axes).scheme_layers(); };
  constexpr bool answers = !std::is_same_v<decltype(&T::answer), decltype(&Definition::answer)>;
  if constexpr (answers) {
    experiment.column = T::column();
    experiment.answer = [](const Point& point) { return at<T>(point.axes).answer(point); };
  }
  if constexpr (!std::is_same_v<decltype(&T::needs), decltype(&Definition::needs)>) {
    experiment.needs = [](const data::Values& axes) { return at<T>(axes).needs(); };
    experiment.why_not_files = [](const data::Values& axes, const Files& files) {
      return at<T>(axes).why_not_files(files);
    };
    experiment.estimate_with_files = [](const host::Scheme& scheme, const data::Values& axes,
                                        const data::Placement& placement, const Files& files) {
      return at<T>(axes).estimate({scheme, placement, files});
    };
  }
  return experiment;
}

}  // namespace poslab::experiments
