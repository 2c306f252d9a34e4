// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/laboratory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <exception>
#include <new>

#include "poslab/base/error.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::run {
namespace {

// A study may have as many variants and lengths as cells, and tables may be large; cells of one kind come one after another.
constexpr std::size_t most_schemes = 200;

// Training shows the positions that the policy puts tokens at: a table must reach to the last of them.
base::Index train_length_of(const base::Cell& cell) {
  const base::Index length = experiments::find_experiment(cell.experiment).train_length(cell.axes);
  if (cell.placement.is_plain() || cell.placement.is_grid()) return length;
  return std::max(length, static_cast<base::Index>(std::floor(cell.placement.highest(length))) + 1);
}

host::Model model_of(const base::Cell& cell) {
  const base::Index model_width = cell.axes.integer("d_model"), heads = cell.axes.integer("heads");
  if (model_width % heads != 0)
    throw base::Refused(
        fmt::format("{} heads do not divide d_model = {}: the head width would not be whole", heads, model_width));
  return {model_width, heads, train_length_of(cell)};
}

std::string label(const base::Cell& cell) {
  std::string text = cell.experiment + " of " + cell.variant.label;
  for (const auto& [name, value] : cell.axes) text += " " + name + "=" + base::to_text(value);
  return text;
}

}  // namespace

std::shared_ptr<const host::Scheme> Laboratory::scheme_for(const base::Cell& cell) {
  const host::Model model = model_of(cell);
  const std::string key = fmt::format("{} {} {} {} {}", cell.variant.scheme, cell.variant.parameters.to_json(),
                                      model.model_width, model.heads, model.train_length);
  const std::lock_guard lock(mutex_);
  if (schemes_.size() >= most_schemes) schemes_.clear();  // those in use live on
  std::shared_ptr<const host::Scheme>& scheme = schemes_[key];
  if (!scheme)
    scheme = std::make_shared<host::Scheme>(plugins_.at(cell.variant.scheme), cell.variant.parameters, model);
  return scheme;
}

spec::Forecast Laboratory::forecast(const base::Cell& cell) {
  const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
  spec::Forecast forecast;
  try {
    const auto scheme = scheme_for(cell);
    forecast.draws_weights = scheme->draws_weights();
    forecast.skip = experiments::why_not_placed(*scheme, cell.placement, experiment.train_length(cell.axes));
    if (forecast.skip.empty()) forecast.skip = experiment.why_skip(*scheme, cell.axes, cell.placement);
    if (forecast.skip.empty()) forecast.estimate = experiment.estimate(*scheme, cell.axes, cell.placement);
  } catch (const base::Refused& refused) {
    forecast.skip = refused.what();
  } catch (const base::PositionOutOfRange& out_of_range) {
    forecast.skip = out_of_range.what();
  } catch (const std::exception&) {
    return {};
  }
  return forecast;
}

Performed Laboratory::perform(const base::Cell& cell) {
  Performed performed;
  base::Outcome& outcome = performed.outcome;
  const auto fail = [&](const std::string& reason) {
    outcome.status = base::Status::failed;
    outcome.message = reason;
    outcome.record = {};
  };
  const auto start = std::chrono::steady_clock::now();
  std::fesetenv(FE_DFL_ENV);  // whatever the last plugin on this thread has left behind
  try {
    const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
    const auto scheme = scheme_for(cell);
    const base::Draws draws(cell.seed, cell.experiment, cell.variant.scheme, cell.variant.parameters.to_json(),
                            cell.repeat);
    outcome.record = experiment.run({*scheme, cell.axes, draws, cell.placement});
    if (scheme->is_untrained()) outcome.message = "untrained weights";
  } catch (const std::bad_alloc&) {
    fail(label(cell) + ": not enough memory");
    performed.wanted_memory = true;
  } catch (const std::exception& failure) {
    fail(failure.what());
  } catch (...) {
    fail(label(cell) + ": threw something that is no std::exception");
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return performed;
}

}  // namespace poslab::run
