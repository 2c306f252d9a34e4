// SPDX-License-Identifier: Apache-2.0
// The table of sub-commands with their help.
#include "poslab/app/commands.hpp"

#include <algorithm>

#include "poslab/app/arguments/options.hpp"

namespace poslab::app {

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      {"run", "run studies, each into one results file",
       "usage: poslab run STUDY.toml [STUDY.toml ...] [options]\n\n"
       "Measures what a study asks for and writes ./STUDY.h5. Run it again to\n"
       "continue where it stopped.\n\n"
       "  poslab run quickstart.toml\n"
       "  poslab run quickstart.toml --axis length=128,256 --only rope -o small.h5\n\n"
       "Exit code: 0 all well, 1 an expectation failed, 2 the study is wrong, 3 some\n"
       "cells failed, 4 stopped (what is done is kept), 75 another process is writing\n"
       "this file, 130 interrupted.\n",
       run_command},
      {"list", "list schemes and experiments",
       "usage: poslab list [schemes|experiments] [options]\n\n"
       "Names what there is, in one line each.\n\n"
       "  poslab list\n  poslab list schemes --json\n",
       list_command},
      {"describe", "all about one scheme or experiment",
       "usage: poslab describe NAME [options]\n\n"
       "Formula, paper, parameters and claims of a scheme; measures of an experiment.\n\n"
       "  poslab describe t5 --set bidirectional=true --heads 12 --d-model 768\n"
       "  poslab describe relative-shift --json\n",
       describe_command, "the plugin", describe_seconds},
      {"find", "schemes, measures, pages ... by a word",
       "usage: poslab find WORD ... [options]\n\n"
       "Looks for all of the words in the names and sentences of schemes, parameters,\n"
       "experiments, axes and measures, and in the pages; the nearest come first.\n\n"
       "  poslab find min_distance\n  poslab find wavelength base --all\n\n"
       "Exit code: 0 something was found, 2 nothing was.\n",
       find_command},
      {"table", "the arrays that a scheme produces",
       "usage: poslab table SCHEME [options]\n\n"
       "Draws what a scheme adds, rotates or takes away at each position.\n\n"
       "  poslab table sinusoidal --d-model 64 --positions 0:128 -o sinusoidal.h5\n"
       "  poslab table swin --grid 8x8\n",
       table_command, "the plugin", table_seconds},
      {"new", "create a new scheme from a template",
       "usage: poslab new scheme NAME [options]\n\n"
       "Writes DIR/NAME with a scheme that builds, its page, its test and its CMake\n"
       "lines; in poslab's own plugins/ and anywhere else.\n\n"
       "  poslab new scheme my-rope --family rotary\n"
       "  poslab new scheme my-bias --family bias --dir plugins\n",
       new_command},
      {"status", "progress of runs, from their journals",
       "usage: poslab status FILE... [options]\n\n"
       "FILE: a results file that a run writes or will write, its journal, or a study\n"
       "that writes to its default output. Shards are found beside it.\n\n"
       "  poslab status quickstart.toml\n  poslab status a.h5 --json\n\n"
       "Exit code: 0 every cell is done, 2 there is no such journal, 3 done, but some\n"
       "cells failed, 4 some are left.\n",
       status_command},
      {"merge", "the shards of a run as one results file",
       "usage: poslab merge -o FILE SHARD.h5 ... [options]\n\n"
       "Writes what one run would have written; refuses shards that do not belong\n"
       "together or are not all there, and says which.\n\n"
       "  poslab run a.toml --shard 1/2; poslab run a.toml --shard 2/2\n"
       "  poslab merge -o a.h5 a.*-of-2.h5\n\n"
       "Exit code: as of run; 2 nothing was merged, 4 the disk is full.\n",
       merge_command},
      {"summary", "what a results file answers",
       "usage: poslab summary FILE.h5 [options]\n\n"
       "Prints what the run that wrote it ended with: an answer for each scheme and\n"
       "question, what failed, what was expected.\n\n"
       "  poslab summary quickstart.h5\n  poslab summary quickstart.h5 --verbose | less\n\n"
       "Exit code: 0 all well, 2 the file cannot be read.\n",
       summary_command, "the file", file_seconds, for_each_megabyte},
      {"report", "a page of a results file, with figures",
       "usage: poslab report FILE.h5 [options]\n\n"
       "Writes the table of answers and a figure: Markdown (with an SVG beside it),\n"
       "LaTeX (with a PDF) or PDF.\n\n"
       "  poslab report quickstart.h5\n  poslab report quickstart.h5 -o quickstart.pdf\n",
       report_command, "the file", file_seconds, for_each_megabyte},
      {"compare", "what differs between two results files",
       "usage: poslab compare A.h5 B.h5 [options]\n\n"
       "Joins cells on their identity and compares each measure within its tolerance:\n"
       "a line for each measure that differs, with the worst of its values.\n\n"
       "  poslab compare before.h5 after.h5\n"
       "  poslab compare before.h5 after.h5 --verbose\n\n"
       "Exit code: 0 equal, 1 different, 2 a file cannot be read.\n",
       compare_command, "one of the files", file_seconds, for_each_megabyte},
      {"check", "try to refute what a plugin promises",
       "usage: poslab check PLUGIN.so|SCHEME ... [options]\n\n"
       "Performs every check in a process of its own. Without --set: on the default\n"
       "variant and, a parameter at a time, on other choices and ends of ranges.\n\n"
       "  poslab check rope\n"
       "  poslab check build/mine.so --only relative,gradients --set base=500000\n\n"
       "Exit code: 0 all passed, 1 a check failed, 2 the command is wrong.\n",
       check_command},
      {"submit", "run a study on a cluster with Slurm",
       "usage: poslab submit STUDY.toml --tasks N [options] [-- OPTIONS OF SBATCH]\n\n"
       "Checks the study, then submits a job array, a task for each shard, and a job\n"
       "that merges them. Call it where sbatch is, in a folder that all nodes see.\n\n"
       "  poslab submit study.toml --tasks 40 --time 2:00:00\n"
       "  poslab submit study.toml --tasks 40 --memory 8GiB -- --account=lab\n\n"
       "Exit code: 0 submitted, 2 the study, an option or what sbatch says is wrong.\n",
       submit_command},
      {"verify", "reproduce published results",
       "usage: poslab verify [STUDY.toml ...] [options]\n\n"
       "Runs the studies of published results and of exact facts that ship with\n"
       "poslab, or those given, and prints for each of their expectations what was\n"
       "published, what comes out here, and whether it holds.\n\n"
       "  poslab verify\n  poslab verify --trained --data text=shakespeare.txt -o verified\n\n"
       "Exit code: 0 all hold, 1 one does not, else as of run.\n",
       verify_command}};
  return all;
}

const Command* command_of(const std::string& name) {
  const auto found =
      std::find_if(commands().begin(), commands().end(), [&](const Command& command) { return name == command.name; });
  return found == commands().end() ? nullptr : &*found;
}

}  // namespace poslab::app
