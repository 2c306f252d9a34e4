// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/output.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "poslab/base/disk.hpp"
#include "poslab/base/text.hpp"
#include "poslab/process/child.hpp"
#include "poslab/results/writer.hpp"

namespace poslab::run {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t least_space = 16 << 20;  // the smallest file with its bookkeeping, many times over
constexpr std::string_view ourselves = "poslab: ";
constexpr double patience = 300;  // seconds; HDF5 loops for ever on some damaged files

fs::path directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

// What a child said, without our own name and the end of the line.
std::string sentence_of(std::string complaint) {
  if (complaint.starts_with(ourselves)) complaint.erase(0, ourselves.size());
  while (!complaint.empty() && complaint.back() == '\n') complaint.pop_back();
  return complaint;
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
  const process::Ended ended = process::run_self({process::in_child, "look", path}, patience);
  if (ended.how == process::End::timed_out)
    throw base::FileError(path, "cannot be read: it takes HDF5 for ever" + process::left_text(ended), what_to_do);
  if (ended.how == process::End::killed)
    throw base::FileError(
        path, fmt::format("cannot be read: HDF5 ends its process with {}", process::signal_text(ended.code)),
        what_to_do);
  if (ended.code != 0 && !ended.complaint.starts_with(ourselves))  // as where a sanitizer ends it
    throw base::FileError(path, fmt::format("cannot be read: HDF5 ends its process with exit code {}", ended.code),
                          what_to_do);
  if (ended.code != 0) throw base::Error(fmt::format("{}; {}", sentence_of(ended.complaint), what_to_do));
  if (ended.answer == "nothing") return {};
  if (ended.answer == "table") return {results::OutputContent::Kind::table, "", true};
  return {results::OutputContent::Kind::run, ended.answer.substr(1), ended.answer.front() == '+'};
}

void require_writable(const std::string& path, const std::string& study_hash, bool fresh,
                      const std::function<bool()>& resumes) {
  require_room(path);
  std::error_code none;
  if (!fs::exists(fs::status(path, none)) || fresh || resumes()) return;
  const results::OutputContent there =
      look_at(path, "move it away, choose another file with -o, or replace it with --fresh");
  if (there.kind == results::OutputContent::Kind::nothing || there.study_hash == study_hash) return;
  if (there.kind == results::OutputContent::Kind::table)
    throw base::FileError(path, "holds a table", "choose another file with -o, or replace it with --fresh");
  throw base::FileError(path, "holds the results of another study, and its journal knows no cell of this one",
                        "choose another file with -o, or replace it with --fresh");
}

}  // namespace poslab::run
