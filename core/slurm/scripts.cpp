// SPDX-License-Identifier: Apache-2.0
// What differs between submissions is set by variables at the top of a script; the rest is the same for all.
#include "poslab/slurm/scripts.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "poslab/base/printable.hpp"
#include "poslab/slurm/sbatch.hpp"

namespace poslab::slurm {
namespace {

constexpr const char* task_body = R"bash(
shard=$SLURM_ARRAY_TASK_ID/$tasks
try=$((${SLURM_RESTART_COUNT:-0} + 1))
threads=${SLURM_CPUS_PER_TASK:-1}
megabytes=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * threads))}  # 0: Slurm sets no limit
run+=(--shard "$shard" --threads "$threads")
((megabytes > 0)) && run+=(--memory "$((megabytes * 8 / 10))MiB")  # for the cells

say() { printf '%(%F %T)T shard %s: %s\n' -1 "$shard" "$*"; }

# Slurm sends USR1 when time is nearly up (sbatch --signal), TERM on scancel or when a node goes down.
# The first TERM lets poslab finish the cells that have begun, the second ends it.
why=
trap 'stop time' USR1
trap 'stop end' TERM
stop() {
  local child=${!-} tenths
  why=$1
  kill -TERM "$child" 2>/dev/null
  for ((tenths = 10 * patience; tenths > 0; --tenths)); do
    kill -0 "$child" 2>/dev/null || return
    sleep 0.1
  done
  kill -TERM "$child" 2>/dev/null
}

# The same command goes on from the shard's journal, whatever ended an earlier try.
code=130
perform() {
  [[ -n $why ]] && return
  "${run[@]}" &
  local poslab=$!
  wait "$poslab"
  code=$?
  [[ -z $why ]] && return
  wait "$poslab"  # the signal ended the first wait, not poslab
  code=$?
}

say "job $SLURM_JOB_ID on ${SLURMD_NODENAME:-$HOSTNAME}, try $try"
perform
# Code 75: another process has the journal, perhaps on a node that was thought dead. Wait for it, at most an hour.
((code == 75)) && say "another process is at it, see above; waiting for it"
while ((code == 75 && SECONDS < 3600)) && [[ -z $why ]]; do
  sleep 5 &
  wait "$!"
  perform
done

finish() {
  say "$1"
  exit "$code"
}
again() {
  ((try > restarts)) && finish "$1; that was try $try, the last: submit again to go on"
  say "$1; back into the queue"
  trap '' TERM USR1
  # With the number of the array alone, all its tasks would go back.
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
  4) again "stopped before the end (see above)" ;;  # a disk that is full, or away for a moment
  75) again "another process is still at it" ;;
  126 | 127) again "poslab does not start on this node" ;;
  130) again "interrupted" ;;
esac
((code > 128)) && again "poslab was killed by SIG$(kill -l "$code")"
finish "ended with code $code"
)bash";

constexpr const char* merge_body = R"bash(
# --fresh: when this was submitted, poslab found that the results file may be replaced.
# A task that begins notes that in its shard's journal, so one that is older than the copy of the study, which lies on
# the same disk, was left by an earlier submission. The merge names the shards that are missing, if there is any.
there=() earlier=0
for shard in "${shards[@]}"; do
  if [[ $shard -nt $study ]]; then there+=("$shard"); elif [[ -e $shard ]]; then ((++earlier)); fi
done
printf '%(%F %T)T merging %s of %s shards\n' -1 "${#there[@]}" "${#shards[@]}"
((earlier == 0)) || echo "left out: $earlier of an earlier submission, which no task has begun anew"
[[ ${#there[@]} -gt 0 ]] || { echo "no task has left a journal; the logs beside this one say why" && exit 2; }
exec "${merge[@]}" "${there[@]}"
)bash";

std::string heading(const Submission& submission, const std::string& what) {
  std::string text = "#!/bin/bash\n# " + what + " Written by poslab submit.\nset -u\n";
  if (!submission.plugin_path.empty())
    text += "export POSLAB_PLUGIN_PATH=" + base::shell_word(submission.plugin_path) + "\n";
  if (!submission.python.empty()) text += "export POSLAB_PYTHON=" + base::shell_word(submission.python) + "\n";
  return text;
}

// The call of sbatch, a word on each line.
std::string on_lines(const SbatchCall& call) {
  std::string text;
  for (const std::string& word : call.words) text += (text.empty() ? "" : " \\\n  ") + base::shell_word(word);
  return text;
}

}  // namespace

std::string task_script(const Submission& submission) {
  std::vector<std::string> run{submission.poslab, "run", submission.study, "-o", submission.output};
  run.insert(run.end(), submission.run_options.begin(), submission.run_options.end());
  return heading(submission, "One task of a job array performs one shard of a study.") +
         fmt::format(
             "run=({})\n"
             "tasks={}  # of the array\n"
             "restarts={}  # how often this task may go back into the queue\n"
             "patience={}  # seconds for the cells that have begun, once this task is told to stop\n",
             base::shell_words(run), submission.tasks, submission.restarts, (warning_seconds(submission) + 1) / 2) +
         task_body;
}

std::string merge_script(const Submission& submission) {
  return heading(submission, "The shards of a study become one results file.") +
         fmt::format("merge=({})\nshards=({})\nstudy={}\n",
                     base::shell_words({submission.poslab, "merge", "--fresh", "-o", submission.output}),
                     shard_files(submission), base::shell_word(submission.study)) +
         merge_body;
}

namespace {

// A study that is the copy itself, of an earlier submission, becomes as new as one.
std::string copy_commands(const Submission& submission) {
  const std::string study = base::shell_word(submission.study);
  std::string text = submission.source == submission.study
                         ? fmt::format("touch -- {}\n", study)
                         : fmt::format("cp -- {} {}\n", base::shell_word(submission.source), study);
  for (const Link& link : submission.links)
    text += fmt::format("mkdir -p -- {} && ln -sfn -- {} {}\n",
                        base::shell_word(std::filesystem::path(link.at).parent_path().string()),
                        base::shell_word(link.to), base::shell_word(link.at));
  return text;
}

}  // namespace

std::string submit_script(const Submission& submission) {
  const SbatchCall tasks = task_array(submission), merge = merge_job(submission);
  return fmt::format(
      "#!/bin/bash\nset -eu\n\n"
      "# The tasks read a copy of the study.\nmkdir -p -- {}\n{}\n"
      "tasks=$({} <<'END_OF_SCRIPT'\n{}END_OF_SCRIPT\n)\n\n"
      "merge=$({} \\\n  --dependency=\"afterany:${{tasks%%;*}}\" <<'END_OF_SCRIPT'\n{}END_OF_SCRIPT\n)\n\n"
      "echo \"tasks: $tasks, merge: $merge\"\n",
      base::shell_word(submission.logs), copy_commands(submission), on_lines(tasks), tasks.script, on_lines(merge),
      merge.script);
}

}  // namespace poslab::slurm
