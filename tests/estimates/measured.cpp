// SPDX-License-Identifier: Apache-2.0
#include "measured.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <ctime>
#include <stdexcept>

#include "cells.hpp"
#include "counted.hpp"
#include "heap.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/workers/cell_runner.hpp"

using namespace poslab;

namespace measured {
namespace {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::optional<Needs> needs_here(const data::Cell& cell) {
  const std::optional<data::Estimate> estimate = estimate_of(cell);
  if (!estimate) return std::nullopt;
  host::Plugins plugins;
  plugins.register_scheme(cells::plugin(cell.variant.scheme)->info());
  counted::count_calls_of(plugins.at(cell.variant.scheme));
  const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
  const host::Scheme scheme(
      plugins.at(cell.variant.scheme), cell.variant.parameters,
      {cell.axes.integer("d_model"), cell.axes.integer("heads"), experiment.at(cell.axes)->model_train_length()});
  const data::Draws draws(cell.seed, cell.experiment, cell.variant.scheme, cell.repeat);
  Needs needs{*estimate};
  counted::numbers();
  const std::int64_t before = heap::live();
  heap::watch();
  const double began = processor_seconds();
  const data::Record record = experiment.run({scheme, cell.axes, draws, cell.placement});
  needs.seconds = processor_seconds() - began;
  needs.asked = counted::numbers();
  needs.peak = static_cast<double>(heap::peak() - before);
  return needs;
}

}  // namespace

std::optional<data::Estimate> estimate_of(const data::Cell& cell) {
  host::Plugins plugins;
  plugins.register_scheme(cells::plugin(cell.variant.scheme)->info());
  const data::Forecast forecast = workers::CellRunner(plugins).forecast(cell);
  if (forecast.skip) return std::nullopt;
  if (const auto& why = forecast.estimate.why_unknown) throw std::logic_error(why->reason);
  return forecast.estimate;
}

std::optional<Needs> needs(const data::Cell& cell, int threads) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads) + 1);
  tbb::task_arena arena(threads);
  return arena.execute([&] { return needs_here(cell); });
}

}  // namespace measured
