// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/rate_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "poslab/data/archive.hpp"
#include "poslab/experiment/training_measures.hpp"
#include "poslab/training/trainer.hpp"

namespace poslab::experiments {
namespace {

// What a checkpoint begins with; the rest of it is that of the training that was interrupted.
struct SearchState {
  std::vector<double> ended;  // loss of each training of the search that has ended, in their order
  RateSearch found;           // empty until the search has ended
  bool by_another = false;    // repeat, which has it among its own steps
};

std::string packed(const SearchState& state) {
  data::Writer out;
  out(state.ended, state.found.rates, state.found.losses, state.by_another);
  return std::move(out).finish();
}

SearchState unpacked(std::string_view bytes, std::string& rest) {
  SearchState state;
  if (bytes.empty()) return state;
  data::Reader in(bytes);
  in(state.ended, state.found.rates, state.found.losses, state.by_another);
  rest = in.rest();
  return state;
}

// One training of several, as a part of the attempt at the cell.
class Part : public Attempt {
 public:
  Part(Attempt& cell, SearchState state, std::string checkpoint, std::uint64_t before, std::uint64_t total,
       std::string title)
      : cell_(cell),
        state_(packed(state)),
        checkpoint_(std::move(checkpoint)),
        before_(before),
        total_(total),
        title_(std::move(title)) {}
  const std::string& checkpoint() const override { return checkpoint_; }
  bool progress(const Progress& progress) override {
    return cell_.progress({before_ + progress.done, total_, progress.tokens, title_ + progress.sentence});
  }
  void keep(std::string checkpoint) override { cell_.keep(state_ + checkpoint); }

 private:
  Attempt& cell_;
  const std::string state_, checkpoint_;
  const std::uint64_t before_, total_;
  const std::string title_;
};

std::vector<double> grid(const TrainingDefinition& at) {
  std::vector<double> rates;
  for (const double factor : at.rate_factors) rates.push_back(at.learning_rate * factor);
  return rates;
}

base::Error diverged_everywhere(const std::vector<double>& rates) {
  return {base::Error::Kind::numeric,
          fmt::format("training diverged at every learning rate that was tried: {:.3g}", fmt::join(rates, ", ")),
          "a lower learning_rate, a longer warm_up or a smaller clip may help"};
}

// The trainings of a search, each with its rate and its seed, in an order that depends on the grid and the losses only.
template <class S>
class Search {
 public:
  Search(const TrainingDefinition& at, const ExperimentInput& input,
         const std::function<TrainingPlan(const ExperimentInput&)>& plan_of)
      : at_(at), input_(input), plan_of_(plan_of), state_(unpacked(input.attempt.checkpoint(), rest_)) {
    const TrainingPlan plan = plan_of(input);
    steps_ = plan.schedule.steps;
    if (at.shares_work() && !state_.by_another) most_ = static_cast<std::uint64_t>(max_search_trainings(at));
    total_ = most_ * steps_ + plan.steps_of_cell(steps_);
  }

  RateSearch run() {
    if (!state_.found.rates.empty()) return state_.found;
    RateSearch found;
    if (!at_.shares_work()) {
      found.add(grid(at_).front(), std::nan(""));
    } else {
      for (const double rate : grid(at_)) found.add(rate, loss_at(rate));
      if (const double beyond = found.rate_beyond(); !std::isnan(beyond)) found.add(beyond, loss_at(beyond));
      if (found.has_diverged_everywhere()) throw diverged_everywhere(found.rates);
    }
    state_.found = found;
    if (at_.shares_work()) keep_found();
    return found;
  }

  // The attempt at what follows the search.
  std::unique_ptr<Attempt> rest() {
    return std::make_unique<Part>(input_.attempt, state_, std::exchange(rest_, ""), most_ * steps_, total_, "");
  }

 private:
  // For other repeats, too, whatever becomes of this one.
  void keep_found() {
    input_.attempt.progress({most_ * steps_, total_, 0, fmt::format("learning rate {:.3g}", state_.found.chosen())});
    input_.attempt.keep(packed(state_));
  }

  double loss_at(double rate) {
    double sum = 0;
    for (int seed = 0; seed < at_.search_seeds; ++seed, ++next_) {
      if (next_ == state_.ended.size()) state_.ended.push_back(train_at(rate, seed));
      sum += state_.ended[next_];
    }
    return sum / static_cast<double>(at_.search_seeds);
  }

  double train_at(double rate, int seed) {
    const data::Draws draws = input_.draws.beside_repeats(seed);
    Part part(input_.attempt, state_, std::exchange(rest_, ""), next_ * steps_, total_,
              fmt::format("learning rate {:.3g}: ", rate));
    const ExperimentInput input = input_.on(draws).watched_by(part);
    TrainingPlan plan = plan_of_(input);
    plan.schedule.highest = rate;
    try {
      return train<S>(input, plan).history.held_out_loss.back();
    } catch (const training::Diverged&) {
      return std::numeric_limits<double>::infinity();
    }
  }

  const TrainingDefinition& at_;
  const ExperimentInput& input_;
  const std::function<TrainingPlan(const ExperimentInput&)>& plan_of_;
  std::string rest_;  // of the checkpoint: of the training that goes on
  SearchState state_;
  std::uint64_t steps_ = 0, most_ = 0, total_ = 0;
  std::size_t next_ = 0;  // training
};

}  // namespace

void RateSearch::add(double rate, double loss) {
  const auto at = std::lower_bound(rates.begin(), rates.end(), rate);
  losses.insert(losses.begin() + (at - rates.begin()), loss);
  rates.insert(at, rate);
}

double RateSearch::chosen() const {
  return rates[static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin())];
}

bool RateSearch::has_diverged_everywhere() const {
  return std::all_of(losses.begin(), losses.end(), [](double loss) { return std::isinf(loss); });
}

double RateSearch::rate_beyond() const {
  const std::size_t last = rates.size() - 1;
  if (last == 0) return std::nan("");
  const double best = chosen();
  if (best == rates.front()) return rates[0] * (rates[0] / rates[1]);
  if (best == rates.back()) return rates[last] * (rates[last] / rates[last - 1]);
  return std::nan("");
}

base::Index max_search_trainings(const TrainingDefinition& at) {
  return at.shares_work() ? (std::ssize(at.rate_factors) + 1) * at.search_seeds : 0;
}

template <class S>
SearchedCell search_rate(const TrainingDefinition& at, const ExperimentInput& input,
                         const std::function<TrainingPlan(const ExperimentInput&)>& plan_of) {
  Search<S> search(at, input, plan_of);
  RateSearch found = search.run();
  std::unique_ptr<Attempt> rest = search.rest();
  return {input.watched_by(*rest), std::move(found), std::move(rest)};
}

template SearchedCell search_rate<float>(const TrainingDefinition&, const ExperimentInput&,
                                         const std::function<TrainingPlan(const ExperimentInput&)>&);
template SearchedCell search_rate<double>(const TrainingDefinition&, const ExperimentInput&,
                                          const std::function<TrainingPlan(const ExperimentInput&)>&);

void record_search(const RateSearch& search, Output& out) {
  out.coordinate<TriedRate>(search.rates);
  out.set(of_training::tried_loss, search.losses);
  out.set(of_training::chosen_rate, search.chosen());
}

std::string searched(const data::Record& record) {
  const data::Coordinate* rates = record.coordinate_of(TriedRate::dimension.name);
  const data::Measurement* losses = record.measurement(of_training::tried_loss.name);
  if (!rates || !losses) return "";
  return packed({{}, {rates->values, losses->values}, true});
}

std::string searched(std::string_view checkpoint) {
  std::string rest;
  const SearchState state = unpacked(checkpoint, rest);
  if (state.found.rates.empty() || state.found.rates.size() != state.found.losses.size()) return "";
  return packed({{}, state.found, true});
}

}  // namespace poslab::experiments
