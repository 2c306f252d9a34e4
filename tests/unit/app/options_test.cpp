// SPDX-License-Identifier: Apache-2.0
// Words of a command line: options, their values, and what follows `--`.
#include "options/options.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "options/shared_options.hpp"

using namespace poslab;

namespace {

using Names = std::vector<std::string>;

struct Small final : app::Options {
  Small() { words = {1, 2}; }
  app::Texts only{this, app::option("only", "ID", "", nullptr, app::as_typed)};
  app::Text output{this, app::option("output", "FILE", "", nullptr, nullptr, 'o'), app::accepted(app::output_name())};
  app::Flag plan{this, app::flag("plan", "")};
  app::Option<int> tries{this, app::option("tries", "N", ""), app::usual(3, app::between(1, 9))};
  app::Assignments set{this, app::option("set", "NAME=VALUE", "")};
  app::PluginsOption plugins{this};
};

// With a word that it needs.
void take(Small& options, Names more) {
  more.insert(more.begin(), "x.toml");
  REQUIRE(options.parse(more));
}

std::string mistake(const Names& more) {
  Small options;
  Names all{"x.toml"};
  all.insert(all.end(), more.begin(), more.end());
  try {
    options.parse(all);
  } catch (const app::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("options: they may stand among the other words, and be repeated") {
  Small options;
  REQUIRE(options.parse({"--only=a", "x.toml", "--only", "b", "-oc.h5", "y.toml"}));
  CHECK(*options.only == Names{"a", "b"});
  CHECK(options.words.given == Names{"x.toml", "y.toml"});
  CHECK(*options.output == "c.h5");
  CHECK_FALSE(*options.plan);
  CHECK(*options.tries == 3);
  CHECK_FALSE(options.tries.is_given());
}

TEST_CASE("options: after -- nothing is an option") {
  Small options;
  REQUIRE(options.parse({"--only", "a", "--", "--plan", "-o"}));
  CHECK(options.words.given == Names{"--plan", "-o"});
  CHECK_FALSE(*options.plan);
  CHECK_FALSE(options.output.is_given());
}

TEST_CASE("options: what is no option, and one that is given twice, are mistakes, help is none") {
  for (const Names& wrong :
       {Names{"--onl=x"}, Names{"--output"}, Names{"-oa", "-ob"}, Names{"--nothing"}, Names{"--plan=x"}})
    CHECK_FALSE(mistake(wrong).empty());
  CHECK(mistake({"--plan", "--tries=9", "--set=a=1"}).empty());
  CHECK_FALSE(Small().parse({"--tries=99", "--help"}));
}

TEST_CASE("options: a value that is none names the option and what it takes") {
  CHECK(mistake({"--tries=10"}) == "--tries is 10, but must be from 1 to 9");
  CHECK_THAT(mistake({"--tries=two"}), check::starts_with("--tries is \"two\", but must be a whole number"));
  CHECK_THAT(mistake({"--set==b"}), check::starts_with("--set wants name=value"));
  CHECK_THAT(mistake({"-o", "a.h5.journal"}), check::contains("journal"));
  CHECK_FALSE(mistake({"--output="}).empty());
}

TEST_CASE("options: an assignment is split at its first sign") {
  Small options;
  take(options, {"--set", "a=b=c"});
  CHECK(options.set->front() == std::pair<std::string, std::string>{"a", "b=c"});
}

TEST_CASE("options: amounts of memory have a unit, or are many bytes") {
  const auto bytes = [](const std::string& text) {
    app::Bytes value;
    app::read("memory", text, value);
    return value.count;
  };
  CHECK(bytes("8GiB") == 8 * 0x1p30);
  CHECK(bytes("500MB") == 5e8);
  CHECK(bytes("1e9") == 1e9);
  for (const char* wrong : {"8 potatoes", "-1GiB", "", "infGiB", "4"}) CHECK_THROWS_AS(bytes(wrong), app::UsageError);
  CHECK_THROWS_WITH(bytes("4"), check::starts_with("\"4\" is 4 bytes") && check::contains("4GiB"));
}

TEST_CASE("options: jobs are handed those that they take, with paths that hold anywhere") {
  Small options;
  take(options, {"--only", "a", "--plan", "--only=b", "--plugins", "mine/../yours"});
  const Names handed = options.handed_to_jobs();
  REQUIRE(handed.size() == 3);
  CHECK(Names(handed.begin(), handed.begin() + 2) == Names{"--only=a", "--only=b"});
  CHECK_THAT(handed[2], check::starts_with("--plugins=/"));
  CHECK(handed[2].ends_with("/yours"));
}

TEST_CASE("options: how many words are missing or too many") {
  const auto thrown = [](const Names& words) {
    try {
      Small().parse(words);
    } catch (const app::WrongWords& mistake) {
      return mistake;
    }
    throw std::runtime_error("it was taken");
  };
  const app::WrongWords few = thrown({"--plan"}), many = thrown({"a", "b", "c\x1b", "d"});
  CHECK(few.least == 1);
  CHECK(few.most == 2);
  CHECK(few.given.empty());
  CHECK(many.given.size() == 4);
  CHECK_THAT(many.what(), check::starts_with("2 words too many, from \"c\\u001B\" on"));
}
