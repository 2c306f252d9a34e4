// SPDX-License-Identifier: Apache-2.0
// `poslab report` is poslab's Python package, which draws with matplotlib: this process becomes that program.
#include <cstdlib>
#include <utility>

#include "commands/report.hpp"

#include "commands/command.hpp"
#include "commands/plugins.hpp"
#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/base/search_path.hpp"
#include "poslab/process/child.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

Completion pages(const Typed& /*typed*/) { return {{}, {"*.html", "*.md", "*.pdf", "*.tex"}}; }

struct ReportOptions final : ContainedOptions {
  ReportOptions() : ContainedOptions("the file") { words = {0, 1, results_files}; }
  Text output{
      this,
      option("output", "PAGE", "PAGE.md, PAGE.tex, PAGE.pdf or PAGE.html; FILE.md if absent", pages, nullptr, 'o'),
      accepted(a_name_of("a page"))};
  Text beside{
      this,
      option("beside", "OTHER.h5",
             "its answers beside those of the same schemes; of one that trained otherwise, their order", results_files),
      accepted(a_name_of("a results file"))};
  Flag empty{this, flag("empty", "PAGE.html without a file: it opens what is dropped on it")};
};

// The user's, as the wheel's program is told, or the one that poslab was built with.
std::string python() {
  const char* named = std::getenv("POSLAB_PYTHON");
  return named && *named ? named : POSLAB_PYTHON;
}

// -P: what lies in the working directory is no module of it.
std::vector<std::string> program() { return {python(), "-P", "-B", "-m", "poslab.report"}; }

// By which the program finds poslab's package.
std::string module_path() {
  std::string path = "PYTHONPATH=" + (shared_folder() / "python").string();
  for (const std::string& folder : base::folders_of_environment("PYTHONPATH")) path += ":" + folder;
  return path;
}

int report(const ReportOptions& asked) {
  std::vector<std::string> words = program();
  if (asked.output.is_given()) words.insert(words.end(), {"-o", *asked.output});
  if (asked.beside.is_given()) words.push_back("--beside=" + *asked.beside);
  if (*asked.empty) words.push_back("--empty");
  words.push_back("--");
  words.insert(words.end(), asked.words.given.begin(), asked.words.given.end());
  process::become_program(std::move(words), {module_path()});
}

constexpr double max_seconds = 3600;  // for a page

}  // namespace

bool write_report(const std::string& results, const std::string& beside, const std::string& page) {
  std::vector<std::string> words = program();
  words.insert(words.end(), {"-o", page, "--beside=" + beside, "--", results});
  const process::Ended ended = process::run_program(words, "", max_seconds, {module_path()});
  print(stdout, ended.output);
  print(stderr, ended.error_output);
  return ended.how == process::End::exited && ended.code == 0;
}

Command report_command() {
  return with_action(
      {.name = "report",
       .sentence = "a page of a results file, with figures",
       .usage = "[FILE.h5]",
       .what = "Writes the table of answers and a figure: Markdown (with an SVG beside it), LaTeX (with a "
               "PDF) or PDF. As PAGE.html it is the file itself with a viewer, which any browser opens.",
       .shown = {"poslab report quickstart.h5", "poslab report quickstart.h5 -o quickstart.html"}},
      report);
}

}  // namespace poslab::app
