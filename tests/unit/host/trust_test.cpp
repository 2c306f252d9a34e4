// SPDX-License-Identifier: Apache-2.0
// Who could exchange a plugin. Owners can only be given away by root.
#include "files/plugin_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "catch.hpp"
#include "faults.hpp"

using poslab::host::weak_permissions;
using poslab::test::TemporaryDirectory;
namespace fs = std::filesystem;

namespace {

constexpr uid_t stranger = 12345;
const fs::path program = "/usr/bin/env";  // root's, in root's folders

// root/way/plugins, in a folder for temporary files, which everybody may write to and whose sticky bit protects it.
struct Way {
  Way() : root(fs::canonical(directory.path())), way(root / "way"), plugins(way / "plugins") {
    fs::create_directories(plugins);
  }
  TemporaryDirectory directory;
  fs::path root, way, plugins;
};

}  // namespace

TEST_CASE("folders of one's own are trusted, also below a sticky one") {
  const Way at;
  CHECK(weak_permissions(at.plugins, program).empty());
  REQUIRE(chmod(at.way.c_str(), 01777) == 0);
  CHECK(weak_permissions(at.plugins, program).empty());
}

TEST_CASE("a folder above that everybody may write to is named") {
  const Way at;
  REQUIRE(chmod(at.way.c_str(), 0777) == 0);
  CHECK(weak_permissions(at.plugins, program) == "everybody may write to " + at.way.string());
  REQUIRE(chmod(at.way.c_str(), 0755) == 0);
  REQUIRE(chmod(at.plugins.c_str(), 01777) == 0);
  CHECK(weak_permissions(at.plugins, program) == "everybody may write to " + at.plugins.string());
}

TEST_CASE("folders above the program itself are not looked at: who can change them can change the program") {
  const Way at;
  REQUIRE(chmod(at.way.c_str(), 0777) == 0);
  CHECK(weak_permissions(at.plugins, at.way / "bin" / "poslab").empty());
  CHECK(!weak_permissions(at.plugins, at.root / "bin" / "poslab").empty());
}

TEST_CASE("owners: the user, root, and those of the program and of folders above it") {
  if (geteuid() != 0) return;
  const Way at;
  const std::string belongs = " belongs to user 12345, who is neither you nor root nor the owner of this program";
  REQUIRE(chown(at.way.c_str(), stranger, 0) == 0);
  CHECK(weak_permissions(at.plugins, program) == at.way.string() + belongs);
  fs::create_directories(at.root / "theirs" / "bin");
  REQUIRE(chown((at.root / "theirs").c_str(), stranger, 0) == 0);
  CHECK(weak_permissions(at.plugins, at.root / "theirs" / "bin" / "poslab").empty());
  REQUIRE(chown(at.way.c_str(), 0, 0) == 0);
  fs::create_directory_symlink(at.plugins, at.root / "link");
  CHECK(weak_permissions(at.root / "link", program).empty());
  REQUIRE(lchown((at.root / "link").c_str(), stranger, 0) == 0);
  CHECK(weak_permissions(at.root / "link", program) == (at.root / "link").string() + belongs);
}
