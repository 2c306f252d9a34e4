// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/output.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "poslab/base/error.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/contained_reader.hpp"

namespace poslab::run {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t min_space = 16 << 20;  // the smallest file with its bookkeeping, many times over

// Whether poslab may have written what cannot be read, a journal says so: nothing is lost in an empty file, and a cut
// or damaged one names the attribute that only results have. A signature alone would be anybody's HDF5.
bool is_damaged_run(const std::string& path) {
  const base::RegularFile file(path);
  if (file.size() == 0) return true;
  if (!file.bytes_at(0, 8).starts_with("\x89HDF\r\n\x1a\n")) return false;
  constexpr std::size_t block = 1 << 20, overlap = 16;
  for (std::uint64_t start = 0; start < file.size(); start += block)
    if (file.bytes_at(start, block + overlap).find("study_hash") != std::string::npos) return true;
  return false;
}

bool all_among(const std::vector<std::string>& cells, const std::set<std::string>& own) {
  return std::all_of(cells.begin(), cells.end(), [&](const std::string& cell) { return own.count(cell) > 0; });
}

std::string problem_of(OutputTaken::By by, std::size_t given, std::size_t planned) {
  switch (by) {
    case OutputTaken::By::table: return "holds a table";
    case OutputTaken::By::another_study:
      return "holds the results of another study, and no journal beside it knows a cell of this one";
    case OutputTaken::By::unknown_cells:
      return "holds results that are neither this study's nor in the journal beside it, and would be lost";
    case OutputTaken::By::changed_study:
      return "holds the results of another study, or of this one before it was changed";
    case OutputTaken::By::whole_study:
      return fmt::format("holds all cells of this study, and these shards only {} of its {}", given, planned);
    case OutputTaken::By::the_study: return "is the study itself";
    case OutputTaken::By::an_input: return "is a file that this run reads, and would be lost";
    case OutputTaken::By::a_shard: return "is one of the shards";
  }
  return "is taken";
}

const char* remedy_of(OutputTaken::By by) {
  const bool is_input =
      by == OutputTaken::By::the_study || by == OutputTaken::By::an_input || by == OutputTaken::By::a_shard;
  return is_input ? "choose another file with -o" : "choose another file with -o, or replace it with --fresh";
}

}  // namespace

OutputTaken::OutputTaken(const std::string& path_, By by_, std::size_t given_, std::size_t planned_)
    : FileError(path_, problem_of(by_, given_, planned_), remedy_of(by_)), by(by_), given(given_), planned(planned_) {}

std::optional<FileMark> mark_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileMark{status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec,
                  status.st_mtim.tv_nsec};
}

void require_unchanged(const std::string& path, const std::optional<FileMark>& mark) {
  if (const auto now = mark_of(path); now && now != mark)
    throw base::Error(base::Error::Kind::busy,
                      fmt::format("{}: another program has written this file since this command looked at it", path),
                      "run the same command again: it begins with what is there now");
}

void require_room(const std::string& path) {
  fs::path directory = fs::path(path).parent_path();
  if (directory.empty()) directory = ".";
  std::error_code problem;
  results::check_writable(path);
  const fs::space_info space = fs::space(directory, problem);
  if (!problem && space.available < min_space)
    throw base::FileError(directory.string(),
                          fmt::format("only {} are free", base::human_bytes(static_cast<double>(space.available))),
                          "make room, or choose another place with -o", base::Error::Kind::disk);
}

void require_writable(const std::string& path, const std::string& study_hash, bool fresh,
                      const std::function<OwnCells()>& own_cells) {
  require_room(path);
  std::error_code none;
  if (!fs::exists(fs::status(path, none)) || fresh) return;
  const OwnCells own = own_cells();
  results::OutputContent there;
  try {
    there = read_content(path, "move it away, choose another file with -o, or replace it with --fresh");
  } catch (const OutputUnreadable&) {
    if (own && is_damaged_run(path)) return;
    throw;
  }
  if (there.kind == results::OutputContent::Kind::nothing || there.study_hash == study_hash) return;
  if (there.kind == results::OutputContent::Kind::table) throw OutputTaken(path, OutputTaken::By::table);
  if (!own) throw OutputTaken(path, OutputTaken::By::another_study);
  if (!all_among(there.measured, *own)) throw OutputTaken(path, OutputTaken::By::unknown_cells);
}

}  // namespace poslab::run
