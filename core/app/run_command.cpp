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
#include "poslab/run/shards.hpp"

namespace po = boost::program_options;

namespace poslab::app {
int run_command(const std::vector<std::string>& arguments) {
  Options options("run");
  options.add()("output,o", po::value<std::string>()->value_name("FILE"), "results file (with one study)")(
      "threads", po::value<int>()->value_name("N"), "threads to use; all processors if absent")(
      "axis", po::value<std::vector<std::string>>()->value_name("NAME=A,B,.."),
      "other values for an axis, wherever an experiment has it")(
      "only", po::value<std::vector<std::string>>()->value_name("ID"),
      "keep this scheme or experiment (may be given again)")("plan", "say what would run and what it needs, and stop")(
      "fail-fast", "start nothing more after the first failed cell")(
      "memory", po::value<std::string>()->value_name("SIZE"),
      "memory for cells, like 8GiB; most of what is free if absent")(
      "force", "run even what is estimated to need more memory than that")(
      "fresh", "replace a results file that holds another study")(
      "shard", po::value<std::string>()->value_name("I/N"),
      "perform the I-th of N parts of the plan, for poslab merge; slurm or slurm/N: of a Slurm job array");
  add_plugin_option(options);
  options.positional("STUDY", 1, std::numeric_limits<std::size_t>::max());
  const po::variables_map values = options.parse(arguments);
  const auto studies = values["STUDY"].as<std::vector<std::string>>();
  if (studies.size() > 1 && values.count("output") > 0)
    throw UsageError("-o names one file, but several studies were given");
  RunRequest request;
  if (values.count("output") > 0) request.output = values["output"].as<std::string>();
  if (values.count("threads") > 0) {
    request.threads = values["threads"].as<int>();
    if (request.threads < 1 || request.threads > 1024)
      throw UsageError(fmt::format("--threads is {}, but must be from 1 to 1024", request.threads));
  }
  if (values.count("memory") > 0) request.memory = parse_bytes(values["memory"].as<std::string>());
  request.overrides = overrides_of(values);
  request.plan_only = values.count("plan") > 0;
  request.fail_fast = values.count("fail-fast") > 0;
  request.force = values.count("force") > 0;
  request.fresh = values.count("fresh") > 0;
  if (values.count("shard") > 0)
    request.shard =
        run::parse_shard(values["shard"].as<std::string>(), [](const char* name) { return std::getenv(name); });
  request.command_line = arguments;
  const host::Library library = open_library(values);
  if (!library.refusals().empty()) std::fputs((refusals_text(library) + "\n").c_str(), stderr);
  int worst = all_well;
  for (const std::string& study : studies) {
    request.study = study;
    worst = std::max<int>(worst, run_study(request, library));
    if (worst == interrupted) break;
  }
  return worst;
}

}  // namespace poslab::app
