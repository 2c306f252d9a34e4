// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "poslab/app/commands.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/overrides.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/app/study_run.hpp"
#include "poslab/run/machine.hpp"
#include "poslab/run/shards.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

void require_between(const char* option, int value, int least, int most, const char* which = "") {
  if (value < least || value > most)
    throw UsageError(fmt::format("--{} is {}, but must be from {} to {}{}", option, value, least, most, which));
}

// What a worker needs beside the cells: libraries, stacks, arrays on their way to the host.
constexpr double beside_cells = 512 << 20;  // bytes

std::unique_ptr<run::Workshop> make_workshop_of(const po::variables_map& values, const RunRequest& request) {
  const double seconds = values["cell-time"].as<double>();
  if (!(seconds > 0)) throw UsageError(fmt::format("--cell-time is {}, but must be above 0 seconds", seconds));
  return run::make_workshop({request.threads, request.workers, request.memory + beside_cells, seconds});
}

}  // namespace

int run_command(const std::vector<std::string>& arguments) {
  Options options("run");
  options.add()("output,o", po::value<std::string>()->value_name("FILE"), "results file (with one study)")(
      "threads", po::value<int>()->value_name("N"), "threads to use; all processors if absent")(
      "axis", po::value<std::vector<std::string>>()->value_name("NAME=A,B,.."),
      "other values for an axis, wherever an experiment has it")(
      "only", po::value<std::vector<std::string>>()->value_name("ID"),
      "keep this scheme or experiment (may be given again)")("plan", "say what would run and what it needs, and stop")(
      "verbose", "with --plan: a line for each cell, and why it would run")(
      "fail-fast", "start nothing more after the first failed cell; exit code 4 if that leaves any")(
      "memory", po::value<std::string>()->value_name("SIZE"),
      "memory for cells, like 8GiB; most of what is free if absent")(
      "workers", po::value<int>()->default_value(1)->value_name("N"),
      "processes that share the threads and perform the cells")(
      "in-process", "perform the cells in this process: for a debugger; a plugin that crashes ends the run")(
      "cell-time", po::value<double>()->default_value(3600)->value_name("SECONDS"), "after which a cell is given up")(
      "force", "run even what is estimated to need more memory than that")(
      "fresh", "start over: forget what earlier runs did, and replace a results file that holds another study")(
      "shard", po::value<std::string>()->value_name("I/N"),
      "perform the I-th of N parts of the plan, for poslab merge; slurm or slurm/N: of a Slurm job array");
  add_plugin_option(options);
  options.positional("STUDY", 1, std::numeric_limits<std::size_t>::max());
  const po::variables_map values = options.parse(arguments);
  const auto studies = values["STUDY"].as<std::vector<std::string>>();
  if (studies.size() > 1 && values.count("output") > 0)
    throw UsageError("-o names one file, but several studies were given");
  RunRequest request;
  if (values.count("output") > 0) request.output = output_of(values);
  request.threads = values.count("threads") > 0 ? values["threads"].as<int>() : run::processors();
  require_between("threads", request.threads, 1, 1024);
  if (values.count("in-process") > 0 && !(values["workers"].defaulted() && values["cell-time"].defaulted()))
    throw UsageError(
        "--in-process performs the cells here: there are no --workers, and no --cell-time that could end one");
  request.workers = values.count("in-process") > 0 ? 0 : values["workers"].as<int>();
  if (values.count("in-process") == 0)
    require_between("workers", request.workers, 1, request.threads, ", the number of --threads");
  request.memory =
      values.count("memory") > 0 ? parse_bytes(values["memory"].as<std::string>()) : 0.8 * run::available_memory();
  request.overrides = overrides_of(values);
  request.plan_only = values.count("plan") > 0;
  request.verbose = values.count("verbose") > 0;
  request.fail_fast = values.count("fail-fast") > 0;
  request.force = values.count("force") > 0;
  request.fresh = values.count("fresh") > 0;
  if (values.count("shard") > 0)
    request.shard =
        run::parse_shard(values["shard"].as<std::string>(), [](const char* name) { return std::getenv(name); });
  request.command_line = arguments;
  const auto workshop = make_workshop_of(values, request);
  const host::Library library = open_library(values, *workshop);
  if (!library.refusals().empty()) std::fputs((refusals_text(library) + "\n").c_str(), stderr);
  return run_studies(studies, request, library, *workshop);
}

}  // namespace poslab::app
