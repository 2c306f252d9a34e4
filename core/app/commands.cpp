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
       "Writes ./STUDY.h5 unless -o says otherwise, and ends with a table of what was measured.\n"
       "Exit code: 0 all well, 1 an expectation failed, 2 the study is wrong, 3 some cells failed,\n"
       "4 stopped with what is done safe in the journal, as on a full disk, 75 another process is writing\n"
       "this file, 130 interrupted. Running again resumes.\n\n"
       "  poslab run quickstart.toml\n"
       "  poslab run quickstart.toml --plan                       what would run, and what it needs\n"
       "  poslab run quickstart.toml --axis length=128,256 --only rope --only uniqueness -o small.h5\n",
       run_command},
      {"list", "list schemes and experiments",
       "usage: poslab list [schemes|experiments] [--json]\n\n  poslab list\n  poslab list schemes --json\n",
       list_command},
      {"describe", "all about one scheme or experiment",
       "usage: poslab describe NAME [options]\n\n"
       "For a scheme: formula, paper, parameters; and what it claims with the parameters and the model given.\n\n"
       "  poslab describe rope\n  poslab describe t5 --set bidirectional=true --heads 12 --d-model 768\n"
       "  poslab describe relative-shift --json\n",
       describe_command, "the plugin", describe_seconds},
      {"table", "the arrays that a scheme produces",
       "usage: poslab table SCHEME [options]\n\n"
       "  poslab table sinusoidal --d-model 64 --positions 0:128 -o sinusoidal.h5\n"
       "  poslab table rope --set base=500000 --set style=half-split\n"
       "  poslab table swin --grid 8x8\n",
       table_command, "the plugin", table_seconds},
      {"new", "a folder to begin a scheme of one's own with",
       "usage: poslab new scheme NAME [--dir DIR] [--family additive|rotary|bias]\n\n"
       "Writes DIR/NAME with a scheme that builds, its page, its test and its CMake lines; in poslab's own plugins/ "
       "and\n"
       "anywhere else.\n\n"
       "  poslab new scheme my-rope --family rotary\n  poslab new scheme my-bias --family bias --dir plugins\n",
       new_command},
      {"status", "how far runs are, from their journals",
       "usage: poslab status FILE... [--json]\n\n"
       "FILE is a results file that a run writes or will write, its journal, or a study that writes to its default "
       "output.\n"
       "Looks at the journals only, also while they are written; shards of a results file are found beside it.\n"
       "Exit code: 0 every cell is done, 2 there is no such journal, 3 done, but some cells failed, 4 some are "
       "left.\n\n"
       "  poslab status quickstart.toml\n  poslab status a.h5 --json\n",
       status_command},
      {"merge", "the shards of a run as one results file",
       "usage: poslab merge -o FILE SHARD.h5 ... [options]\n\n"
       "Writes what one run would have written. Refuses shards that do not belong together or are not all there, and "
       "says\n"
       "which. Exit code: as of run; 2 if nothing was merged, 4 if the disk is full.\n\n"
       "  poslab run a.toml --shard 1/2; poslab run a.toml --shard 2/2\n"
       "  poslab merge -o a.h5 a.*-of-2.h5\n",
       merge_command},
      {"summary", "what a results file answers",
       "usage: poslab summary FILE.h5 [--verbose]\n\n"
       "Prints what the run that wrote it ended with: an answer for each scheme and question, what failed, what was\n"
       "expected. Exit code: 0, 2 the file cannot be read.\n\n"
       "  poslab summary quickstart.h5\n  poslab summary quickstart.h5 --verbose | less\n",
       summary_command, "the file", summary_seconds},
      {"report", "a page of a results file, with figures",
       "usage: poslab report FILE.h5 [-o PAGE.md|PAGE.tex|PAGE.pdf]\n\n"
       "Writes the table of answers and a figure, as Markdown (with an SVG beside it), LaTeX (with a PDF) or PDF.\n\n"
       "  poslab report quickstart.h5\n  poslab report quickstart.h5 -o quickstart.pdf\n",
       report_command},
      {"compare", "what differs between two results files",
       "usage: poslab compare A.h5 B.h5 [--exact]\n\n"
       "Joins cells on their identity and compares each measure within its own tolerance; --exact compares every "
       "object\n"
       "outside provenance bit for bit. Exit code: 0 equal, 1 different, 2 a file cannot be read.\n",
       compare_command, "one of the files", compare_seconds},
      {"check", "try to refute what a plugin promises",
       "usage: poslab check PLUGIN.so|SCHEME ... [options]\n\n"
       "Performs every check in a process of its own and says in one sentence what it found. Without --set: the "
       "default\n"
       "variant and, one parameter at a time, every other choice, flag and end of a range.\n"
       "Exit code: 0 all passed, 1 a check failed, 2 the command is wrong.\n\n"
       "  poslab check rope\n"
       "  poslab check build/my-scheme.so --only relative,gradients --set base=500000\n"
       "  poslab check --list\n",
       check_command},
      {"submit", "run a study on a cluster with Slurm",
       "usage: poslab submit STUDY.toml --tasks N [options] [-- OPTIONS OF SBATCH]\n\n"
       "Checks the study, then submits a job array with one task a shard, and a job that merges what they leave into "
       "one\n"
       "file. Tasks that are stopped go on where they were. To be called where sbatch is, in a folder that all nodes "
       "see.\n"
       "What follows -- is handed to sbatch as it is.\n"
       "Exit code: 0 submitted, 2 the study, an option or what sbatch says is wrong.\n\n"
       "  poslab submit study.toml --tasks 40 --time 2:00:00\n"
       "  poslab submit study.toml --tasks 40 --cpus 4 --memory 8GiB -- --account=lab\n"
       "  poslab submit study.toml --tasks 40 --dry-run           print what would be submitted, as a script\n",
       submit_command}};
  return all;
}

const Command* command_of(const std::string& name) {
  const auto found =
      std::find_if(commands().begin(), commands().end(), [&](const Command& command) { return name == command.name; });
  return found == commands().end() ? nullptr : &*found;
}

}  // namespace poslab::app
