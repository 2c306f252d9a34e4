// SPDX-License-Identifier: Apache-2.0
#include "commands/internal.hpp"

#include <sys/socket.h>

#include "commands/exit_code.hpp"
#include "options/options.hpp"
#include "poslab/process/child.hpp"
#include "poslab/process/worker_process.hpp"
#include "poslab/results/output_content.hpp"
#include "poslab/results/trained_weights.hpp"
#include "poslab/run/contained_reader.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::app {
namespace {

struct WorkerOptions final : Options {
  Option<int> threads{this, option("threads", "N", "that perform cells"), usual(1)};
  Option<double> memory{this, option("memory", "BYTES", "that it may take"), usual(0.0)};
  Option<double> checkpoint{this, option("checkpoint", "SECONDS", "between the checkpoints of a long cell"),
                            usual(20.0)};
};

}  // namespace

int worker_command(const std::vector<std::string>& arguments) {
  WorkerOptions asked;
  int type = 0;
  socklen_t size = sizeof type;
  if (!asked.parse(arguments) || getsockopt(process::connection_descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
    throw UsageError("this command is started by `poslab run` alone");
  workers::BackendOptions backend;
  backend.threads = *asked.threads;
  backend.memory = *asked.memory;
  backend.checkpoint_seconds = *asked.checkpoint;
  return workers::worker_main(backend);
}

int look_command(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) throw UsageError("this command is started by poslab alone");
  const std::string answer = run::encode(results::read_output_content(arguments.front()));
  return process::answer(answer) ? all_well : wrong_input;
}

int kept_command(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.size() > 2) throw UsageError("this command is started by poslab alone");
  std::vector<results::TrainedCell> cells;
  if (arguments.size() == 1)
    cells = results::read_trained(arguments[0]);
  else
    cells.emplace_back().arrays.push_back(results::read_dataset(arguments[0], arguments[1]));
  return process::answer(run::encode(cells)) ? all_well : wrong_input;
}

int networks_command(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) throw UsageError("this command is started by poslab alone");
  const auto cells = results::read_trained(arguments.front(), results::Kept::all);
  return process::answer(run::encode(cells)) ? all_well : wrong_input;
}

}  // namespace poslab::app
