// SPDX-License-Identifier: Apache-2.0
// Every mistake at its location, with the facts that somebody needs to mend it; and some sentences as they are.
#include <algorithm>

#include "catch.hpp"
#include "fake_catalogue.hpp"

namespace study = poslab::study;

namespace {

// Where a mistake is, and what its message must name: the key, the value, the limit, what was meant.
struct Mistake {
  int line, column;
  std::vector<std::string> facts;
};

struct Case {
  std::string study;
  std::vector<Mistake> expected;
};

std::vector<study::Diagnostic> diagnostics_of(const std::string& text) {
  try {
    fake::parse(text);
  } catch (const study::StudyErrors& errors) {
    return errors.diagnostics;
  }
  return {};
}

void require_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    INFO(c.study);
    const std::vector<study::Diagnostic> found = diagnostics_of(c.study);
    REQUIRE(found.size() == c.expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      INFO(found[i].text());
      REQUIRE(found[i].location == study::SourceLocation{c.expected[i].line, c.expected[i].column});
      for (const std::string& fact : c.expected[i].facts) REQUIRE_THAT(found[i].message, check::contains(fact));
    }
  }
}

// The nine right lines with one thing replaced.
std::string with(const std::string& right, const std::string& wrong) {
  std::string text = fake::study_with("");
  return text.replace(text.find(right), right.size(), wrong);
}

}  // namespace

TEST_CASE("a right study has no mistakes") { REQUIRE(fake::mistakes(fake::study_with("")) == ""); }

TEST_CASE("mistakes of the study's head") {
  require_all({
      {with("format = 1", "format = 2"), {{1, 10, {"\"format\"", "2", "1", "format 1"}}}},
      {with("format = 1", "format = '1'"), {{1, 10, {"\"format\"", "1", "integer"}}}},
      {with("format = 1", ""), {{1, 1, {"\"format\"", "1"}}}},
      {with("title = \"t\"", ""), {{1, 1, {"\"title\""}}}},
      {with("\"t\"", "3"), {{2, 9, {"\"title\"", "integer"}}}},
      {with("\"t\"", "\" \""), {{2, 9, {"\"title\"", "empty"}}}},
      {with("\"t\"", "\"\\u001b[2J\""), {{2, 9, {"\"title\"", "\"\\u001B[2J\"", "control character"}}}},
      {with("\"t\"", "\"\\u202ett\""), {{2, 9, {"\"title\"", "\"\\u202Ett\"", "control character"}}}},
      {with("title = \"t\"", "title = \"t\"\nseed = -1"), {{3, 8, {"\"seed\"", "-1", "0"}}}},
      {with("title = \"t\"", "title = \"t\"\nseed = 1.0"), {{3, 8, {"\"seed\"", "1.0", "1", "integer"}}}},
      {with("title", "titel"), {{1, 1, {"\"title\""}}, {2, 1, {"\"titel\"", "\"title\""}}}},
      {with("title = \"t\"", "title = \"t\"\nplugins = \"evil.so\""), {{3, 1, {"\"plugins\"", "format"}}}},
      {"format = 1\ntitle = 't'", {{1, 1, {"[[scheme]]"}}, {1, 1, {"[[experiment]]"}}}},
      {with("[[scheme]]", "[scheme]"), {{6, 1, {"\"scheme\"", "table", "list", "tables"}}}},
      {with("[[scheme]]\nuse = \"rope\"", "").insert(0, "scheme = [1]\n"),
       {{1, 11, {"\"scheme\"", "integer", "list", "tables"}}}},
      {"", {{1, 1, {"\"format\"", "1"}}, {1, 1, {"\"title\""}}, {1, 1, {"[[scheme]]"}}, {1, 1, {"[[experiment]]"}}}},
  });
}

TEST_CASE("mistakes in [model]") {
  require_all({
      {with("heads = 8", "heads = 7"), {{5, 9, {"7", "128"}}}},
      {with("d_model = 128\nheads = 8", "d_model = 100"), {{4, 11, {"8", "100"}}}},
      {with("heads = 8", "heads = 0"), {{5, 9, {"\"heads\"", "0", "1", "1048576"}}}},
      {with("128", "nan"), {{4, 11, {"\"d_model\"", "nan", "number", "finite"}}}},
      {with("128", "[128]"), {{4, 11, {"\"d_model\"", "128", "integer"}}}},
      {with("128", "1979-05-27"), {{4, 11, {"\"d_model\"", "date", "integer"}}}},
      {with("heads = 8", "head = 8"), {{5, 1, {"\"head\"", "\"heads\""}}}},
      {with("[model]\nd_model = 128\nheads = 8", "").insert(0, "model = 3\n"),
       {{1, 9, {"\"model\"", "integer", "table"}}}},
  });
}

TEST_CASE("mistakes in [[scheme]]") {
  require_all({
      {with("\"rope\"", "\"ropee\""), {{7, 7, {"\"ropee\"", "\"rope\""}}}},
      {with("\"rope\"", "\"RoPE\""), {{7, 7, {"\"RoPE\"", "\"rope\""}}}},
      {with("\"rope\"", "\"zzz\""), {{7, 7, {"\"zzz\"", "sinusoidal"}}}},
      {with("use = \"rope\"", ""), {{6, 1, {"\"use\""}}}},
      {with("\"rope\"", "\"rope\"\nset = { bas = 3 }"), {{8, 9, {"\"bas\"", "\"base\""}}}},
      {with("\"rope\"", "\"none\"\nset = { base = 3 }"), {{8, 9, {"\"base\"", "none"}}}},
      {with("\"rope\"", "\"rope\"\nset = { base = 1 }"), {{8, 16, {"\"base\"", "1"}}}},
      {with("\"rope\"", "\"rope\"\nset = { base = inf }"), {{8, 16, {"\"base\"", "inf", "number", "finite"}}}},
      {with("\"rope\"", "\"rope\"\nset = { base = '3' }"), {{8, 16, {"\"base\"", "\"3\"", "number"}}}},
      {with("\"rope\"", "\"rope\"\nset = { base = [2, 3] }"), {{8, 16, {"\"base\"", "in set"}}}},
      {with("\"rope\"", "\"rope\"\nset = { style = 'half-spilt' }"),
       {{8, 17, {"\"style\"", "\"half-spilt\"", "\"half-split\""}}}},
      {with("\"rope\"", "\"rope\"\nset = { style = \"\\u0007\" }"), {{8, 17, {"\"style\"", "\"\\u0007\""}}}},
      {with("\"rope\"", "\"rope\"\nset = { factors = [1, -1] }"), {{8, 19, {"2", "\"factors\"", "-1", "0"}}}},
      {with("\"rope\"", "\"rope\"\nset = { factors = [1, 'a'] }"), {{8, 19, {"\"factors\"", "list", "numbers"}}}},
      {with("\"rope\"", "\"rope\"\nset = { factors = [1, nan] }"),
       {{8, 19, {"\"factors\"", "1", "nan", "number", "finite"}}}},
      {with("\"rope\"", "\"rope\"\naxes = { factors = [1, 2] }"),
       {{8, 21, {"\"factors\"", "1", "list", "numbers"}}, {8, 24, {"\"factors\"", "2", "list", "numbers"}}}},
      {with("\"rope\"", "\"rope\"\nset = { base = 3 }\naxes = { base = [4, 5] }"),
       {{9, 10, {"\"base\"", "8", "in set"}}}},
      {with("\"rope\"", "\"rope\"\nbase = 3"), {{8, 1, {"\"base\"", "set"}}}},
      {with("\"rope\"", "\"rope\"\nlibrary = './x.so'"), {{8, 1, {"\"library\"", "use"}}}},
      {with("\"rope\"", "\"learned\""), {{6, 1, {"\"max_length\"", "in set"}}}},
      {with("[[experiment]]", "[[scheme]]\nuse = \"rope\"\nset = { base = 1e4 }\n[[experiment]]"),
       {{8, 1, {"10000.0", "6"}}}},
      {with("\"rope\"", "\"rope\"\nset = 3"), {{8, 7, {"\"set\"", "integer", "table"}}}},
  });
}

TEST_CASE("mistakes in [[experiment]]") {
  require_all({
      {with("\"uniqueness\"", "\"uniquness\""), {{9, 7, {"\"uniquness\"", "\"uniqueness\""}}}},
      {fake::study_with("repeats = 0"), {{10, 11, {"\"repeats\"", "0", "1", "1000000"}}}},
      {fake::study_with("repeats = 2.5"), {{10, 11, {"\"repeats\"", "2.5", "integer"}}}},
      {fake::study_with("length = 8"), {{10, 1, {"\"length\"", "axes"}}}},
      {fake::study_with("[experiment.axes]\nlenght = 8"), {{11, 1, {"\"lenght\"", "\"length\""}}}},
      {fake::study_with("[experiment.axes]\nxyz = 8"), {{11, 1, {"\"xyz\"", "d_model"}}}},
      {fake::study_with("[experiment.axes]\nshift = 8"), {{11, 1, {"\"shift\"", "d_model"}}}},
      {fake::study_with("axes = { length = [0, 16, -3, 'a'] }"),
       {{10, 20, {"\"length\"", "0", "1", "65536"}},
        {10, 27, {"\"length\"", "-3", "1", "65536"}},
        {10, 31, {"\"length\"", "\"a\"", "integer"}}}},
      {fake::study_with("axes = { length = 1e3 }"), {{10, 19, {"\"length\"", "1000.0", "1000", "integer"}}}},
      {fake::study_with("axes = { length = [] }"), {{10, 19, {"\"length\"", "empty", "list"}}}},
      {fake::study_with("axes = { length = [8, 16, 8] }"), {{10, 27, {"\"length\"", "8", "twice"}}}},
      {fake::study_with("axes = { length = [8, [16]] }"), {{10, 23, {"\"length\"", "16", "integer"}}}},
      {fake::study_with("axes = { heads = [8], d_model = [-1] }"), {{10, 34, {"\"d_model\"", "-1", "1", "1048576"}}}},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\naxes = { shift = [1, [2]] }"),
       {{12, 22, {"\"shift\"", "2", "number"}}}},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\naxes = { shift = [1, 4, 1.0] }"),
       {{12, 25, {"\"shift\"", "1.0", "twice"}}}},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\naxes = { shift = [-1] }"),
       {{12, 19, {"\"shift\"", "-1", "0", "1000000"}}}},
      {fake::study_with("[[experiment]]\nuse = 'extrapolation'"), {{10, 1, {"\"train_length\"", "extrapolation"}}}},
      {fake::study_with("[experiment.axes]\nheads = 8\n[[experiment.zip]]\nheads = [8, 16]\nd_model = [64, 128]"),
       {{13, 1, {"\"heads\"", "11"}}}},
      {fake::study_with("[[experiment.zip]]\nheads = [8, 16]\n[[experiment.zip]]\nheads = [8, 16]"),
       {{13, 1, {"\"heads\"", "11"}}}},
      {fake::study_with("[[experiment.zip]]\nheads = [8, 16]\nd_model = [64, 128, 256]"),
       {{12, 1, {"\"d_model\"", "3", "\"heads\"", "2", "equally long"}}}},
      {fake::study_with("[[experiment.zip]]\nheads = [8, 3]\nd_model = [64, 128]"), {{11, 1, {"2", "3", "128"}}}},
      {fake::study_with("[[experiment.zip]]\nheads = [8, 8]\nlength = [64, 64]"), {{11, 1, {"8", "64", "twice"}}}},
      {fake::study_with("[[experiment.zip]]"), {{10, 1, {"empty"}}}},
      {fake::study_with("[experiment.zip]\nheads = [8, 16]"), {{10, 1, {"\"zip\"", "table", "list", "tables"}}}},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\nzip = [{ shift = [1, 2] }]"),
       {{12, 10, {"\"shift\"", "list", "cannot move"}}}},
  });
}

TEST_CASE("mistakes in [[experiment.skip]]") {
  const auto skip = [](const std::string& when) {
    return fake::study_with("skip = [{ when = " + when + ", reason = 'r' }]");
  };
  require_all({
      {fake::study_with("[[experiment.skip]]"), {{10, 1, {"\"when\""}}, {10, 1, {"\"reason\""}}}},
      {fake::study_with("skip = [{ when = { length = 8 }, reason = '', because = 1 }]"),
       {{10, 43, {"\"reason\"", "empty"}}, {10, 47, {"\"because\"", "when"}}}},
      {skip("{}"), {{10, 18, {"\"when\"", "empty"}}}},
      {skip("{ lenght = 8 }"), {{10, 20, {"\"lenght\"", "\"length\""}}}},
      {skip("{ scheme = 'rop' }"), {{10, 29, {"\"scheme\"", "\"rop\"", "\"rope\"", "sinusoidal"}}}},
      {skip("{ length = { eq = 8 } }"), {{10, 31, {"\"eq\"", "relation"}}}},
      {skip("{ length = { } }"), {{10, 29, {"\"length\"", "empty"}}}},
      {skip("{ length = [8, 9] }"), {{10, 29, {"relation"}}}},
      {skip("{ length = { in = 8 } }"), {{10, 36, {"\"in\"", "list", "empty"}}}},
      {skip("{ length = { in = [8, 'a'] } }"), {{10, 40, {"\"length\"", "\"a\"", "integer"}}}},
      {skip("{ length = { ge = 'a' } }"), {{10, 36, {"\"length\"", "\"a\"", "number"}}}},
      {skip("{ length = { ge = nan } }"), {{10, 36, {"\"length\"", "nan", "number", "finite"}}}},
      {skip("{ kind = { ge = 'position' } }"), {{10, 34, {"\"kind\"", "number"}}}},
      {skip("{ kind = 'positon' }"), {{10, 27, {"\"kind\"", "\"positon\"", "\"position\""}}}},
      {skip("{ style = 'x' }"), {{10, 28, {"\"style\"", "\"x\""}}}},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\nskip = [{ when = { shift = 1 }, reason = 'r' }]"),
       {{12, 20, {"\"shift\"", "list", "no condition"}}}},
  });
}

TEST_CASE("all mistakes come at once, by line and column") {
  const std::string text =
      "titel = 't'\n"                                // 1: unknown key; and 1:1 twice for what is missing
      "[[experiment]]\n"                             // 2
      "use = 'uniquness'\n"                          // 3
      "[[scheme]]\n"                                 // 4
      "use = 'rope'\n"                               // 5
      "set = { style = 'x', bas = 1 }\n"             // 6: two
      "[[experiment]]\n"                             // 7
      "use = 'relative-shift'\n"                     // 8
      "axes = { lenght = 1, length = [0, true] }\n"  // 9: three
      "[[expect]]\n"                                 // 10
      "experiment = 'relative-shift'\n"              // 11
      "measure = 'contentt_error'\n"                 // 12
      "value = nan\n"                                // 13
      "tolerance = -1\n";                            // 14
  REQUIRE(fake::mistakes(text) ==
          "study.toml:1:1: the study needs \"format\": write format = 1\n"
          "study.toml:1:1: the study needs \"title\"\n"
          "study.toml:1:1: unknown key \"titel\" in the study; did you mean \"title\"?\n"
          "study.toml:3:7: no experiment is called \"uniquness\"; did you mean \"uniqueness\"?\n"
          "study.toml:6:17: \"style\" is \"x\", but must be one of interleaved and half-split\n"
          "study.toml:6:22: \"bas\" is not a parameter of rope; did you mean \"base\"?\n"
          "study.toml:9:10: \"lenght\" is not an axis of relative-shift; did you mean \"length\"?\n"
          "study.toml:9:32: \"length\" is 0, but must be from 1 to 65536\n"
          "study.toml:9:35: \"length\" is true, but must be an integer\n"
          "study.toml:12:11: \"contentt_error\" is not a measure of relative-shift; did you mean \"content_error\"?\n"
          "study.toml:13:9: \"value\" is nan, but every number must be finite\n"
          "study.toml:14:13: \"tolerance\" is -1, but must be at least 0");
}

TEST_CASE("a study without any plugin says so") {
  poslab::data::Catalogue empty = fake::catalogue();
  empty.schemes.clear();
  REQUIRE_THROWS_WITH(poslab::study::parse_study(fake::study_with(""), "study.toml", empty),
                      "study.toml:7:7: no plugin offers a scheme called \"rope\"; if it is yours: --plugins DIR or "
                      "POSLAB_PLUGIN_PATH; no plugin was found at all");
}

TEST_CASE("a study that is far too large is refused before it is expanded") {
  const std::string axes =
      "[experiment.axes]\nlength = { range = [1, 50000, 1] }\nd_model = { range = [1, 1000000, 1] }\n";
  REQUIRE(fake::mistakes(fake::study_with("repeats = 2\n" + axes)) ==
          "study.toml:8:1: this study has 100,000,000,000 cells, but at most 1,000,000 are planned at once; split it, "
          "or vary "
          "less");
}

TEST_CASE("long text from a study is cut in messages") {
  const std::string message = fake::mistakes(fake::study_with(std::string(100000, 'x') + " = 1"));
  REQUIRE(message == "study.toml:10:1: unknown key \"" + std::string(80, 'x') +
                         "...\" in [[experiment]]; its keys are use, repeats, axes, zip and skip");
}

TEST_CASE("of very many mistakes the first fifty are told") {
  std::string keys;
  for (int i = 0; i < 200; ++i) keys += "wrong" + std::to_string(i) + " = 1\n";
  const std::string text = fake::mistakes(fake::study_with(keys));
  CHECK(std::count(text.begin(), text.end(), '\n') == 50);
  CHECK(text.substr(text.rfind('\n')) == "\nand 150 mistakes more");
}
