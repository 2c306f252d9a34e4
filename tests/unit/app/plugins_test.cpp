// SPDX-License-Identifier: Apache-2.0
#include "commands/plugins.hpp"

#include "catch.hpp"
#include "poslab/run/library.hpp"

using namespace poslab;

TEST_CASE("plugins: where none was found, what was searched and what was passed over") {
  const base::Error error =
      run::no_schemes({"/a", "/b"}, {{"/a/x.so", "is no plugin"}, {"/b/y.so", "is \x1b[2Jolder"}});
  CHECK(error.kind == base::Error::Kind::request);
  CHECK(std::string(error.what()) ==
        "no scheme was found in /a and /b; name a directory of plugins with --plugins or POSLAB_PLUGIN_PATH\n"
        "passed over /a/x.so: is no plugin\npassed over /b/y.so: is \\u001B[2Jolder");
  CHECK_THAT(run::no_schemes({}, {}).what(), check::starts_with("no scheme was found in any directory; name"));
}

TEST_CASE("plugins: what stands before another is one line for two directories") {
  CHECK(app::shadows_text({}).empty());
  CHECK(app::shadows_text({{"rope", "/mine/rope.so", "/lib/rope.so"},
                           {"t5", "/mine/t5.so", "/lib/t5.so"},
                           {"fire", "/other/f.so", "/lib/fire.so"}}) ==
        "poslab: rope and t5 from /mine, in place of /lib\nposlab: fire from /other, in place of /lib\n");
  std::vector<host::Shadowed> many;
  for (char name = 'a'; name < 'h'; ++name) many.push_back({std::string(1, name), "/mine/x.so", "/lib/x.so"});
  CHECK(app::shadows_text(many) == "poslab: a, b, c, d, e and 2 more from /mine, in place of /lib\n");
}

TEST_CASE("plugins: a name that is of nothing says what was meant") {
  data::Catalogue catalogue;
  catalogue.schemes.emplace_back().id = "rope";
  catalogue.experiments.emplace_back().id = "uniqueness";
  const app::NoSuchName error("uniquness", catalogue);
  CHECK(error.name == "uniquness");
  CHECK(std::string(error.what()) ==
        "no scheme or experiment is called \"uniquness\" (poslab list names them, poslab find uniquness searches all "
        "that they say; if it is yours: --plugins DIR or POSLAB_PLUGIN_PATH); did you mean \"uniqueness\"?");
  CHECK_THAT(app::NoSuchName("it's", catalogue).what(), check::contains("poslab find 'it'\\''s' searches"));
  CHECK_THAT(app::NoSuchName("rop", catalogue).what(), check::contains("did you mean \"rope\"?"));
  CHECK(std::string(app::NoSuchName("potato", catalogue).what()).ends_with("POSLAB_PLUGIN_PATH)"));
}
