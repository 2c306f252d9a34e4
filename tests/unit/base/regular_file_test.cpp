// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/regular_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "scratch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

struct Folder {
  std::string operator/(const char* name) const { return scratch / name; }
  check::Scratch scratch;
};

}  // namespace

TEST_CASE("a regular file is read, from its start and anywhere") {
  const Folder folder;
  std::ofstream(folder / "file") << "abcdefgh";
  REQUIRE(symlink("file", (folder / "link").c_str()) == 0);
  base::RegularFile file(folder / "link");
  CHECK(file.size() == 8);
  std::string bytes(100, ' ');
  CHECK(file.read(bytes.data(), 3) == 3);
  CHECK(file.read(bytes.data(), 100) == 5);
  CHECK(file.read(bytes.data(), 100) == 0);
  CHECK(file.bytes_at(2, 3) == "cde");
  CHECK(file.bytes_at(6, 100) == "gh");
  CHECK(file.bytes_at(100, 1).empty());
  CHECK_THROWS_WITH(base::RegularFile(folder / "nothing", "look elsewhere"),
                    (folder / "nothing") + ": No such file or directory; look elsewhere");
}

TEST_CASE("what is no regular file is named and not opened, by whatever link one comes to it") {
  const Folder folder;
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  REQUIRE(symlink("fifo", (folder / "link").c_str()) == 0);
  REQUIRE(symlink("/dev/zero", (folder / "zero").c_str()) == 0);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket").c_str(), sizeof address.sun_path - 1);
  REQUIRE(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  for (const auto& [name, kind] :
       {std::pair{"fifo", "a FIFO"}, std::pair{"link", "a FIFO"}, std::pair{"zero", "a device"},
        std::pair{"socket", "a socket"}, std::pair{"", "a directory"}}) {
    INFO(name);
    CHECK(base::special_file_kind(folder / name) == kind);
    {
      const poslab::base::Error error =
          check::thrown([&] { const base::RegularFile opened(folder / name, "name another"); });
      CHECK(error.kind == check::Kind::file);
      CHECK(error.what() == (folder / name) + ": is " + kind + ", not a regular file; name another");
      CHECK(error.hint == "name another");
    }
    CHECK(check::thrown([&] { static_cast<void>(base::require_regular_file(folder / name)); }).kind ==
          check::Kind::file);
    CHECK(base::open_regular(folder / name, O_RDWR | O_CREAT) == -1);
    CHECK(errno == ELOOP);
  }
  close(listener);
  CHECK_NOTHROW(base::require_regular_file(folder / "nothing"));
}

TEST_CASE("a file is made where there is none, and a link is not followed where that was asked for") {
  const Folder folder;
  const int made = base::open_regular(folder / "new", O_RDWR | O_CREAT | O_NOFOLLOW);
  REQUIRE(made >= 0);
  CHECK((fcntl(made, F_GETFD) & FD_CLOEXEC) != 0);
  close(made);
  REQUIRE(symlink("new", (folder / "link").c_str()) == 0);
  CHECK(base::open_regular(folder / "link", O_RDWR | O_CREAT | O_NOFOLLOW) == -1);
}
