// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/manual_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/run/version.hpp"

namespace poslab::app {
namespace {

// A line of text as roff takes it: a backslash, a minus that can be copied, and no request at its start.
std::string roff_line(const std::string& line) {
  std::string escaped = line.starts_with('.') || line.starts_with('\'') ? "\\&" : "";
  for (const char sign : line) escaped += sign == '\\' ? "\\e" : sign == '-' ? "\\-" : std::string(1, sign);
  return escaped + "\n";
}

std::string roff_lines(const std::string& text) {
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines += roff_line(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// A help text: its paragraphs filled, the commands in it, which are indented, as they stand.
std::string roff_of_help(std::string help) {
  while (help.ends_with('\n')) help.pop_back();
  std::string text;
  bool shows_commands = false;
  for (std::size_t begin = 0; begin <= help.size();) {
    const std::size_t end = std::min(help.find('\n', begin), help.size());
    const std::string line = help.substr(begin, end - begin);
    begin = end + 1;
    const bool is_command = line.starts_with("  ");
    if (is_command != shows_commands) text += is_command ? ".nf\n" : ".fi\n";
    shows_commands = is_command;
    text += line.empty() ? ".PP\n" : roff_line(is_command ? line.substr(2) : line);
  }
  return text + (shows_commands ? ".fi\n" : "");
}

std::string item(const std::string& term, const std::string& sentence) {
  return ".TP\n.B " + roff_line(term) + roff_lines(sentence);
}

std::string option_item(const OptionRow& row) {
  const std::string letter = row.letter.empty() ? "" : fmt::format("-{}, ", row.letter);
  return item(fmt::format("{}--{}{}{}", letter, row.name, row.value.empty() ? "" : " ", row.value), row.sentence);
}

std::string command_section(const Command& command) {
  std::string section =
      fmt::format(".SS \"poslab {}: {}\"\n{}", command.name, command.sentence, roff_of_help(command.help));
  for (const OptionRow& row : options_of(command)) section += option_item(row);
  return section;
}

constexpr const char* beginning = R"(.SH NAME
poslab \- a laboratory for the positional encodings of Transformers
.SH SYNOPSIS
.B poslab
.I COMMAND
.RI [ options ]
.br
.B poslab help
.I COMMAND
.SH DESCRIPTION
A study (a TOML file) names schemes, experiments and the values to try.
.B poslab run
measures every combination, each in a cell of its own, and writes one results file (HDF5), which the Python package
.B poslab
reads.
Schemes are plugins, shared libraries that anybody can write;
.B poslab new scheme
begins one.
.PP
A first hour, with STUDIES for the folder share/poslab/studies of this installation:
.PP
.nf
  poslab list
  poslab describe rope
  poslab find extrapolation
  poslab table sinusoidal
  poslab run STUDIES/quickstart.toml \-\-plan
  poslab run STUDIES/quickstart.toml
  poslab summary quickstart.h5
  poslab report quickstart.h5 \-o quickstart.md
  poslab new scheme mine \-\-family bias
.fi
.SH COMMANDS
Every command knows
.BR \-\-help .
)";

// What is the same for all commands.
std::string ending() {
  std::string text = ".SH \"EXIT STATUS\"\nThe same for every command; its help says which it can end with.\n";
  text += item("0", "All is well.");
  text += item("1", "An expectation failed, a check failed, or two files differ.");
  text += item("2", "The study, an option or a file is wrong; nothing ran.");
  text += item("3", "Some cells failed; the results file is complete and says which.");
  text += item("4",
               "Stopped early; what is done is safe, and the same command goes on: a full disk, --fail-fast, or cells "
               "that are left.");
  text += item("75", "Another process is writing this file; the same again later.");
  text += item("130", "Interrupted; the same again goes on.");
  text += ".SH ENVIRONMENT\n";
  text += item("POSLAB_PLUGIN_PATH",
               "Folders in which to look for schemes, separated by colons: after those of --plugins and before the "
               "installed ones.");
  text +=
      item("XDG_CACHE_HOME", "Where what `poslab check` found is kept, in poslab/checks; ~/.cache if it is not set.");
  text += ".SH FILES\n";
  text += item("STUDY.h5, STUDY.h5.journal", "Results, and what a run that was stopped goes on from.");
  text += item("lib/poslab/plugins", "The installed schemes, beside bin.");
  text += item("share/poslab/studies", "Studies to begin with.");
  text +=
      item("share/poslab/python",
           "The Python package. Under /usr/local and ~/.local Python finds it by itself; elsewhere it is a folder for "
           "PYTHONPATH, or for pip install (with --no-index --no-build-isolation from Debian's packages alone).");
  text += item("share/poslab/pages", "The pages of schemes, experiments and rooms, which `poslab find` searches.");
  text += item("share/poslab/notebooks", "A notebook that draws a results file.");
  return text + ".SH \"SEE ALSO\"\n.BR cmake (1),\n.BR h5dump (1)\n";
}

}  // namespace

std::string manual_text() {
  std::string text = fmt::format(".TH POSLAB 1 \"\" \"poslab {}\" \"poslab\"\n", run::version());
  text += beginning;
  for (const Command& command : commands()) text += command_section(command);
  return text + ending();
}

}  // namespace poslab::app
