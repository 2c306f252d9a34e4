// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.hpp"
#include "terminal/styled_text.hpp"

using namespace poslab;
using run::Hit;

namespace {

const std::vector<Hit> some{
    {Hit::Kind::scheme, "rope", "", "rotates", 0, Hit::Where::is_name},
    {Hit::Kind::measure, "min_distance", "uniqueness", std::string(60, 'x') + " ± ± ± ±", 0, Hit::Where::in_name},
    {Hit::Kind::measure, std::string(70, 'y'), "uniqueness", "long", 0, Hit::Where::in_name},
    {Hit::Kind::page, "pages/a.md", "", "evil \x1b[2J", 7, Hit::Where::in_text}};

}  // namespace

TEST_CASE("found: a line each, in 80 columns, under what to run next") {
  const std::string text = app::hits_document(some, "/usr/share/poslab", false).text();
  CHECK_THAT(text, check::contains("schemes: poslab describe SCHEME\n  rope  rotates\n"));
  CHECK_THAT(text, check::contains("measures: poslab describe EXPERIMENT\n  min_distance of uniqueness "));
  CHECK_THAT(text, check::contains("pages: cd /usr/share/poslab && less PAGE\n  pages/a.md:7  evil \\u001B[2J\n"));
  CHECK_THAT(text, !check::contains("parameters"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(app::display_width(line) <= 80);
}

TEST_CASE("found: of very many the nearest, and how many more there are") {
  const std::vector<Hit> many(25, some[0]);
  const std::string text = app::hits_document(many, "", false).text(), all = app::hits_document(many, "", true).text();
  CHECK(std::count(text.begin(), text.end(), '\n') == 12);
  CHECK_THAT(text, check::contains("15 more: --all"));
  CHECK(std::count(all.begin(), all.end(), '\n') == 26);
}

TEST_CASE("found: as JSON, every kind, whole texts") {
  const base::Json json = app::hits_document(some, "", false).json();
  CHECK(json["schemes"][0]["name"] == "rope");
  CHECK(json["measures"][0]["experiment"] == "uniqueness");
  CHECK(json["measures"][0]["text"] == some[1].text);
  CHECK(json["pages"][0]["line"] == 7);
  CHECK(json["parameters"].empty());
}
