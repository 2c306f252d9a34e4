// SPDX-License-Identifier: Apache-2.0
// What may stand next on a command line; what the manual has of every command.
#include "commands/internal.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "commands/command.hpp"
#include "options/options.hpp"

using namespace poslab;

namespace {

using Names = std::vector<std::string>;

Names words(const Names& before, const std::string& begun) { return app::completion_of(before, begun).words; }
Names files(const Names& before) { return app::completion_of(before, "").files; }
bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("completion: commands") {
  CHECK(words({}, "ru") == Names{"run"});
  CHECK(words({"help"}, "me") == Names{"merge"});
  CHECK(words({"help", "merge"}, "").empty());
  CHECK(words({}, "").size() == app::commands().size() + 1);  // with help
  CHECK(words({}, "--v") == Names{"--version"});
  CHECK(words({"--version"}, "") == Names{"--json"});
  CHECK(words({"rum"}, "").empty());
}

TEST_CASE("completion: every option of every command, and none that poslab keeps to itself") {
  for (const app::Command& command : app::commands()) {
    INFO(command.name);
    Names expected{"--help"};
    const auto options = command.options();
    for (const app::Row* row : options->shown()) expected.push_back("--" + row->declared.name);
    CHECK(expected.size() > 1);
    std::sort(expected.begin(), expected.end());
    CHECK(words({command.name}, "-") == expected);
  }
  CHECK(words({"run"}, "--thr") == Names{"--threads"});
  CHECK_FALSE(has(words({"check"}, "--"), "--perform"));
  CHECK_FALSE(has(words({"run"}, "--"), "--json"));
}

TEST_CASE("completion: names and files where an option or a command wants them") {
  CHECK(has(words({"check", "rope", "--only"}, "gr"), "gradients"));
  CHECK(words({"run", "a.toml", "--only"}, "uniq") == Names{"uniqueness"});
  CHECK(words({"run", "a.toml", "--only", "="}, "uniq") == Names{"uniqueness"});
  CHECK(words({"run", "a.toml", "--axis"}, "train_l") == Names{"train_length="});
  CHECK(words({"run", "a.toml", "--axis", "length", "="}, "").empty());
  CHECK(files({"run", "a.toml", "--axis", "length", "="}).empty());
  CHECK(words({"new", "scheme", "mine", "--family"}, "r") == Names{"rotary"});
  CHECK(words({"list"}, "s") == Names{"schemes"});
  CHECK(files({"find"}).empty());
  CHECK(files({"run"}) == Names{"*.toml"});
  CHECK(files({"run", "a.toml", "-o"}) == Names{"*.h5"});
  CHECK(files({"report", "a.h5", "-o"}) == Names{"*.html", "*.md", "*.pdf", "*.tex"});
  CHECK(files({"table", "rope", "-o"}) == Names{"*.h5"});
  CHECK(files({"run", "a.toml", "--threads"}).empty());
  CHECK(files({"run", "a.toml", "--threads", "2"}) == Names{"*.toml"});
  CHECK(files({"compare", "a.h5"}) == Names{"*.h5"});
  CHECK(app::completion_of({"run", "--plugins"}, "").directories);
}

TEST_CASE("manual: each command with its sentence and every option") {
  const std::string manual = app::manual_text();
  for (const app::Command& command : app::commands()) {
    INFO(command.name);
    const std::size_t begin = manual.find(std::string(".SS \"poslab ") + command.name + ": " + command.sentence);
    REQUIRE(begin != std::string::npos);
    const std::string section = manual.substr(begin, manual.find("\n.S", begin + 1) - begin);
    const auto options = command.options();
    for (const app::Row* row : options->shown()) {
      std::string name = row->declared.name;
      for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.insert(at, "\\");
      CHECK(section.find("\\-\\-" + name) != std::string::npos);
    }
  }
}
