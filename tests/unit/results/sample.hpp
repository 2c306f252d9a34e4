// SPDX-License-Identifier: Apache-2.0
// A made-up run with one of everything that a results file can hold; no number in it was measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/results/writer.hpp"
#include "sample_directory.hpp"

namespace poslab::sample {

struct Run {
  results::Description description;
  std::vector<data::Cell> cells;
  std::vector<data::Outcome> outcomes;
  std::vector<data::ExpectationResult> expectations;
  data::AnswerTable answers;

  std::vector<results::Row> rows() const;
  void write(const std::string& path) const { results::write(path, description, rows(), {expectations, answers}); }
  /// The first cell of that experiment and variant with these axes.
  std::size_t find(const std::string& experiment, const std::string& variant, std::int64_t length) const;
};

/// Two experiments. `uniqueness`: lengths 4, 8 and `long_length`, schemes none, sinusoidal, rope in two variants and
/// learned; `relative-shift`: inner axes, offsets around 0, a curve over two dimensions, three repeats, one failure.
Run make_run(std::int64_t long_length = 16);

/// Uniqueness on a grid of 2 rows and 3 columns, the second cell skipped; its curve's values are 10 row + column.
Run make_grid_run();

/// The value that the sample gives to a measure: distinct for every cell and point.
double made_up(const data::Cell& cell, const std::string& measure, double x);

}  // namespace poslab::sample
