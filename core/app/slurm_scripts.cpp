// SPDX-License-Identifier: Apache-2.0
// What a task of the array and the merge job do. Facts of the submission stand at the top, as variables; the rest is the
// same for all.
#include <fmt/format.h>

#include <filesystem>

#include "poslab/app/bash_words.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/slurm.hpp"

namespace poslab::app {
namespace {

constexpr const char* task_body = R"bash(
# Whatever ends this task, the same command goes on from the journal beside the shard's results file.
attempt=$((${SLURM_RESTART_COUNT:-0} + 1))
shard=$SLURM_ARRAY_TASK_ID/$tasks
threads=${SLURM_CPUS_PER_TASK:-$cpus}
megabytes=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * threads))}
say() { printf '%(%F %T)T shard %s: %s\n' -1 "$shard" "$*"; }
say "job $SLURM_JOB_ID on ${SLURMD_NODENAME:-$HOSTNAME}, attempt $attempt"
run+=(--shard "$shard" --threads "$threads")
# Cells get a share of what Slurm gives; nothing known (0): of what is free, as in any run.
((megabytes > 0)) && run+=(--memory "$((megabytes * percent / 100))MiB")

# USR1: time is nearly up (sbatch --signal). TERM: somebody wants this to end (scancel, a node that goes down).
# Either way poslab finishes the cells in flight, if they end soon.
why=
trap 'heard time' USR1
trap 'heard end' TERM
heard() {
  why=$1 news=yes
  [[ -n ${!-} ]] && kill -TERM "$!" 2>/dev/null
}

perform() {
  local deadline
  "${run[@]}" &
  [[ -n $why ]] && kill -TERM "$!"
  while true; do
    news=
    wait "$!"  # a signal ends the wait, not poslab
    code=$?
    [[ -z $news ]] && break
    deadline=$((SECONDS + patience))
    while ((SECONDS < deadline)) && kill -0 "$!" 2>/dev/null; do sleep 0.2; done
    kill -TERM "$!" 2>/dev/null  # the second one ends it at once
  done
}

# A node that was thought dead may still work at this shard: what it finishes is not done twice. At most for an hour.
perform
pause=1 begun=$SECONDS
while ((code == busy)) && [[ -z $why ]] && ((SECONDS - begun < 3600)); do
  ((pause == 1)) && say "another process is at it, see above; waiting for it"
  sleep "$pause" &
  wait "$!"
  ((pause < 15)) && pause=$((pause * 2))
  perform
done

finish() {
  say "$1"
  exit "$code"
}
again() {
  ((attempt > restarts)) && finish "$1; that was attempt $attempt, the last: submit again to go on"
  say "$1; back into the queue"
  trap '' TERM USR1
  # The number of the array alone would put all its tasks back.
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && exit 0
  finish "Slurm does not take it back: submit again to go on"
}
case $code in
  0) finish "done" ;;
  3) finish "done, but some cells have no result (see above)" ;;  # they would fail again
  2) finish "nothing can be done here before what is wrong is put right (see above)" ;;
esac
[[ $why == end ]] && finish "told to end; submit again to go on"
[[ $why == time ]] && again "time is nearly up"
case $code in
  "$busy") again "another process is still at it" ;;
  4) again "stopped before the end (see above)" ;;  # a disk that is full, or away for a moment
  126 | 127) again "poslab does not start on this node" ;;
  130) again "interrupted" ;;
esac
((code > 128)) && again "poslab was killed by SIG$(kill -l "$code")"
finish "ended with code $code"
)bash";

constexpr const char* merge_body = R"bash(
# --fresh: whether the results file may be replaced was asked when this was submitted; the study may have grown since.
# Shards that are not there are named by the merge itself, unless none is.
there=()
for shard in "${shards[@]}"; do [[ -e $shard ]] && there+=("$shard"); done
printf '%(%F %T)T merging %s of %s shards\n' -1 "${#there[@]}" "${#shards[@]}"
[[ ${#there[@]} -gt 0 ]] || { echo "no task has left a results file; the logs beside this one say why" && exit 2; }
exec "${merge[@]}" "${there[@]}"
)bash";

std::string heading(const Submission& submission, const std::string& what) {
  std::string text = "#!/bin/bash\n# " + what + " Written by poslab submit.\nset -u\n";
  if (!submission.plugin_path.empty()) text += "export POSLAB_PLUGIN_PATH=" + bash_word(submission.plugin_path) + "\n";
  return text;
}

}  // namespace

std::string task_script(const Submission& submission) {
  std::vector<std::string> run{submission.poslab, "run", submission.study, "-o", submission.output};
  run.insert(run.end(), submission.run_options.begin(), submission.run_options.end());
  return heading(submission, "One task of a job array: one shard of a study.") +
         fmt::format("run=({})\ntasks={} cpus={} restarts={} patience={} percent={:.0f} busy={}\n", bash_words(run),
                     submission.tasks, submission.cpus, submission.restarts, (warning_seconds(submission) + 1) / 2,
                     100 * cells_share, int{busy}) +
         task_body;
}

std::string merge_script(const Submission& submission) {
  const std::filesystem::path output = submission.output;
  return heading(submission, "The shards of a study become one results file.") +
         fmt::format("merge=({})\nshards=({}.{{1..{}}}-of-{}{})\n",
                     bash_words({submission.poslab, "merge", "--fresh", "-o", submission.output}),
                     bash_word((output.parent_path() / output.stem()).string()), submission.tasks, submission.tasks,
                     output.extension().empty() ? "" : bash_word(output.extension().string())) +
         merge_body;
}

}  // namespace poslab::app
