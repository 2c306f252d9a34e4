// SPDX-License-Identifier: Apache-2.0
// `poslab worker`: not for people. The host starts it and speaks with it on a connection that only it can make.
#include <sys/socket.h>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/process/worker_process.hpp"
#include "poslab/workers/backend.hpp"

namespace po = boost::program_options;

namespace poslab::app {

int worker_command(const std::vector<std::string>& arguments) {
  Options options("worker");
  options.add()("threads", po::value<int>()->default_value(1), "that perform cells")(
      "memory", po::value<double>()->default_value(0), "bytes that it may take")(
      "checkpoint", po::value<double>()->default_value(20), "between the checkpoints of a long cell");
  const auto values = options.parse(arguments);
  int type = 0;
  socklen_t size = sizeof type;
  if (getsockopt(process::connection_descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
    throw UsageError("this command is started by `poslab run` alone");
  workers::BackendOptions asked;
  asked.threads = values["threads"].as<int>();
  asked.memory = values["memory"].as<double>();
  asked.checkpoint_seconds = values["checkpoint"].as<double>();
  return workers::worker_main(asked);
}

}  // namespace poslab::app
