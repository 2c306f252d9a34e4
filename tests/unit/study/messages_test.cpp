// SPDX-License-Identifier: Apache-2.0
// Every mistake at its location, in words that say what to do.
#include <algorithm>

#include "catch.hpp"
#include "fake_catalogue.hpp"

namespace {

struct Case {
  std::string study;
  std::string expected;  ///< all lines of the message
};

void require_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    INFO(c.study);
    REQUIRE(fake::mistakes(c.study) == c.expected);
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
      {with("format = 1", "format = 2"), "study.toml:1:10: \"format\" is 2, but this poslab reads format 1 only"},
      {with("format = 1", "format = '1'"), "study.toml:1:10: \"format\" is a text, but must be the integer 1"},
      {with("format = 1", ""), "study.toml:1:1: the study needs \"format\": write format = 1"},
      {with("title = \"t\"", ""), "study.toml:1:1: the study needs \"title\""},
      {with("\"t\"", "3"), "study.toml:2:9: \"title\" is an integer, but must be a text"},
      {with("\"t\"", "\" \""), "study.toml:2:9: \"title\" is empty"},
      {with("\"t\"", "\"\\u001b[2J\""), "study.toml:2:9: \"title\" holds a control character: \"\\u001B[2J\""},
      {with("\"t\"", "\"\\u202ett\""), "study.toml:2:9: \"title\" holds a control character: \"\\u202Ett\""},
      {with("title = \"t\"", "title = \"t\"\nseed = -1"), "study.toml:3:8: \"seed\" is -1, but must be at least 0"},
      {with("title = \"t\"", "title = \"t\"\nseed = 1.0"),
       "study.toml:3:8: \"seed\" is 1.0, but must be an integer; write 1"},
      {with("title", "titel"),
       "study.toml:1:1: the study needs \"title\"\n"
       "study.toml:2:1: unknown key \"titel\" in the study; did you mean \"title\"?"},
      {with("title = \"t\"", "title = \"t\"\nplugins = \"evil.so\""),
       "study.toml:3:1: unknown key \"plugins\" in the study; its keys are format, title, seed, model, scheme, "
       "experiment, expect and "
       "out_of_reach"},
      {"format = 1\ntitle = 't'",
       "study.toml:1:1: the study needs at least one [[scheme]]\n"
       "study.toml:1:1: the study needs at least one [[experiment]]"},
      {with("[[scheme]]", "[scheme]"),
       "study.toml:6:1: \"scheme\" is a table, but must be a list of tables: write [[scheme]]"},
      {with("[[scheme]]\nuse = \"rope\"", "").insert(0, "scheme = [1]\n"),
       "study.toml:1:11: \"scheme\" holds an integer, but must be a list of tables"},
      {"",
       "study.toml:1:1: the study needs \"format\": write format = 1\nstudy.toml:1:1: the study needs \"title\"\n"
       "study.toml:1:1: the study needs at least one [[scheme]]\nstudy.toml:1:1: the study needs at least one "
       "[[experiment]]"},
  });
}

TEST_CASE("mistakes in [model]") {
  require_all({
      {with("heads = 8", "heads = 7"), "study.toml:5:9: 7 heads do not divide d_model = 128"},
      {with("d_model = 128\nheads = 8", "d_model = 100"), "study.toml:4:11: 8 heads do not divide d_model = 100"},
      {with("heads = 8", "heads = 0"), "study.toml:5:9: \"heads\" is 0, but must be from 1 to 1048576"},
      {with("128", "nan"), "study.toml:4:11: \"d_model\" is nan, but every number must be finite"},
      {with("128", "[128]"), "study.toml:4:11: \"d_model\" is [128], but must be an integer"},
      {with("128", "1979-05-27"), "study.toml:4:11: \"d_model\" is a date, but must be an integer"},
      {with("heads = 8", "head = 8"), "study.toml:5:1: unknown key \"head\" in [model]; did you mean \"heads\"?"},
      {with("[model]\nd_model = 128\nheads = 8", "").insert(0, "model = 3\n"),
       "study.toml:1:9: \"model\" is an integer, but must be a table"},
  });
}

TEST_CASE("mistakes in [[scheme]]") {
  require_all({
      {with("\"rope\"", "\"ropee\""),
       "study.toml:7:7: no plugin offers a scheme called \"ropee\"; if it is yours: --plugins DIR or "
       "POSLAB_PLUGIN_PATH; did you mean \"rope\"?"},
      {with("\"rope\"", "\"RoPE\""),
       "study.toml:7:7: no plugin offers a scheme called \"RoPE\"; if it is yours: --plugins DIR or "
       "POSLAB_PLUGIN_PATH; did you mean \"rope\"?"},
      {with("\"rope\"", "\"zzz\""),
       "study.toml:7:7: no plugin offers a scheme called \"zzz\"; if it is yours: --plugins DIR or POSLAB_PLUGIN_PATH; "
       "there are rope, sinusoidal, learned and none"},
      {with("use = \"rope\"", ""), "study.toml:6:1: [[scheme]] needs \"use\""},
      {with("\"rope\"", "\"rope\"\nset = { bas = 3 }"),
       "study.toml:8:9: \"bas\" is not a parameter of rope; did you mean \"base\"?"},
      {with("\"rope\"", "\"none\"\nset = { base = 3 }"),
       "study.toml:8:9: \"base\" is not a parameter of none; it has none"},
      {with("\"rope\"", "\"rope\"\nset = { base = 1 }"), "study.toml:8:16: \"base\" is 1, but must be greater than 1"},
      {with("\"rope\"", "\"rope\"\nset = { base = inf }"),
       "study.toml:8:16: \"base\" is inf, but every number must be finite"},
      {with("\"rope\"", "\"rope\"\nset = { base = '3' }"), "study.toml:8:16: \"base\" is \"3\", but must be a number"},
      {with("\"rope\"", "\"rope\"\nset = { base = [2, 3] }"),
       "study.toml:8:16: \"base\" in set is one value; several values belong in axes"},
      {with("\"rope\"", "\"rope\"\nset = { style = 'half-spilt' }"),
       "study.toml:8:17: \"style\" is \"half-spilt\", but must be one of interleaved and half-split; did you mean "
       "\"half-split\"?"},
      {with("\"rope\"", "\"rope\"\nset = { style = \"\\u0007\" }"),
       "study.toml:8:17: \"style\" is \"\\u0007\", but must be one of interleaved and half-split"},
      {with("\"rope\"", "\"rope\"\nset = { factors = [1, -1] }"),
       "study.toml:8:19: entry 2 of \"factors\" is -1, but must be greater than 0"},
      {with("\"rope\"", "\"rope\"\nset = { factors = [1, 'a'] }"),
       "study.toml:8:19: \"factors\" is a list, but must be a list of numbers"},
      {with("\"rope\"", "\"rope\"\nset = { factors = [1, nan] }"),
       "study.toml:8:19: \"factors\" is [1, nan], but every number must be finite"},
      {with("\"rope\"", "\"rope\"\naxes = { factors = [1, 2] }"),
       "study.toml:8:21: \"factors\" is 1, but must be a list of numbers\n"
       "study.toml:8:24: \"factors\" is 2, but must be a list of numbers"},
      {with("\"rope\"", "\"rope\"\nset = { base = 3 }\naxes = { base = [4, 5] }"),
       "study.toml:9:10: \"base\" stands in set already (line 8)"},
      {with("\"rope\"", "\"rope\"\nbase = 3"),
       "study.toml:8:1: unknown key \"base\" in [[scheme]]; it belongs in set or axes"},
      {with("\"rope\"", "\"rope\"\nlibrary = './x.so'"),
       "study.toml:8:1: unknown key \"library\" in [[scheme]]; its keys are use, label, set, axes, zip and "
       "positions"},
      {with("\"rope\"", "\"learned\""),
       "study.toml:6:1: learned needs a value for \"max_length\": give it in set or axes"},
      {with("[[experiment]]", "[[scheme]]\nuse = \"rope\"\nset = { base = 1e4 }\n[[experiment]]"),
       "study.toml:8:1: rope(base=10000.0) is in the study already, from the [[scheme]] in line 6"},
      {with("\"rope\"", "\"rope\"\nset = 3"), "study.toml:8:7: \"set\" is an integer, but must be a table"},
  });
}

TEST_CASE("mistakes in [[experiment]]") {
  require_all({
      {with("\"uniqueness\"", "\"uniquness\""),
       "study.toml:9:7: no experiment is called \"uniquness\"; did you mean \"uniqueness\"?"},
      {fake::study_with("repeats = 0"), "study.toml:10:11: \"repeats\" is 0, but must be from 1 to 1000000"},
      {fake::study_with("repeats = 2.5"), "study.toml:10:11: \"repeats\" is 2.5, but must be an integer"},
      {fake::study_with("length = 8"), "study.toml:10:1: unknown key \"length\" in [[experiment]]; it belongs in axes"},
      {fake::study_with("[experiment.axes]\nlenght = 8"),
       "study.toml:11:1: \"lenght\" is not an axis of uniqueness; did you mean \"length\"?"},
      {fake::study_with("[experiment.axes]\nxyz = 8"),
       "study.toml:11:1: \"xyz\" is not an axis of uniqueness; it has d_model, heads, length and kind"},
      {fake::study_with("[experiment.axes]\nshift = 8"),
       "study.toml:11:1: \"shift\" is not an axis of uniqueness; it has d_model, heads, length and kind"},
      {fake::study_with("axes = { length = [0, 16, -3, 'a'] }"),
       "study.toml:10:20: \"length\" is 0, but must be from 1 to 65536\n"
       "study.toml:10:27: \"length\" is -3, but must be from 1 to 65536\n"
       "study.toml:10:31: \"length\" is \"a\", but must be an integer"},
      {fake::study_with("axes = { length = 1e3 }"),
       "study.toml:10:19: \"length\" is 1000.0, but must be an integer; write 1000"},
      {fake::study_with("axes = { length = [] }"), "study.toml:10:19: \"length\" is an empty list"},
      {fake::study_with("axes = { length = [8, 16, 8] }"), "study.toml:10:27: \"length\" has 8 twice"},
      {fake::study_with("axes = { length = [8, [16]] }"),
       "study.toml:10:23: \"length\" is [16], but must be an integer"},
      {fake::study_with("axes = { heads = [8], d_model = [-1] }"),
       "study.toml:10:34: \"d_model\" is -1, but must be from 1 to 1048576"},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\naxes = { shift = [1, [2]] }"),
       "study.toml:12:22: \"shift\" is [2], but must be a number"},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\naxes = { shift = [1, 4, 1.0] }"),
       "study.toml:12:25: \"shift\" has 1.0 twice"},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\naxes = { shift = [-1] }"),
       "study.toml:12:19: \"shift\" is -1, but must be from 0 to 1000000"},
      {fake::study_with("[[experiment]]\nuse = 'extrapolation'"),
       "study.toml:10:1: extrapolation needs values for \"train_length\" in its axes"},
      {fake::study_with("[experiment.axes]\nheads = 8\n[[experiment.zip]]\nheads = [8, 16]\nd_model = [64, 128]"),
       "study.toml:13:1: \"heads\" stands in axes already (line 11)"},
      {fake::study_with("[[experiment.zip]]\nheads = [8, 16]\n[[experiment.zip]]\nheads = [8, 16]"),
       "study.toml:13:1: \"heads\" stands in zip already (line 11)"},
      {fake::study_with("[[experiment.zip]]\nheads = [8, 16]\nd_model = [64, 128, 256]"),
       "study.toml:12:1: \"d_model\" has 3 values, but \"heads\" has 2 values: the lists of a zip are equally long"},
      {fake::study_with("[[experiment.zip]]\nheads = [8, 3]\nd_model = [64, 128]"),
       "study.toml:11:1: entry 2 of this zip: 3 heads do not divide d_model = 128"},
      {fake::study_with("[[experiment.zip]]\nheads = [8, 8]\nlength = [64, 64]"),
       "study.toml:11:1: this zip has heads = 8, length = 64 twice"},
      {fake::study_with("[[experiment.zip]]"), "study.toml:10:1: this zip is empty"},
      {fake::study_with("[experiment.zip]\nheads = [8, 16]"),
       "study.toml:10:1: \"zip\" is a table, but must be a list of tables: write [[experiment.zip]]"},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\nzip = [{ shift = [1, 2] }]"),
       "study.toml:12:10: \"shift\" is a list that each cell takes whole; it cannot move in a zip"},
  });
}

TEST_CASE("mistakes in [[experiment.skip]]") {
  const auto skip = [](const std::string& when) {
    return fake::study_with("skip = [{ when = " + when + ", reason = 'r' }]");
  };
  require_all({
      {fake::study_with("[[experiment.skip]]"),
       "study.toml:10:1: [[experiment.skip]] needs \"when\"\n"
       "study.toml:10:1: [[experiment.skip]] needs \"reason\""},
      {fake::study_with("skip = [{ when = { length = 8 }, reason = '', because = 1 }]"),
       "study.toml:10:43: \"reason\" is empty\n"
       "study.toml:10:47: unknown key \"because\" in [[experiment.skip]]; its keys are when and reason"},
      {skip("{}"), "study.toml:10:18: \"when\" is empty: it would skip every cell"},
      {skip("{ lenght = 8 }"),
       "study.toml:10:20: \"lenght\" is neither an axis of uniqueness nor a parameter of a scheme; did you mean "
       "\"length\"?"},
      {skip("{ scheme = 'rop' }"),
       "study.toml:10:29: \"scheme\" is \"rop\", but must be one of rope, sinusoidal, learned and none; did you mean "
       "\"rope\"?"},
      {skip("{ length = { eq = 8 } }"),
       "study.toml:10:31: \"eq\" is not a relation; the relations are ge, gt, le, lt, ne and in"},
      {skip("{ length = { } }"), "study.toml:10:29: the condition on \"length\" is empty"},
      {skip("{ length = [8, 9] }"),
       "study.toml:10:29: a condition is one value or a relation; for several values write { in = [...] }"},
      {skip("{ length = { in = 8 } }"), "study.toml:10:36: \"in\" needs a list of values that is not empty"},
      {skip("{ length = { in = [8, 'a'] } }"), "study.toml:10:40: \"length\" is \"a\", but must be an integer"},
      {skip("{ length = { ge = 'a' } }"), "study.toml:10:36: \"length\" is \"a\", but must be a number"},
      {skip("{ length = { ge = nan } }"), "study.toml:10:36: \"length\" is nan, but every number must be finite"},
      {skip("{ kind = { ge = 'position' } }"),
       "study.toml:10:34: \"kind\" is no number, so it cannot be greater or less than something"},
      {skip("{ kind = 'positon' }"),
       "study.toml:10:27: \"kind\" is \"positon\", but must be one of position and offset; did you mean \"position\"?"},
      {skip("{ style = 'x' }"), "study.toml:10:28: \"style\" is \"x\", but must be one of interleaved and half-split"},
      {fake::study_with("[[experiment]]\nuse = 'relative-shift'\nskip = [{ when = { shift = 1 }, reason = 'r' }]"),
       "study.toml:12:20: \"shift\" is a list that each cell takes whole; no condition can be on it"},
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
