// SPDX-License-Identifier: Apache-2.0
// What the whole program says of its own words.
#include "poslab/app/main_program.hpp"

#include <unistd.h>

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "options/options.hpp"

using namespace poslab;

namespace {

using Words = std::vector<std::string>;

// What the program writes to `descriptor`, which is that of `stream`, and its exit code.
std::pair<std::string, int> said_to(std::FILE* stream, int descriptor, const Words& words) {
  std::FILE* file = std::tmpfile();
  std::fflush(stream);
  const int before = dup(descriptor);
  dup2(fileno(file), descriptor);
  const int code = app::main_program(words);
  std::fflush(stream);
  dup2(before, descriptor);
  close(before);
  std::string text(static_cast<std::size_t>(lseek(fileno(file), 0, SEEK_END)), ' ');
  std::rewind(file);
  REQUIRE(std::fread(text.data(), 1, text.size(), file) == text.size());
  std::fclose(file);
  return {text, code};
}

std::string error_text(const Words& words) {
  const auto [text, code] = said_to(stderr, STDERR_FILENO, words);
  CHECK(code == app::wrong_input);
  return text;
}

std::string help(const Words& words) {
  const auto [text, code] = said_to(stdout, STDOUT_FILENO, words);
  CHECK(code == app::all_well);
  return text;
}

}  // namespace

TEST_CASE("program: an unknown command is named, with the one that was meant") {
  CHECK(error_text({"rnu"}) ==
        "poslab: \"rnu\" is not a poslab command; did you mean \"run\"?\n(poslab --help shows how it is used)\n");
  CHECK(error_text({"help", "rnu"}) == error_text({"rnu"}));
  CHECK_THAT(error_text({"potato"}), check::starts_with("poslab: \"potato\" is not a poslab command\n"));
}

TEST_CASE("program: a word that another room refuses points to the help, too") {
  CHECK(error_text({"submit", "s.toml", "--tasks=2", "--time=soon"}) ==
        "poslab: --time is \"soon\", but must be like 90 (minutes), 2:00:00 (hours:minutes:seconds) or 1-12 "
        "(days-hours)\n(poslab submit --help shows how it is used)\n");
  CHECK_THAT(error_text({"run", "s.toml", "--shard=3"}), check::contains("\n(poslab run --help shows"));
  CHECK_THAT(error_text({"new", "scheme", "My"}), check::contains("\n(poslab new --help shows"));
}

TEST_CASE("program: words that are missing, and what they are") {
  CHECK_THAT(error_text({"new"}), check::contains("2 words are missing; it is: poslab new scheme NAME\n"));
  CHECK_THAT(error_text({"status"}), check::contains("a word is missing; it is: poslab status FILE...\n"));
  CHECK_THAT(error_text({"list", "a", "b"}), check::contains("a word too many, from \"b\" on; it is: poslab list"));
}

TEST_CASE("program: help of a command, asked for in two ways") {
  CHECK(help({"help", "run"}) == help({"run", "--help"}));
  CHECK_THAT(help({"help", "run"}), check::starts_with("usage: poslab run STUDY.toml"));
  CHECK(help({"help"}) == help({"--help"}));
  CHECK_THAT(help({"help"}), check::contains("  list       list schemes and experiments\n"));
  CHECK_THAT(help({"help"}), check::contains("  check      try to refute what a plugin promises\n"));
}

TEST_CASE("program: options that may be repeated say so") {
  const std::string run = help({"help", "run"});
  for (const char* option : {"--axis", "--only", "--plugins"}) {
    const std::size_t at = run.find(std::string("  ") + option);
    REQUIRE(at != std::string::npos);
    CHECK(run.substr(at, run.find("\n  --", at) - at).find("repeated)") != std::string::npos);
  }
}

TEST_CASE("program: the help of every command fits a screen, and shows how it is used twice") {
  std::map<std::string, std::string> texts{{"", help({"help"})}};
  for (const app::Command& command : app::commands()) texts[command.name] = app::help_of(command);
  CHECK(texts.size() == app::commands().size() + 1);
  for (const auto& [command, text] : texts) {
    INFO(text);
    std::istringstream lines(text);
    std::size_t count = 0, examples = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      CHECK(line.size() <= 80);
      if (line.starts_with("  poslab ")) ++examples;
    }
    CHECK(count <= 40);
    if (!command.empty()) CHECK(examples == 2);
    CHECK(text.find("used by poslab") == std::string::npos);
  }
}

TEST_CASE("program: a mistyped option is told with the one that was meant") {
  CHECK(error_text({"run", "a.toml", "--thread=2"}) ==
        "poslab: there is no option --thread; did you mean --threads?\n(poslab run --help shows how it is used)\n");
  CHECK_THAT(error_text({"run", "-threads", "2"}), check::contains("no option -threads; did you mean --threads?\n"));
  CHECK_THAT(error_text({"merge", "--hlep"}), check::contains("did you mean --help?"));
  CHECK_THAT(error_text({"check", "--perfrom=x"}),
             check::contains("there is no option --perfrom\n"));  // not for people
  CHECK_THAT(error_text({"list", "-x"}), check::contains("there is no option -x\n"));
}

TEST_CASE("program: exit codes of mistakes, and of help") {
  for (const Words& wrong : {Words{}, Words{"rnu"}, Words{"run"}, Words{"run", "--thr", "2", "x.toml"}})
    CHECK(app::main_program(wrong) == app::wrong_input);  // no prefix is guessed at
  CHECK(app::main_program({"--help"}) == app::all_well);
  CHECK(app::main_program({"table", "--help"}) == app::all_well);  // not in the child that its work is for
}

TEST_CASE("program: a study is no command, and is told what is") {
  CHECK_THAT(error_text({"a.toml"}), check::contains("\"a.toml\" is no command but a study: poslab run a.toml\n"));
}
