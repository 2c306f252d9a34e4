// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "poslab/base/disk.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/process/child.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/look_answer.hpp"
#include "poslab/run/output_errors.hpp"

namespace poslab::run {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t least_space = 16 << 20;    // the smallest file with its bookkeeping, many times over
constexpr std::size_t most_look_answer = 64 << 20;  // bytes: a line for each cell

// Seconds. HDF5 loops for ever on some damaged files; of a good one it reads a hundred megabytes in each.
double look_patience(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(path, none);
  return 60 + (none ? 0 : static_cast<double>(size) / 1e6);
}

fs::path directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

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

}  // namespace

void require_room(const std::string& path) {
  const fs::path directory = directory_of(path);
  std::error_code problem;
  results::check_writable(path);
  const fs::space_info space = fs::space(directory, problem);
  if (!problem && space.available < least_space)
    throw base::DiskError(directory.string(),
                          fmt::format("only {} are free", base::human_bytes(static_cast<double>(space.available))),
                          "make room, or choose another place with -o");
}

results::OutputContent look_at(const std::string& path, const std::string& what_to_do) {
  std::error_code none;
  if (!fs::exists(fs::status(path, none))) return {};
  const process::Ended ended =
      process::run_self({process::in_child, "look", path}, look_patience(path), most_look_answer);
  const bool is_well = ended.how == process::End::exited && ended.code == 0;
  const auto content = is_well ? content_of(ended.answer) : std::nullopt;
  if (!content) throw OutputUnreadable(path, ended, what_to_do);
  return *content;
}

void require_writable(const std::string& path, const std::string& study_hash, bool fresh,
                      const std::function<OwnCells()>& own_cells) {
  require_room(path);
  std::error_code none;
  if (!fs::exists(fs::status(path, none)) || fresh) return;
  const OwnCells own = own_cells();
  results::OutputContent there;
  try {
    there = look_at(path, "move it away, choose another file with -o, or replace it with --fresh");
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
