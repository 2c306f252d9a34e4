// SPDX-License-Identifier: Apache-2.0
#include "poslab/scaffold/build_tools.hpp"

#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "scratch.hpp"

using namespace poslab;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> missing(const std::string& path) {
  std::vector<std::string> packages;
  for (const scaffold::BuildTool& tool : scaffold::missing_build_tools(path)) packages.push_back(tool.debian_package);
  return packages;
}

void make_program(const fs::path& file) {
  std::ofstream(file) << "#!/bin/sh\n";
  fs::permissions(file, fs::perms::owner_exec, fs::perm_options::add);
}

}  // namespace

TEST_CASE("tools are looked for in each folder of the path, and must be programs") {
  const check::Scratch scratch;
  const fs::path one = scratch.path / "one", other = scratch.path / "other";
  fs::create_directories(one / "ninja");  // a folder is none
  fs::create_directory(other);
  const std::string path = one.string() + ":" + other.string();
  CHECK(missing("") == std::vector<std::string>{"g++", "cmake", "ninja-build"});
  CHECK(missing(path) == std::vector<std::string>{"g++", "cmake", "ninja-build"});
  make_program(one / "cmake");
  make_program(other / "clang++");
  std::ofstream(other / "ninja") << "no program\n";
  CHECK(missing(path) == std::vector<std::string>{"ninja-build"});
  CHECK(missing(one.string()) == std::vector<std::string>{"g++", "ninja-build"});
  fs::permissions(other / "ninja", fs::perms::owner_exec, fs::perm_options::add);
  CHECK(missing(path).empty());
}
