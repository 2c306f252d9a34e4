// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/run_options.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>

#include "poslab/app/arguments/machine_options.hpp"
#include "poslab/app/arguments/options.hpp"
#include "poslab/app/arguments/overrides.hpp"
#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/supply_options.hpp"
#include "poslab/run/shards.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

constexpr double most_between_checkpoints = 3600;  // seconds of work that a kill may cost

void add_run_options(Options& options) {
  options.group("what to run");
  options.add()("only", po::value<std::vector<std::string>>()->value_name("ID"),
                "keep this scheme or experiment (may be repeated)")(
      "axis", po::value<std::vector<std::string>>()->value_name("NAME=A,B,.."),
      "other values for an axis (may be repeated)")("plan", "say what would run and what it needs, and stop")(
      "verbose", "every measure at the end; with --plan, every cell");
  add_plugin_option(options);
  options.group("what it is given");
  add_supply_options(options);
  options.group("results");
  options.add()("output,o", po::value<std::string>()->value_name("FILE"), "results file (with one study)")(
      "fresh", "forget earlier runs; replace what the file holds")(
      "shard", po::value<std::string>()->value_name("I/N"), "the I-th of N parts, for merge; slurm: of a job array");
  options.group("machine");
  add_threads_option(options);
  options.add()("workers", po::value<int>()->default_value(1)->value_name("N"), "processes that share the threads");
  add_memory_option(options);
  options.add()("force", "run even what is estimated to need more memory");
  options.group("what goes wrong");
  options.add()("fail-fast", "start nothing more after the first failed cell");
  add_cell_time_option(options);
  options.add()("checkpoint", po::value<double>()->default_value(20)->value_name("SECONDS"),
                "between checkpoints of a long cell; 0: each step")(
      "check-plugins", "first poslab check for every scheme; kept in the results")(
      "in-process", "perform the cells in this process, for a debugger");
  options.positional("STUDY", 1, std::numeric_limits<std::size_t>::max());
}

run::RunRequest request_of(const po::variables_map& values) {
  run::RunRequest request;
  if (values.count("output") > 0) request.output = output_of(values);
  request.threads = threads_of(values);
  const bool in_process = values.count("in-process") > 0;
  if (in_process && !(values["workers"].defaulted() && values["cell-time"].defaulted()))
    throw UsageError(
        "--in-process performs the cells here: there are no --workers, and no --cell-time that could end one");
  request.workers = in_process ? 0 : values["workers"].as<int>();
  if (!in_process) require_between("workers", request.workers, 1, request.threads, ", the number of --threads");
  request.memory = memory_of(values);
  request.overrides = overrides_of(values);
  request.supply = supply_of(values);
  request.fail_fast = values.count("fail-fast") > 0;
  request.force = values.count("force") > 0;
  request.fresh = values.count("fresh") > 0;
  if (values.count("shard") > 0)
    request.shard =
        run::parse_shard(values["shard"].as<std::string>(), [](const char* name) { return std::getenv(name); });
  return request;
}

}  // namespace

RunOptions run_options(const std::vector<std::string>& arguments) {
  Options options("run");
  add_run_options(options);
  const po::variables_map values = options.parse(arguments);
  RunOptions asked;
  asked.studies = values["STUDY"].as<std::vector<std::string>>();
  if (asked.studies.size() > 1 && values.count("output") > 0)
    throw UsageError("-o names one file, but several studies were given");
  asked.request = request_of(values);
  asked.request.command_line = arguments;
  asked.plan_only = values.count("plan") > 0;
  asked.check_plugins = values.count("check-plugins") > 0;
  asked.verbose = values.count("verbose") > 0;
  asked.plugin_directories = plugin_directories(values);
  const double between = values["checkpoint"].as<double>();
  if (!(between >= 0 && between <= most_between_checkpoints))
    throw UsageError(fmt::format("--checkpoint is {}, but must be from 0 to {}", between, most_between_checkpoints));
  asked.backend = {asked.request.threads, asked.request.workers, asked.request.memory + bytes_beside_cells,
                   cell_time_of(values), between};
  return asked;
}

}  // namespace poslab::app
