// SPDX-License-Identifier: Apache-2.0
#include "poslab/scaffold/scheme_folder.hpp"

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "catch.hpp"
#include "filled.hpp"
#include "poslab/base/error.hpp"
#include "scratch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a scheme's name: lower-case letters, digits and hyphens, a letter first") {
  for (const char* name : {"a", "my-rope", "t5", "a-2-b"}) CHECK(scaffold::is_usable(name));
  for (const char* name : {"", "2d", "-a", "a-", "My", "my_rope", "a/b", "..", "é"}) CHECK(!scaffold::is_usable(name));
}

TEST_CASE("the name of a scheme takes the template's place in all its forms") {
  const std::string code = scaffold::filled("rotary.cpp", "my-own-rope");
  CHECK_THAT(code, check::contains("struct MyOwnRopeScheme {"));
  CHECK_THAT(code, check::contains(".id = \"my-own-rope\""));
  CHECK_THAT(code, check::contains(".title = \"My own rope\""));
  CHECK(code.find("NewScheme") == std::string::npos);
  CHECK(code.find("new-scheme") == std::string::npos);
  CHECK(code.find("New scheme") == std::string::npos);
  CHECK_THAT(scaffold::filled("bias.md", "new-scheme-2"), check::contains("(`new-scheme-2`)"));  // and it ends
}

TEST_CASE("a new scheme's struct is no type of poslab's") {
  CHECK_THAT(scaffold::filled("bias.cpp", "score-tile"), check::contains("struct ScoreTileScheme {"));
  CHECK_THAT(scaffold::filled("bias.cpp", "my-scheme"), check::contains("struct MyScheme {"));
  CHECK_THAT(scaffold::filled("bias.cpp", "mask"), check::contains("POSLAB_SCHEME(MaskScheme)"));
}

TEST_CASE("a scheme's folder has four files, and says where it is") {
  const check::Scratch scratch;
  for (const std::string& family : scaffold::families()) {
    const scaffold::SchemeFolder written = scaffold::write_scheme_folder("my-" + family, family, scratch.path);
    CHECK(written.folder == scratch.path / ("my-" + family));
    CHECK(written.family == family);
    CHECK(!written.in_tree);
    for (const char* suffix : {".cpp", ".md", "_test.py"})
      CHECK_THAT(text_of(written.folder / (written.name + suffix)), check::contains(written.name));
    CHECK_THAT(text_of(written.folder / "CMakeLists.txt"), check::contains("find_package(poslab"));
  }
}

TEST_CASE("a scheme's folder among poslab's own plugins needs one line of CMake") {
  const check::Scratch scratch;
  fs::create_directories(scratch.path / "core/sdk/include/poslab");
  std::ofstream(scratch.path / "core/sdk/include/poslab/plugin.h") << "\n";
  fs::create_directory(scratch.path / "plugins");
  const scaffold::SchemeFolder written = scaffold::write_scheme_folder("mine", "bias", scratch.path / "plugins");
  CHECK(written.in_tree);
  CHECK(text_of(written.folder / "CMakeLists.txt") == "poslab_add_scheme(mine mine.cpp)\n");
}

TEST_CASE("a scheme's folder is written in whole or not at all, and a disk that is full is told from a wrong place") {
  const check::Scratch scratch;
  std::signal(SIGXFSZ, SIG_IGN);  // as the program does
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit nothing{0, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &nothing);
  bool is_disk_failure = false;
  try {
    scaffold::write_scheme_folder("mine", "bias", scratch.path);
  } catch (const base::FileError& error) {
    is_disk_failure = error.kind == base::Error::Kind::disk;
  }
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(is_disk_failure);
  CHECK(fs::is_empty(scratch.path));
}

TEST_CASE("a scheme's folder is refused with its facts, and nothing is written") {
  const check::Scratch scratch;
  {
    const poslab::base::Error error = check::thrown([&] { scaffold::write_scheme_folder("My", "bias", scratch.path); });
    CHECK(error.kind == check::Kind::argument);
    CHECK_THAT(error.what(), check::contains("\"My\""));
  }
  {
    const poslab::base::Error error =
        check::thrown([&] { scaffold::write_scheme_folder("mine", "rotar", scratch.path); });
    CHECK(error.kind == check::Kind::argument);
    CHECK_THAT(error.what(), check::contains("\"rotar\""));
    CHECK_THAT(error.what(), check::contains("did you mean \"rotary\"?"));
  }
  CHECK(fs::is_empty(scratch.path));
  std::ofstream(scratch.path / "file").close();
  CHECK(check::thrown([&] {
          static_cast<void>(scaffold::write_scheme_folder("mine", "bias", scratch.path / "file"));
        }).kind == check::Kind::file);
  fs::create_symlink("nowhere", scratch.path / "mine");  // even a link that leads to nothing
  {
    const poslab::base::Error error =
        check::thrown([&] { scaffold::write_scheme_folder("mine", "bias", scratch.path); });
    CHECK(error.kind == check::Kind::file);
    CHECK_THAT(error.what(), check::contains((scratch.path / "mine").string()));
  }
}

TEST_CASE("a Python file is written whole, under a name that Python can import") {
  const check::Scratch scratch;
  const fs::path folder = scratch / "mine";
  const fs::path file = scaffold::write_scheme_file("my-rope", "rotary", folder);
  CHECK(file == folder / "my_rope.py");
  const std::string text = text_of(file);
  CHECK_THAT(text, check::contains("id=\"my-rope\"") && check::contains("class MyRopeScheme:") &&
                       check::contains("poslab check my_rope.py"));
  CHECK_THAT(text, !check::contains("new_scheme") && !check::contains("new-scheme"));
  CHECK_THROWS_AS(scaffold::write_scheme_file("my-rope", "rotary", folder), base::FileError);
  CHECK_THROWS_AS(scaffold::write_scheme_file("My", "rotary", folder), base::Error);
}
