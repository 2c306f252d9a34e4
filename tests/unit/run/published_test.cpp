// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/published.hpp"

#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "scratch.hpp"

namespace fs = std::filesystem;
using namespace poslab;

TEST_CASE("published studies come by name, and those that train when they are asked for") {
  const check::Scratch directory;
  const fs::path folder = directory.path;
  CHECK_THROWS_AS(run::published_studies(folder, false), base::FileError);
  CHECK_THROWS_AS(run::published_studies(folder / "no", false), base::FileError);
  for (const char* name : {"b.toml", "a.toml", "page.md"}) std::ofstream(folder / name);
  using Paths = std::vector<std::string>;
  CHECK(run::published_studies(folder, false) == Paths{folder / "a.toml", folder / "b.toml"});
  CHECK_THROWS_AS(run::published_studies(folder, true), base::FileError);
  fs::create_directory(folder / "trained");
  std::ofstream(folder / "trained/c.toml").close();
  CHECK(run::published_studies(folder, true).back() == folder / "trained/c.toml");
}
