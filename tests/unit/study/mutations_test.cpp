// SPDX-License-Identifier: Apache-2.0
// Whatever a file holds, reading it ends in a study or in messages with line and column.
#include <random>

#include "catch.hpp"
#include "fake_catalogue.hpp"
#include "poslab/data/cell.hpp"

using namespace poslab;

namespace {

const std::vector<std::string> seeds{
    "format = 1\ntitle = \"t\"\nseed = 3\n[model]\nd_model = 128\nheads = 8\n[[scheme]]\nuse = \"rope\"\n"
    "set = { style = \"half-split\" }\naxes = { base = [1e4, 5e5], factors = [[1, 2], [3]] }\n[[scheme]]\nuse = "
    "\"learned\"\n"
    "[[scheme.zip]]\nmax_length = [4, 5]\noffset = [0, 1]\n[[experiment]]\nuse = \"uniqueness\"\nrepeats = "
    "2\n[experiment.axes]\n"
    "length = { pow2 = [3, 5] }\n[[experiment.zip]]\nheads = [8, 16]\nd_model = [128, 256]\n[[experiment.skip]]\n"
    "when = { length = { ge = 16 }, heads = 16, scheme = { in = [\"rope\"] } }\nreason = \"memory\"\n",
    "format = 1\ntitle = '''t'''\n[[scheme]]\nuse = 'sinusoidal'\n[[experiment]]\nuse = 'relative-shift'\n"
    "axes = { shift = { logspace = [1, 100, 3] }, length = { range = [1, 9, 4] } }\n[[expect]]\nexperiment = "
    "'relative-shift'\n"
    "where = { scheme = 'sinusoidal', shift = 10, length = 5, base = 1e4 }\nmeasure = \"content_error\"\nvalue = 1.5\n"
    "tolerance = 1e-6 # absolute\nsource = \"\"\"x\"\"\"\n",
};

const std::vector<std::string> pieces{"[",
                                      "]",
                                      "[[",
                                      "]]",
                                      "{",
                                      "}",
                                      "=",
                                      ".",
                                      ",",
                                      "\"",
                                      "'",
                                      "\"\"\"",
                                      "#",
                                      "\n",
                                      "\\",
                                      "\xff",
                                      "é",
                                      "-1",
                                      "nan",
                                      "inf",
                                      "1e400",
                                      "99999999999999999999",
                                      "9223372036854775807",
                                      "true",
                                      "[]",
                                      "{}",
                                      "1979-05-27",
                                      "07:32:00",
                                      "\\u0000",
                                      "a.b.c",
                                      "use",
                                      "axes",
                                      "zip",
                                      "length",
                                      "[[expect]]\n",
                                      "[[experiment]]\n",
                                      "scheme",
                                      std::string(1, '\0'),
                                      "range = [1, 2, 1e-9]",
                                      "0.5"};

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size()), count = 1 + below(8);
    const std::size_t digit = text.find_first_of("0123456789", at);
    switch (below(8)) {
      case 0: text.erase(at, count); break;
      case 1: text.insert(at, pieces[below(pieces.size())]); break;
      case 2: text.replace(at, count, pieces[below(pieces.size())]); break;
      case 3: text.insert(at, text.substr(below(text.size()), 1 + below(40))); break;
      case 4: text[at] = static_cast<char>(random() % 256); break;
      default:
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + below(10));
    }
  }
  return text;
}

}  // namespace

TEST_CASE("mutated studies end in a plan or in messages with line and column") {
  std::mt19937 random(20261121);
  const data::Catalogue catalogue = fake::catalogue();
  int planned = 0, refused = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = mutated(seeds[static_cast<std::size_t>(i) % seeds.size()], random);
    INFO(text);
    try {
      const study::Study study = study::parse_study(text, "s", catalogue);
      study::Study again = study::parse_study(study.resolved(), "s", catalogue);
      REQUIRE(again.hash() == study.hash());
      REQUIRE(!study::make_plan(study, catalogue, fake::each([](const data::Cell&) { return data::Forecast{}; }))
                   .cells.empty());
      ++planned;
    } catch (const study::StudyErrors& errors) {
      REQUIRE(!errors.diagnostics.empty());
      study::SourceLocation last;
      for (const study::Diagnostic& diagnostic : errors.diagnostics) {
        REQUIRE(diagnostic.location.line > 0);
        REQUIRE(diagnostic.location.column > 0);
        REQUIRE(last <= diagnostic.location);
        REQUIRE(!diagnostic.message.empty());
        REQUIRE(diagnostic.message.find('\n') == std::string::npos);
        last = diagnostic.location;
      }
      ++refused;
    }
  }
  REQUIRE(planned > 300);
  REQUIRE(refused > 3000);
}
