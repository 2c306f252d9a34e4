// SPDX-License-Identifier: Apache-2.0
#include "commands/beside.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>

#include "commands/report.hpp"
#include "options/options.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/process/child.hpp"
#include "poslab/results/output_content.hpp"
#include "poslab/run/contained_reader.hpp"
#include "terminal/terminal.hpp"

namespace fs = std::filesystem;

namespace poslab::app {
namespace {

std::string page_of(const std::string& output) { return fs::path(output).replace_extension(".md").string(); }

// A page says what made it, right below its title.
bool is_page_of_report(const std::string& path) {
  constexpr std::size_t title_and_more = 1 << 16;  // bytes
  const std::string begin = base::RegularFile(path).bytes_at(0, title_and_more);
  return begin.find("\nMade by `poslab report` from ") != std::string::npos;
}

void require_page(const std::string& page) {
  if (std::error_code none; !fs::exists(page, none) || is_page_of_report(page)) return;
  throw base::FileError(page, "was not made by poslab report, and the page that --beside makes would replace it",
                        "name other results with -o, whose page has their name, or replace it with --fresh");
}

void require_answers(const std::string& others) {
  const results::OutputContent content = run::read_content(others, "name the results of a run with --beside");
  if (content.kind != results::OutputContent::Kind::run)
    throw UsageError(fmt::format("--beside {}: it holds a table, and no results of a run", base::printable(others)));
  if (content.is_shard)
    throw UsageError(fmt::format("--beside {}: it is a shard, which answers nothing: merge it with the others first",
                                 base::printable(others)));
}

bool is_written(const std::string& results, const std::string& beside, const std::string& page) try {
  return write_report(results, beside, page);
} catch (const process::NoProgram& problem) {
  print(stderr, fmt::format("poslab: {}\n", base::printable(problem.what())));
  return false;
}

}  // namespace

void require_reportable(const std::string& others, const std::string& output, bool fresh) {
  require_answers(others);
  const std::string page = page_of(output);
  if (page == output || page == others)
    throw UsageError(fmt::format("{} is where the page of --beside goes, and holds results; call the results .h5",
                                 base::printable(page)));
  if (!fresh) require_page(page);
}

void report_beside(const std::string& others, const std::string& output) {
  const std::string page = page_of(output);
  if (!is_written(others, output, page))
    print(stderr, fmt::format("poslab: there is no page; {} makes it\n",
                              base::shell_words({"poslab", "report", base::operand(others), "--beside",
                                                 base::operand(output), "-o", base::operand(page)})));
}

}  // namespace poslab::app
