// SPDX-License-Identifier: Apache-2.0
// Options of sub-commands: Boost.Program_options without guessing from prefixes, and with errors that point to --help.
#pragma once

#include <boost/program_options.hpp>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "poslab/base/bad_argument.hpp"

namespace poslab::app {

struct Command;

/// A mistake on the command line: exit code 2 and a hint at --help.
struct UsageError : base::BadArgument {
  using base::BadArgument::BadArgument;
};

/// Too few words, or too many.
struct WrongWords : UsageError {
  WrongWords(const std::string& command, std::size_t least, std::size_t most, const std::vector<std::string>& given);
  std::string command;
  std::size_t least, most;
  std::vector<std::string> given;
};

/// What is declared of an option, for whoever writes about it.
struct OptionRow {
  std::string name, letter;  ///< "output", "o" or empty
  std::string value;         ///< "FILE", "N (=1)", or empty if it takes none
  std::string sentence;
};

struct OptionGroup {
  std::string heading;  ///< empty: for poslab itself, and not shown
  boost::program_options::options_description options;
};

/// `--help` was asked for: not a mistake.
struct HelpWanted {
  std::string text;
  std::vector<OptionRow> options = {};  ///< of the command, but for --help
};

class Options {
 public:
  explicit Options(const std::string& command) : command_(command), groups_{} { group("options"); }
  boost::program_options::options_description_easy_init add() { return groups_.back().options.add_options(); }
  /// What is added from now on stands under this heading of the help; without a heading it is not shown.
  void group(const std::string& heading) {
    groups_.push_back({heading, boost::program_options::options_description()});
  }
  /// Words that are no options are collected under `name`; `least` .. `most` of them.
  void positional(const std::string& name, std::size_t least, std::size_t most);
  /// Throws UsageError, or HelpWanted.
  boost::program_options::variables_map parse(const std::vector<std::string>& arguments);

 private:
  std::string help() const;

  std::string command_;
  std::list<OptionGroup> groups_;
  std::string positional_;
  std::size_t least_ = 0, most_ = 0;
};

/// Those that are for people.
std::vector<OptionRow> option_rows(const OptionGroup& group);
std::vector<OptionRow> option_rows(const std::list<OptionGroup>& groups);
std::vector<OptionRow> options_of(const Command& command);

/// The option --time-limit of a command that runs in a child, and what it says; its parent reads it before the child
/// reads the others, and leaves it to the child to complain of a wrong one.
void add_time_limit_option(Options& options, double seconds);
void add_file_time_limit_option(Options& options);
double time_limit_of(const std::vector<std::string>& arguments, double seconds);
/// Seconds that these commands have if no --time-limit is given.
inline constexpr double describe_seconds = 60, table_seconds = 3600;
/// Limits of commands that read results: many times what a slow machine needs, and no more than that for a damaged
/// file.
inline constexpr double file_seconds = 120, for_each_megabyte = 10;

/// What -o says. Throws UsageError if it is empty or would be taken for a journal.
std::string output_of(const boost::program_options::variables_map& values);
/// "k=v" split at the first `=`. Throws UsageError naming `option`.
std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text);
/// "8GiB", "500MB", "1e9" as bytes. Throws UsageError, also of a few bytes without a unit.
double parse_bytes(const std::string& text);

}  // namespace poslab::app
