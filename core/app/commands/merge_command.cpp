// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <limits>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/merge_text.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/process/interrupt.hpp"
#include "poslab/run/merge_shards.hpp"

namespace po = boost::program_options;

namespace poslab::app {

int merge_command(const std::vector<std::string>& arguments) {
  Options options("merge");
  options.add()("output,o", po::value<std::string>()->value_name("FILE"), "results file to write")(
      "mixed-plugins", "take shards made with different files of one plugin")(
      "partial", "merge what is there, though shards or cells are missing")(
      "fresh", "replace whatever the output holds")("verbose", "end with every measure, too");
  options.positional("FILE", 1, std::numeric_limits<std::size_t>::max());
  const po::variables_map values = options.parse(arguments);
  if (values.count("output") == 0) throw UsageError("-o FILE is missing: where the merged results go");
  const run::MergeRequest request{values["FILE"].as<std::vector<std::string>>(),
                                  output_of(values),
                                  {values.count("mixed-plugins") > 0, values.count("partial") > 0},
                                  values.count("fresh") > 0,
                                  arguments};
  const process::InterruptGuard guard;
  const run::MergeResult result = run::merge_shards(
      request, [](const run::Mixture& mixture) { print(stderr, mixture_text(mixture)); }, guard.stop());
  print(stdout, merge_text(result, request.output, summary_style(values.count("verbose") > 0)));
  return exit_code(result.ending);
}

}  // namespace poslab::app
