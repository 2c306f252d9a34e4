// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/weights_answer.hpp"

#include "poslab/data/archive.hpp"
#include "poslab/process/child.hpp"
#include "poslab/run/output_errors.hpp"

namespace poslab::run {
namespace {

constexpr double patience = 600;                           // seconds; HDF5 loops for ever on some damaged files
constexpr std::size_t most_answer = std::size_t{2} << 30;  // bytes

template <class Archive, data::Of<results::TrainedCell> T>
void archive_cell(Archive& archive, T& cell) {
  archive(cell.experiment, cell.scheme, cell.variant, cell.parameters, cell.axes, cell.d_model, cell.heads, cell.repeat,
          cell.training.title, cell.training.steps, cell.arrays);
}

std::vector<results::TrainedCell> asked(const std::vector<std::string>& words) {
  std::vector<std::string> arguments{process::in_child, "weights"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const process::Ended ended = process::run_self(arguments, patience, most_answer);
  const char* what_to_do = "give other weights";
  if (ended.how != process::End::exited || ended.code != 0) throw OutputUnreadable(words.front(), ended, what_to_do);
  try {
    return cells_of(ended.answer);
  } catch (const base::Error&) {
    throw OutputUnreadable(words.front(), ended, what_to_do);
  }
}

}  // namespace

std::string weights_answer(const std::vector<results::TrainedCell>& cells) {
  data::Writer out;
  for (const results::TrainedCell& cell : cells) archive_cell(out, cell);
  return std::move(out).finish();
}

std::vector<results::TrainedCell> cells_of(std::string_view answer) {
  std::vector<results::TrainedCell> cells;
  for (data::Reader in(answer); !in.rest().empty();) archive_cell(in, cells.emplace_back());
  return cells;
}

std::vector<results::TrainedCell> read_weights(const std::string& path) { return asked({path}); }

data::KeptArray read_weights(const std::string& path, const std::string& dataset) {
  std::vector<results::TrainedCell> cells = asked({path, dataset});
  if (cells.size() != 1 || cells.front().arrays.size() != 1)
    throw data::NotPacked(data::NotPacked::Problem::contradiction, "one array was asked for");
  return std::move(cells.front().arrays.front());
}

}  // namespace poslab::run
