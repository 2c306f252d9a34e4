// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/writer.hpp"

namespace poslab::app {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t least_space = 16 << 20;  // the smallest file with its bookkeeping, many times over

fs::path directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

}  // namespace

void require_writable(const std::string& path, const std::string& study_hash, bool fresh,
                      const std::function<bool()>& is_continued) {
  const fs::path directory = directory_of(path);
  std::error_code problem;
  results::check_writable(path);
  const fs::space_info space = fs::space(directory, problem);
  if (!problem && space.available < least_space)
    throw base::FileError(directory.string(),
                          fmt::format("only {} are free", base::human_bytes(static_cast<double>(space.available))),
                          "make room, or choose another place with -o");
  const std::string there = results::study_hash_of(path);
  if (there.empty() || there == study_hash || fresh || is_continued()) return;
  throw base::FileError(path, "holds the results of another study, and its journal knows no cell of this one",
                        "choose another file with -o, or replace it with --fresh");
}

}  // namespace poslab::app
