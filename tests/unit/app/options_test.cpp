// SPDX-License-Identifier: Apache-2.0
// Words of a command line: options, and what follows `--`.
#include "poslab/app/arguments/options.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

using namespace poslab;

namespace {

using Words = std::vector<std::string>;

boost::program_options::variables_map parsed(const Words& words) {
  namespace po = boost::program_options;
  app::Options options("run");
  options.add()("only", po::value<Words>(), "")("output,o", po::value<std::string>(), "")("plan", "");
  options.positional("STUDY", 1, 2);
  return options.parse(words);
}

}  // namespace

TEST_CASE("options: they may stand among the other words, and be repeated") {
  const auto values = parsed({"--only=a", "x.toml", "--only", "b", "-oc.h5", "y.toml"});
  CHECK(values["only"].as<Words>() == Words{"a", "b"});
  CHECK(values["STUDY"].as<Words>() == Words{"x.toml", "y.toml"});
  CHECK(app::output_of(values) == "c.h5");
  CHECK(values.count("plan") == 0);
}

TEST_CASE("options: after -- nothing is an option") {
  const auto values = parsed({"--only", "a", "--", "--plan", "-o"});
  CHECK(values["STUDY"].as<Words>() == Words{"--plan", "-o"});
  CHECK(values.count("plan") == 0);
  CHECK(values.count("output") == 0);
}

TEST_CASE("options: too few words, too many, and what is no option are mistakes") {
  for (const Words& wrong : {Words{}, Words{"a", "b", "c"}, Words{"a", "--onl=x"}, Words{"a", "--output"},
                             Words{"a", "-oa", "-ob"}, Words{"a", "--nothing"}})
    CHECK_THROWS_AS(parsed(wrong), app::UsageError);
  CHECK_THROWS_AS(parsed({"--help"}), app::HelpWanted);
}

TEST_CASE("options: what -o cannot be, and an assignment at its first sign") {
  CHECK_THROWS_AS(app::output_of(parsed({"a", "-o", "a.h5.journal"})), app::UsageError);
  CHECK_THROWS_AS(app::output_of(parsed({"a", "--output="})), app::UsageError);
  CHECK(app::split_assignment("--set", "a=b=c") == std::pair<std::string, std::string>{"a", "b=c"});
  CHECK_THROWS_AS(app::split_assignment("--set", "=b"), app::UsageError);
}

TEST_CASE("options: how many words are missing or too many, and how the command is used") {
  const auto thrown = [](const Words& words) {
    try {
      parsed(words);
    } catch (const app::WrongWords& mistake) {
      return mistake;
    }
    throw std::runtime_error("it was taken");
  };
  const app::WrongWords few = thrown({"--plan"}), many = thrown({"a", "b", "c\x1b", "d"});
  CHECK(few.least == 1);
  CHECK(few.most == 2);
  CHECK(few.given.empty());
  CHECK(std::string(few.what()) == "a word is missing; it is: poslab run STUDY.toml [STUDY.toml ...]");
  CHECK(many.given.size() == 4);
  CHECK_THAT(many.what(), check::starts_with("2 words too many, from \"c\\u001B\" on"));
}
