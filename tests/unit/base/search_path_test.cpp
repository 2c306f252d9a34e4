// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/search_path.hpp"

#include <cstdlib>

#include "catch.hpp"

using namespace poslab;
using Texts = std::vector<std::string>;

TEST_CASE("a list of folders has an entry between all colons, and an empty one is no folder") {
  CHECK(base::entries_in("/a:/b") == Texts{"/a", "/b"});
  CHECK(base::entries_in("/a:") == Texts{"/a", ""});
  CHECK(base::entries_in(":/a") == Texts{"", "/a"});
  CHECK(base::entries_in("/a::/b") == Texts{"/a", "", "/b"});
  CHECK(base::entries_in("") == Texts{""});
  for (const char* list : {"/a:/b", "/a:/b:", ":/a:/b", ":/a:::/b::"})
    CHECK(base::folders_in(list) == Texts{"/a", "/b"});
  for (const char* list : {"", ":", "::"}) CHECK(base::folders_in(list).empty());
}

TEST_CASE("a list of folders of the environment") {
  REQUIRE(::setenv("POSLAB_TEST_FOLDERS", ":/a:.:", 1) == 0);
  CHECK(base::folders_of_environment("POSLAB_TEST_FOLDERS") == Texts{"/a", "."});
  ::unsetenv("POSLAB_TEST_FOLDERS");
  CHECK(base::folders_of_environment("POSLAB_TEST_FOLDERS").empty());
}
