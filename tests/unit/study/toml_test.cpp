// SPDX-License-Identifier: Apache-2.0
// Text that is not TOML, or TOML that the parser must not see.
#include "catch.hpp"
#include "fake_catalogue.hpp"

using fake::mistakes;
using fake::study_with;

TEST_CASE("syntax errors have their location and the parser's words") {
  REQUIRE(mistakes("format = \n") == "study.toml:1:10: Error while parsing key-value pair: expected value, saw '\\n'");
  REQUIRE(mistakes("a = 1\na = 2\n") ==
          "study.toml:2:5: Error while parsing key-value pair: cannot redefine existing integer 'a'");
  REQUIRE_THAT(mistakes("a = 99999999999999999999"),
               check::contains("study.toml:1:25: ") && check::contains("64 bits"));
  REQUIRE_THAT(mistakes("a = \"\xff\""), check::contains("utf-8"));
  REQUIRE_THAT(mistakes(std::string("a = 1\n\0b = 2", 12)), check::starts_with("study.toml:2:1: "));
  REQUIRE(mistakes("a = " + std::string(1000000, '9')).size() < 500);
  REQUIRE_THAT(mistakes("a = n\nb = 1"), check::contains("saw 'n\\u000A'"));
}

TEST_CASE("letters beyond ASCII are welcome in text and comments, not in bare keys") {
  REQUIRE(mistakes("# Höhe\n" + study_with("# ← \"é\" 'é\n")) == "");
  REQUIRE(mistakes("\xEF\xBB\xBF" + study_with("")) == "");
  const std::string sentence =
      "a character that is not ASCII outside of text and comments; a key with such letters needs quotes";
  REQUIRE(mistakes("title = \"é\" # é\n  é = 1\n") == "study.toml:2:3: " + sentence);
  REQUIRE(mistakes("a = '''é\n'é''é'''é\n") == "study.toml:2:9: " + sentence);
  REQUIRE(mistakes("a = \"\"\"é\n\\\"\"\"é\"\"\"\"\" é\n") == "study.toml:2:12: " + sentence);
  REQUIRE(mistakes("a = \"\"\"x\"\"\"\" é\n") == "study.toml:1:14: " + sentence);
  // toml++ reads a number on to its end, through what looks like the beginning of a text.
  REQUIRE(mistakes("a = [4'''é\n") == "study.toml:1:7: a quotation mark in the middle of a word");
  REQUIRE(mistakes("a = 4\"é\"\n") == "study.toml:1:6: a quotation mark in the middle of a word");
  REQUIRE(mistakes(study_with("[[expect]]\n\"source\"='é'")).find("quotation") == std::string::npos);
  // Nor must it see them where a line is joined to the one before.
  REQUIRE(mistakes("a = \"\"\"b\\\n é\"\"\"") ==
          "study.toml:2:2: a character that is not ASCII right after a backslash");
  REQUIRE(mistakes("a = \"\"\"\\é\"\"\"") == "study.toml:1:9: a character that is not ASCII right after a backslash");
  REQUIRE(mistakes(study_with("[[expect]]\nsource = \"\"\"\\\n  \\u00e9 é \\\\é\"\"\"")).find("ASCII") ==
          std::string::npos);
  REQUIRE(mistakes("[é]\n") == "study.toml:1:2: expected the name of a table after \"[\"");
  // Columns count letters, not bytes.
  REQUIRE_THAT(mistakes(study_with("[[expect]]\nsource = 'é' \"\"")), check::starts_with("study.toml:11:14: "));
  REQUIRE_THAT(mistakes(study_with("'é' = 1")),
               check::starts_with("study.toml:10:1: unknown key \"é\" in [[experiment]]"));
}

TEST_CASE("table headers without a name") {
  for (const char* text : {"[[ = 1", "[ = 1", "[", "[[", "[[[a]]]", "[\na]", "  [=]", "a = 1\n[[ = 1"})
    REQUIRE_THAT(mistakes(text), check::contains("expected the name of a table after \"[\""));
  REQUIRE_THAT(mistakes("[]"), check::contains("blank"));
  REQUIRE(mistakes("x = [\n[=]]") == "study.toml:2:2: Error while parsing value: could not determine value type");
}

TEST_CASE("nesting that would exhaust the stack is refused") {
  std::string keys, brackets(100000, '['), tables;
  for (int i = 0; i < 100000; ++i) keys += "a.", tables += "{a=";
  REQUIRE(mistakes(keys + "b = 1") == "study.toml:1:66: nested deeper than 32 tables or lists");
  REQUIRE(mistakes("[" + keys + "b]") == "study.toml:1:67: nested deeper than 32 tables or lists");
  REQUIRE(mistakes("a = " + brackets) == "study.toml:1:37: nested deeper than 32 tables or lists");
  REQUIRE_THAT(mistakes("a = " + tables), check::contains("nested deeper"));
  REQUIRE_THAT(
      mistakes("a = [0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3, 0.4, "
               "0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3]"),
      !check::contains("nested"));
}
