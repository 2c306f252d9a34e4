// SPDX-License-Identifier: Apache-2.0
// The file of a study.
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "configurations.hpp"
#include "scratch.hpp"

using namespace configurations;

TEST_CASE("a study of which a disk takes a part is not left behind, and the disk's own reason is told") {
  const check::Scratch scratch;
  const std::filesystem::path path = scratch.path / "a.toml";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);  // as the program does
  const rlimit few{10, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &few);
  std::string problem;
  try {
    importing::write_study(path.string(), importing::study_text(model_of("gpt-2"), "a"));
  } catch (const base::FileError& error) {
    if (error.kind == base::Error::Kind::disk) problem = error.problem;
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  CHECK_THAT(problem, check::contains(std::strerror(EFBIG)));
  CHECK_FALSE(std::filesystem::exists(path));
  importing::write_study(path.string(), "format = 1\n");
  CHECK(std::filesystem::file_size(path) == 11);
}
