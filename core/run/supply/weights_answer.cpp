// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/weights_answer.hpp"

#include <cstring>

#include "poslab/data/pack.hpp"
#include "poslab/process/child.hpp"
#include "poslab/run/output_errors.hpp"

namespace poslab::run {
namespace {

constexpr double patience = 600;                           // seconds; HDF5 loops for ever on some damaged files
constexpr std::size_t most_answer = std::size_t{2} << 30;  // bytes

using data::NotPacked;

void put(std::string& answer, const std::string& record) {
  const std::uint64_t size = record.size();
  answer.append(reinterpret_cast<const char*>(&size), sizeof size);
  answer += record;
}

std::string_view take(std::string_view& answer) {
  std::uint64_t size = 0;
  if (answer.size() < sizeof size) throw NotPacked(NotPacked::Problem::ends_too_soon);
  std::memcpy(&size, answer.data(), sizeof size);
  answer.remove_prefix(sizeof size);
  if (size > answer.size()) throw NotPacked(NotPacked::Problem::ends_too_soon);
  const std::string_view record = answer.substr(0, size);
  answer.remove_prefix(size);
  return record;
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
  std::string answer;
  for (const results::TrainedCell& cell : cells) {
    put(answer, data::pack(data::Values{{"experiment", cell.experiment},
                                        {"scheme", cell.scheme},
                                        {"variant", cell.variant},
                                        {"parameters", cell.parameters},
                                        {"axes", cell.axes},
                                        {"d_model", cell.d_model},
                                        {"heads", cell.heads},
                                        {"repeat", cell.repeat},
                                        {"title", cell.training.title},
                                        {"steps", cell.training.steps}}));
    put(answer, data::pack(data::GivenWeights{"", cell.arrays}));
  }
  return answer;
}

std::vector<results::TrainedCell> cells_of(std::string_view answer) {
  std::vector<results::TrainedCell> cells;
  while (!answer.empty()) {
    const data::Values facts = data::unpack_values(take(answer));
    cells.push_back({facts.text("experiment"),
                     facts.text("scheme"),
                     facts.text("variant"),
                     facts.text("parameters"),
                     facts.text("axes"),
                     facts.integer("d_model"),
                     facts.integer("heads"),
                     facts.integer("repeat"),
                     {facts.text("title"), facts.integer("steps")},
                     data::unpack_given_weights(take(answer)).arrays});
  }
  return cells;
}

std::vector<results::TrainedCell> read_weights(const std::string& path) { return asked({path}); }

data::KeptArray read_weights(const std::string& path, const std::string& dataset) {
  std::vector<results::TrainedCell> cells = asked({path, dataset});
  if (cells.size() != 1 || cells.front().arrays.size() != 1)
    throw NotPacked(NotPacked::Problem::contradiction, "one array was asked for");
  return std::move(cells.front().arrays.front());
}

}  // namespace poslab::run
