// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "options/completers.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/process/interrupt.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

struct MergeOptions final : Options {
  MergeOptions() {
    words = {1, Words::any, [](const Typed&) { return Completion{{}, {"*.journal"}}; }};
  }
  Text output{this, option("output", "FILE", "results file to write", results_files, nullptr, 'o'),
              accepted(output_name())};
  Flag mixed_plugins{this, flag("mixed-plugins", "take shards made with different files of one plugin")};
  Flag partial{this, flag("partial", "merge what is there, though shards or cells are missing")};
  Flag fresh{this, flag("fresh", "replace whatever the output holds")};
  Flag verbose{this, flag("verbose", "end with every measure, too")};
};

std::string note(const char* sentence, const std::set<std::string>& words) {
  return words.size() < 2 ? ""
                          : fmt::format("poslab: {}: {}\n", sentence,
                                        base::printable(base::enumerate({words.begin(), words.end()})));
}

// A command line as provenance keeps it, `["poslab", "run", ...]`; empty if it is none: the file may be anybody's.
std::vector<std::string> run_words(const std::string& command_line) {
  const auto list = nlohmann::json::parse(command_line, nullptr, false);
  if (!list.is_array()) return {};
  std::vector<std::string> words;
  for (const auto& word : list) {
    if (!word.is_string()) return {};
    words.push_back(word.get<std::string>());
  }
  const bool is_run = words.size() > 2 && words[0] == "poslab" && words[1] == "run";
  return is_run ? words : std::vector<std::string>();
}

// The same command for another shard, without --fresh, which would forget what that shard has done, and --fail-fast,
// which might not finish it.
std::vector<std::string> for_shard(const std::vector<std::string>& command, const data::Shard& shard) {
  std::vector<std::string> words;
  bool has_shard = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == "--fresh" || command[i] == "--fail-fast") continue;
    const bool is_shard = command[i] == "--shard" || command[i].starts_with("--shard=");
    if (is_shard && command[i] == "--shard") ++i;  // its value
    if (is_shard)
      words.insert(words.end(), {"--shard", shard.option()});
    else
      words.push_back(command[i]);
    has_shard = has_shard || is_shard;
  }
  if (!has_shard) words.insert(words.end(), {"--shard", shard.option()});
  return words;
}

// What would put a problem right.
std::string advice_text(const run::MergeProblem& problem) {
  using Kind = run::MergeProblem::Kind;
  if (problem.kind == Kind::other_plugin) return ", or accept both with --mixed-plugins";
  if (!problem.to_run) return "";
  const std::string command = shard_command(*problem.to_run);
  if (problem.kind == Kind::damaged) return fmt::format("; run that shard again ({})", command);
  const char* what = problem.kind == Kind::unfinished ? "finish it" : problem.shards.size() > 1 ? "run them" : "run it";
  return fmt::format("; {} ({}), or merge what there is with --partial", what, command);
}

int merge(const MergeOptions& asked) try {
  if (!asked.output.is_given()) throw UsageError("-o FILE is missing: where the merged results go");
  const run::MergeRequest request{
      asked.words.given, *asked.output, {*asked.mixed_plugins, *asked.partial}, *asked.fresh, asked.arguments()};
  const process::InterruptGuard guard;
  const run::MergeResult result = run::merge_shards(
      request, [](const run::Mixture& mixture) { print(stderr, mixture_text(mixture)); }, guard.stop());
  print(stdout, merge_text(result, request.output, summary_style(*asked.verbose)));
  return exit_code(result.ending);
} catch (const run::NotMergeable& refusal) {
  print(stderr, "poslab: " + refusal_text(refusal.problems) + "\n");
  return wrong_input;
}

}  // namespace

std::string shard_command(const run::ShardToRun& like) {
  std::vector<std::string> words = run_words(like.command_line);
  if (words.empty()) words = {"poslab", "run", like.study.empty() ? "STUDY" : like.study};
  return base::shell_words(for_shard(words, like.shard));
}

std::string refusal_text(const std::vector<run::MergeProblem>& problems) {
  std::string text = "these files cannot be merged:";
  for (const run::MergeProblem& problem : problems)
    text += "\n  " + base::printable(run::to_text(problem) + advice_text(problem));
  return text;
}

std::string mixture_text(const run::Mixture& mixture) {
  return note("these shards were made by builds of different commits", mixture.commits) +
         note("these shards were made on different processors, so that another run may differ in last bits",
              mixture.processors);
}

StyledText merge_text(const run::MergeResult& result, const std::string& output, const SummaryStyle& style) {
  if (result.ending == run::Ending::interrupted) return "";
  StyledText text = summary({result.title, output, result.cells, result.catalogue, result.outcomes, result.expectations,
                             result.answers, result.plugin_checks, result.weights_files},
                            style) +
                    closing_line(result.outcomes, result.seconds, output);
  if (!result.complete)
    text += fmt::format("partial: {} of {}\n", result.cells.size(), base::counted(result.planned, "cell"));
  return text;
}

Command merge_command() {
  return with_action(
      {.name = "merge",
       .sentence = "the shards of a run as one results file",
       .usage = "-o FILE SHARD ...",
       .what = "Writes what one run would have written, from the journals of shards; refuses those that do not belong "
               "together or are not all there, and says which.",
       .shown = {"poslab run a.toml --shard 1/2; poslab run a.toml --shard 2/2",
                 "poslab merge -o a.h5 a.*-of-2.h5.journal"},
       .exit_codes = "as of run; 2 nothing was merged, 4 the disk is full."},
      merge);
}

}  // namespace poslab::app
