// SPDX-License-Identifier: Apache-2.0
// The Python package has the members of poslab_call that C++ has, in the same order.
#include "poslab/host/call_members.hpp"

#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "catch.hpp"

TEST_CASE("the Python package lays out the members of a call in the order of plugin.h") {
  const std::vector<std::string> members{
#define POSLAB_NAME(member, ...) #member,
      POSLAB_CALL_MEMBERS(POSLAB_NAME, POSLAB_NAME, POSLAB_NAME)
#undef POSLAB_NAME
  };
  std::ifstream file(POSLAB_SOURCE_DIR "/results/python/poslab/library.py");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t begin = text.find("MEMBERS = (");
  REQUIRE(begin != std::string::npos);
  const std::string list = text.substr(begin, text.find(')', begin) - begin);
  const std::regex word("\"([a-z_]+)\"");
  std::vector<std::string> of_python;
  for (std::sregex_iterator hit(list.begin(), list.end(), word), end; hit != end; ++hit) of_python.push_back((*hit)[1]);
  CHECK(of_python == members);
}
