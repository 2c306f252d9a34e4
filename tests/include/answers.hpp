// SPDX-License-Identifier: Apache-2.0
// What an experiment says of cells: of one that is run, and of records that a test makes up.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "cells.hpp"

namespace cells {

/// Throws where an answer prints a word or a unit that the legend of its column does not explain.
inline poslab::data::Answer explained(const poslab::experiments::Experiment& experiment, poslab::data::Answer answer) {
  const auto words = poslab::data::words_of(answer, experiment.column.unit);
  for (const std::string& word : poslab::data::unexplained(experiment.column, words))
    throw std::logic_error("no word of column() of " + experiment.info.id + " explains \"" + word + "\"");
  return answer;
}

/// The experiment's answer to these records, at the point of `cell`.
inline poslab::data::Answer answer_to(const Cell& cell, const std::vector<poslab::data::Record>& records,
                                      bool untrained = false) {
  const poslab::experiments::Experiment& experiment = poslab::experiments::find_experiment(cell.experiment);
  const Values axes = all_axes(cell);
  poslab::experiments::Point point{experiment.info, axes, {}, untrained};
  for (const poslab::data::Record& record : records) point.repeats.push_back(&record);
  return explained(experiment, experiment.answer(point));
}

/// The answer to the cell itself, run this often. A skipped cell has none: an empty sentence.
inline poslab::data::Answer answer_of(Cell cell, int repeats = 1) {
  const bool untrained = poslab::host::Scheme(plugin(cell.scheme), cell.parameters, cell.model).has_trainable_weights();
  std::vector<poslab::data::Record> records;
  for (cell.repeat = 0; cell.repeat < repeats; ++cell.repeat) {
    Answer measured = run(cell);
    if (!measured.skip.empty()) return {};
    records.push_back(std::move(measured.record));
  }
  return answer_to(cell, records, untrained);
}

}  // namespace cells
