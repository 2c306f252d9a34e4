// SPDX-License-Identifier: Apache-2.0
// What a training itself says in the answer of an experiment that trains: whether anything was learnt at all, and what
// a reader has to know of how it ended.
#include <fmt/format.h>

#include <cmath>

#include "poslab/experiment/training_definition.hpp"
#include "poslab/experiment/training_measures.hpp"

namespace poslab::experiments {
namespace {

constexpr double solved = 0.9;           // share of tokens from which a task counts as learnt
constexpr double still_learning = 0.01;  // share of its loss that a network loses in the last fifth of its steps

bool is_set(const Point& point, const Scalar& flag) { return point.mean(flag).mean > 0; }

// How far the held-out loss fell in the last fifth of the steps, as a share of it, over the repeats that have such
// points.
data::MeanAndError fall_at_the_end(const Point& point) {
  std::vector<double> falls;
  for (const std::vector<double>* loss : point.values(of_training::held_out_loss)) {
    const std::vector<double>& step = point.coordinate<HeldOutStep>();
    std::size_t before = loss->size();
    while (before-- > 0)
      if (step[before] <= 0.8 * step.back()) break;
    if (before < loss->size()) falls.push_back(((*loss)[before] - loss->back()) / (*loss)[before]);
  }
  return data::mean_and_error(falls);
}

// Which learning rate was chosen among which; nothing where there was one. Repeats that are given weights of their own
// choose each for itself.
std::string search_note(const TrainingDefinition& at, const Point& point) {
  if (!at.shares_work()) return "";
  const std::vector<double>& rates = point.coordinate<TriedRate>();
  const data::MeanAndError rate = point.mean(of_training::chosen_rate);
  if (rate.error > 0)
    return fmt::format("; each repeat chose its own learning rate, {} in the mean", data::to_text(rate));
  const double chosen = rate.mean;
  const bool is_at_edge = chosen == rates.front() || chosen == rates.back();
  return fmt::format("; learning rate {:.3g}, chosen among {:.3g}{}", chosen, fmt::join(rates, ", "),
                     is_at_edge ? ", at their edge" : "");
}

// Where training was to stop at a loss: whether it did, and after how many steps.
std::string stop_note(const TrainingDefinition& at, const Point& point) {
  if (at.stop_loss == 0) return "";
  std::size_t stopped = 0, all = 0;
  for (const std::vector<double>* loss : point.values(of_training::held_out_loss)) {
    stopped += loss->back() <= at.stop_loss;
    ++all;
  }
  if (stopped < all)
    return fmt::format("; the held-out loss came down to stop_loss = {} in {} of {} repeats", at.stop_loss, stopped,
                       all);
  return fmt::format("; stopped at a held-out loss of {}, after {} of {} steps", at.stop_loss,
                     data::to_text(point.mean(of_training::steps_made)), at.steps);
}

}  // namespace

std::string TrainingDefinition::why_untaught(const Point& point, const data::MeanAndError& accuracy) const {
  if (is_set(point, of_training::is_control)) return "";
  const data::MeanAndError loss = point.mean(of_training::held_out_loss, -1),
                           chance = point.mean(of_training::chance_loss);
  const double best = point.mean(of_training::best_accuracy).mean;
  if (!task_info().needs_file() && !(best < solved) && accuracy.values > 0) {
    if (accuracy.mean >= solved || (accuracy.values > 1 && !data::differs_from(accuracy, solved))) return "";
    return fmt::format("after {} {} is not learnt: {} of the tokens are right at what was trained on", steps_text(),
                       task, data::to_text(accuracy));
  }
  if (loss.values == 0 || chance.values == 0 || loss.mean < chance.mean) return "";
  return fmt::format("after {} {} is not learnt: a loss of {}, where how often each symbol occurs gives {}",
                     steps_text(), task, data::to_text(loss), data::to_text(chance));
}

std::string TrainingDefinition::training_note(const Point& point) const {
  std::string note = search_note(*this, point) + stop_note(*this, point);
  if (steps > 0 && warm_up >= steps)
    note += fmt::format("; the learning rate was still rising: warm_up is {} of {} steps", warm_up, steps);
  const data::MeanAndError fall = stop_loss == 0 ? fall_at_the_end(point) : data::MeanAndError{};
  if (fall.values > 0 && fall.mean > still_learning)
    note += fmt::format("; still learning: the held-out loss fell by {:.0f} % in the last fifth of the steps",
                        100 * fall.mean);
  return note;
}

}  // namespace poslab::experiments
