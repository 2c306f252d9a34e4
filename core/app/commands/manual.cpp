// SPDX-License-Identifier: Apache-2.0
#include "commands/internal.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "poslab/run/version.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

// A line of text as roff takes it: a backslash, a minus that can be copied, and no request at its start.
std::string roff_line(const std::string& line) {
  std::string escaped = line.starts_with('.') || line.starts_with('\'') ? "\\&" : "";
  for (const char sign : line) escaped += sign == '\\' ? "\\e" : sign == '-' ? "\\-" : std::string(1, sign);
  return escaped + "\n";
}

std::string roff_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string escaped;
  for (std::string line; std::getline(lines, line);) escaped += roff_line(line);
  return escaped;
}

std::string item(const std::string& term, const std::string& sentence) {
  return ".TP\n.B " + roff_line(term) + roff_lines(sentence);
}

std::string option_item(const Row& row) {
  const std::string usual = row.usual.empty() ? "" : fmt::format(" (={})", row.usual);
  return item(option_name(row.declared) + usual, row.declared.sentence);
}

std::string command_section(const Command& command) {
  std::string section = fmt::format(".SS \"poslab {}: {}\"\n", command.name, command.sentence) +
                        roff_lines(fmt::format("usage: {} [options]{}\n", usage_of(command), command.after_options)) +
                        ".PP\n" + roff_line(command.what) + ".PP\n.nf\n";
  for (const char* line : command.shown) section += roff_line(line);
  section += ".fi\n";
  if (*command.exit_codes) section += ".PP\n" + roff_line("Exit code: " + std::string(command.exit_codes));
  if (*command.json) section += ".PP\n" + roff_line("JSON: " + std::string(command.json));
  const auto options = command.options();
  for (const Row* row : options->shown()) section += option_item(*row);
  return section;
}

constexpr const char* manual_beginning = R"(.SH NAME
poslab \- a laboratory for the positional encodings of Transformers
.SH SYNOPSIS
.B poslab
.I COMMAND
.RI [ options ]
.br
.B poslab help
.I COMMAND
.br
.B poslab \-\-version
.RB [ \-\-json ]
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
.B poslab \-\-version \-\-json
says which version, commit, compiler, instruction set and libraries this is, and of which versions plugins and results
files are.
)";

// What is the same for all commands.
std::string manual_ending() {
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
      item("POSLAB_PYTHON",
           "The Python that runs schemes that are Python files, and `poslab report`. If it is not set, schemes are "
           "run by python3 of the PATH, so that an environment with PyTorch is used, and reports by the Python that "
           "poslab was built with, which has what they need.");
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
  text += item("share/poslab/pages",
               "The pages of schemes, experiments and rooms, which `poslab find` searches; core/app/json.md has the "
               "keys of JSON.");
  text += item("share/poslab/notebooks", "A notebook that draws a results file.");
  return text + ".SH \"SEE ALSO\"\n.BR cmake (1),\n.BR h5dump (1)\n";
}

}  // namespace

std::string manual_text() {
  std::string text = fmt::format(".TH POSLAB 1 \"\" \"poslab {}\" \"poslab\"\n", run::version());
  text += manual_beginning;
  for (const Command& command : commands()) text += command_section(command);
  return text + manual_ending();
}

int manual_command() {
  print_as_it_is(stdout, manual_text());
  return all_well;
}

}  // namespace poslab::app
