// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "poslab/base/disk.hpp"
#include "poslab/base/text.hpp"
#include "poslab/process/child.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/look_answer.hpp"
#include "poslab/run/output_errors.hpp"

namespace poslab::run {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t least_space = 16 << 20;  // the smallest file with its bookkeeping, many times over
constexpr double patience = 300;                  // seconds; HDF5 loops for ever on some damaged files

fs::path directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
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
  const bool is_well = ended.how == process::End::exited && ended.code == 0;
  const auto content = is_well ? content_of(ended.answer) : std::nullopt;
  if (!content) throw OutputUnreadable(path, ended, what_to_do);
  return *content;
}

void require_writable(const std::string& path, const std::string& study_hash, bool fresh,
                      const std::function<bool()>& resumes) {
  require_room(path);
  std::error_code none;
  if (!fs::exists(fs::status(path, none)) || fresh || resumes()) return;
  const results::OutputContent there =
      look_at(path, "move it away, choose another file with -o, or replace it with --fresh");
  if (there.kind == results::OutputContent::Kind::nothing || there.study_hash == study_hash) return;
  throw OutputTaken(path, there.kind == results::OutputContent::Kind::table ? OutputTaken::By::table
                                                                            : OutputTaken::By::another_study);
}

}  // namespace poslab::run
