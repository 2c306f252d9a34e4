// SPDX-License-Identifier: Apache-2.0
// Where plugins are looked for, and that one bad file or directory spoils nothing else.
#include "poslab/host/library.hpp"

#include <stdlib.h>

#include <fstream>

#include "catch.hpp"
#include "faults.hpp"
#include "files/plugin_file.hpp"
#include "poslab/host/python.hpp"
#include "poslab/host/scheme_errors.hpp"
#include "thrown.hpp"

using namespace poslab;
using poslab::test::TemporaryDirectory;
namespace fs = std::filesystem;

namespace {

// Sets POSLAB_PLUGIN_PATH for the length of a test.
struct PluginPath {
  explicit PluginPath(const std::string& value) { ::setenv("POSLAB_PLUGIN_PATH", value.c_str(), 1); }
  PluginPath(const PluginPath&) = delete;
  PluginPath& operator=(const PluginPath&) = delete;
  ~PluginPath() { ::unsetenv("POSLAB_PLUGIN_PATH"); }
};

host::Library scan(const std::vector<fs::path>& directories) {
  return host::Library::scan({directories.begin(), directories.end()},
                             [](const fs::path& file) { return host::Plugin::open(file)->info(); });
}

}  // namespace

TEST_CASE("search order: explicit directories, then POSLAB_PLUGIN_PATH, then beside the executable") {
  const fs::path built = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "plugins";
  ::unsetenv("POSLAB_PLUGIN_PATH");
  using Path = std::vector<host::PluginDirectory>;
  const host::PluginDirectory beside(built, false), a("/a", false), c("/b/c", false);
  CHECK(host::Library::search_path({}) == Path{beside});
  CHECK(host::Library::search_path({"/x", "/y"}) == Path{fs::path("/x"), fs::path("/y"), beside});
  const PluginPath set(":/a::/b/c:");
  CHECK(host::Library::search_path({}) == Path{a, c, beside});
  CHECK(host::Library::search_path({"/x"}) == Path{fs::path("/x"), a, c, beside});
  const PluginPath empty("");
  CHECK(host::Library::search_path({}) == Path{beside});
}

TEST_CASE("beside the executable: the build tree's plugins, else those of an installation") {
  const TemporaryDirectory root;
  const fs::path executable = root.path() / "bin" / "poslab";
  CHECK(host::directory_beside(executable) == root.path() / "plugins");
  fs::create_directories(root.path() / "lib" / "poslab" / "plugins");
  CHECK(host::directory_beside(executable) == root.path() / "lib" / "poslab" / "plugins");
  fs::create_directory(root.path() / "plugins");
  CHECK(host::directory_beside(executable) == root.path() / "plugins");
}

TEST_CASE("a scan takes what is right, in order of name, and says why it passed over the rest") {
  const TemporaryDirectory directory;
  directory.add_fault("toy", "b.so");
  directory.add_fault("same_id", "c.so");
  directory.add_fault("newer_minor", "a.so");
  directory.add("notes.txt", "no library, and none was expected");
  const auto library = scan({directory.path(), directory.path()});
  REQUIRE(library.schemes().size() == 1);
  CHECK(library.schemes()[0].file == (directory.path() / "b.so").string());
  REQUIRE(library.refusals().size() == 2);
  CHECK(library.refusals()[0].file == directory.path() / "a.so");
  CHECK(library.refusals()[1].file == directory.path() / "c.so");
  CHECK(library.refusals()[1].reason == "id \"toy\" is taken already by " + (directory.path() / "b.so").string());
  CHECK(library.schemes().size() == 1);
  CHECK(library.find("toy") == library.schemes().data());
  CHECK(library.find("rope") == nullptr);
  CHECK_THROWS_WITH(library.at("tay"), check::contains("no plugin offers the scheme \"tay\"; if it is yours: --plugins "
                                                       "DIR or POSLAB_PLUGIN_PATH; did you mean \"toy\"?"));
}

TEST_CASE("the directory that comes first wins an id") {
  const TemporaryDirectory first, second;
  first.add_fault("same_id", "z.so");
  second.add_fault("toy", "a.so");
  const auto library = scan({first.path(), second.path()});
  REQUIRE(library.schemes().size() == 1);
  CHECK(library.schemes()[0].file == (first.path() / "z.so").string());
  CHECK(library.refusals().empty());
  REQUIRE(library.shadowed().size() == 1);
  CHECK(library.shadowed()[0].scheme == "toy");
  CHECK(library.shadowed()[0].taken == first.path() / "z.so");
  CHECK(library.shadowed()[0].passed_over == second.path() / "a.so");
}

TEST_CASE("directories that cannot serve are refusals, and the rest goes on") {
  const TemporaryDirectory good, open_to_all, empty;
  good.add_fault("toy", "toy.so");
  open_to_all.add_fault("toy", "toy.so");
  fs::permissions(open_to_all.path(), fs::perms::others_write, fs::perm_options::add);
  const fs::path file = good.path() / "toy.so", missing = good.path() / "missing";
  const auto library = scan({missing, file, open_to_all.path(), empty.path(), good.path()});
  REQUIRE(library.schemes().size() == 1);
  CHECK(library.schemes()[0].file == file.string());
  REQUIRE(library.refusals().size() == 4);
  CHECK(library.refusals()[0].reason == "no such directory");
  CHECK(library.refusals()[1].reason == "not a directory");
  CHECK_THAT(library.refusals()[2].reason, check::contains("everybody may write to this directory"));
  CHECK_THAT(library.refusals()[3].reason, check::contains("no *.so"));
}

TEST_CASE("a directory that others could exchange is used with a notice if it is named, else refused") {
  const TemporaryDirectory parent;
  const fs::path directory = parent.path() / "plugins", file = directory / "toy.so";
  fs::create_directory(directory);
  fs::copy_file(poslab::test::fault("toy"), file);
  const auto open = [](const fs::path& path) { return host::Plugin::open(path)->info(); };
  CHECK(host::Library::scan({{directory, false}}, open).schemes().size() == 1);
  fs::permissions(parent.path(), fs::perms::others_write, fs::perm_options::add);
  const auto found = host::Library::scan({{directory, false}}, open);
  CHECK(found.schemes().empty());
  REQUIRE(found.refusals().size() == 1);
  CHECK(found.refusals()[0].reason == "everybody may write to " + parent.path().string() +
                                          "; if you trust what is there, name the directory with --plugins");
  const auto named = host::Library::scan({{directory, true}}, open);
  CHECK(named.schemes().size() == 1);
  REQUIRE(named.notices().size() == 1);
  CHECK(named.notices()[0].reason ==
        "everybody may write to " + parent.path().string() + "; it is used all the same, since --plugins names it");
}

TEST_CASE("of Python files a folder's are opened where they define a scheme, and those that studies name after all") {
  const TemporaryDirectory directory, studies;
  const auto write = [](const fs::path& file, const char* text) { std::ofstream(file) << text; };
  write(directory.path() / "mine.py", "@poslab.define(id=\"mine\")");
  write(directory.path() / "setup.py", "raise SystemExit");
  write(studies.path() / "mine.py", "@poslab.define(id=\"other\")");
  std::vector<fs::path> opened;
  const auto open = [&](const fs::path& file) {
    opened.push_back(file);
    data::SchemeInfo scheme;
    scheme.id = file.parent_path() == directory.path() ? "mine" : "other";
    scheme.file = file.string();
    return scheme;
  };
  const std::vector<fs::path> named{directory.path() / "mine.py", studies.path() / "mine.py"};
  const auto library = host::Library::scan({directory.path()}, open, named);
  CHECK(opened == named);
  CHECK(library.refusals().empty());
  CHECK(library.at("other").file == named[1].string());
  fs::permissions(studies.path(), fs::perms::others_write, fs::perm_options::add);
  const auto untrusted = host::Library::scan({directory.path()}, open, named);
  CHECK(untrusted.find("other") == nullptr);
  REQUIRE(untrusted.refusals().size() == 1);
  CHECK_THAT(untrusted.refusals()[0].reason, check::contains("everybody may write to"));
  CHECK_FALSE(host::declares_scheme(directory.path() / "none.py"));
}

TEST_CASE("a plugin is opened once, and one that was changed since it was scanned is not used") {
  const TemporaryDirectory directory;
  directory.add_fault("toy", "toy.so");
  host::Plugins plugins;
  const auto toy = plugins.open(directory.path() / "toy.so");
  CHECK(plugins.open(directory.path() / "." / "toy.so") == toy);
  CHECK_THROWS_WITH(plugins.at("toy"), check::contains("no plugin offers the scheme \"toy\""));
  data::SchemeInfo scheme = toy->info();
  plugins.register_scheme(scheme);
  CHECK(plugins.at("toy") == toy);
  scheme.file_hash = "another";
  plugins.register_scheme(scheme);
  CHECK_THROWS_WITH(plugins.at("toy"), check::contains("was changed while the run went on"));
  scheme = toy->info();
  scheme.title = "declared elsewhere";
  plugins.register_scheme(scheme);
  {
    const poslab::base::Error error = check::thrown([&] { plugins.at("toy"); });
    CHECK(error.kind == check::Kind::plugin);
    CHECK_THAT(error.what(), check::contains(scheme.file));
    CHECK_THAT(error.what(), check::contains("declares itself otherwise"));
  }
}
