// SPDX-License-Identifier: Apache-2.0
// What may be handed on to sbatch. It reads words as getopt_long does: names may be shortened, letters joined, the last
// of two wins, and the first word that is no option is a script that it takes instead of ours.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "poslab/app/options.hpp"
#include "poslab/app/slurm.hpp"

namespace poslab::app {
namespace {

// What a job would no longer be ours with.
constexpr std::string_view our_letters = "aDeiotW";
constexpr std::string_view our_names[] = {"--array",      "--chdir",     "--error",  "--input",
                                          "--no-requeue", "--open-mode", "--output", "--parsable",
                                          "--signal",     "--time",      "--wait",   "--wrap"};

// Options of sbatch without a value, or with one that must stand in the same word: what follows is not theirs.
constexpr std::string_view flag_letters = "hHOQsvVW";
constexpr std::string_view flag_names[] = {
    "--contiguous", "--exclusive",     "--get-user-env", "--help",       "--hold",      "--ignore-pbs",
    "--nice",       "--no-kill",       "--no-requeue",   "--overcommit", "--parsable",  "--oversubscribe",
    "--propagate",  "--quiet",         "--reboot",       "--requeue",    "--test-only", "--spread-job",
    "--usage",      "--use-min-nodes", "--verbose",      "--version",    "--wait"};

template <class Names>
bool shortens_one_of(const Names& names, std::string_view name) {
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view full) { return full.rfind(name, 0) == 0; });
}

bool contains(std::string_view letters, char letter) { return letters.find(letter) != std::string_view::npos; }

struct Option {
  bool is_ours = false;
  bool awaits_value = false;  ///< in the next word
};

Option long_option(std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  return {shortens_one_of(our_names, name), equals == std::string_view::npos && !shortens_one_of(flag_names, name)};
}

Option short_options(std::string_view word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (contains(our_letters, word[i])) return {true, false};
    // "-k" has its value, if any, in the same word
    if (!contains(flag_letters, word[i])) return {false, i + 1 == word.size() && word[i] != 'k'};
  }
  return {};
}

}  // namespace

std::vector<std::string> split_sbatch_options(const std::string& text) {
  std::vector<std::string> words = boost::program_options::split_unix(text);
  Option last;
  for (const std::string& word : words) {
    const bool is_option = word.size() > 1 && word[0] == '-';
    if (!is_option && !last.awaits_value)
      throw UsageError(fmt::format(
          "--sbatch has the word \"{}\", which sbatch would take for a script, in the place of poslab's", word));
    last = !is_option ? Option{} : word[1] == '-' ? long_option(word) : short_options(word);
    if (last.is_ours)
      throw UsageError(
          fmt::format("--sbatch has {}, which poslab sets itself, always or by an option of its own (see "
                      "poslab submit STUDY.toml --dry-run)",
                      word));
  }
  return words;
}

}  // namespace poslab::app
