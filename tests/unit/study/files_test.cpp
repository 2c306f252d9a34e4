// SPDX-License-Identifier: Apache-2.0
// Studies that are no readable files.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "fake_catalogue.hpp"
#include "poslab/base/error.hpp"
#include "scratch.hpp"

using namespace poslab;

namespace {

struct TemporaryFolder {
  std::string file(const std::string& name) const { return scratch / name; }
  check::Scratch scratch;
};

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace

TEST_CASE("a study is read from a file, and messages name its path") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.toml");
  write(path, fake::study_with("# end"));
  const study::Study study = study::read_study(path, fake::catalogue());
  REQUIRE(study.path == path);
  REQUIRE(study.text == fake::study_with("# end"));
  write(path, fake::study_with("repeats = 0"));
  REQUIRE_THROWS_WITH(study::read_study(path, fake::catalogue()),
                      check::starts_with(path + ":10:11: \"repeats\" is 0"));
}

TEST_CASE("the Python files that a study names lie in its folder") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.toml");
  write(path,
        "[[scheme]]\nuse = \"mine.py\"\n[[scheme]]\nuse = \"rope\"\n[[scheme]]\nlayers = [\"rope\", \"b/../other.py\", "
        "{ use = \"/c/third.py\" }, 3]\n[[scheme]]\nuse = 4\n");
  const std::vector<std::filesystem::path> files{folder.file("mine.py"), folder.file("other.py"), "/c/third.py"};
  CHECK(study::files_used_in(path) == files);
  write(path, "[[scheme]\nuse = \"mine.py\"\n");
  CHECK(study::files_used_in(path).empty());
  CHECK(study::files_used_in(folder.file("none.toml")).empty());
}

TEST_CASE("what cannot be read is named with its reason") {
  const TemporaryFolder folder;
  const data::Catalogue catalogue = fake::catalogue();
  REQUIRE_THROWS_WITH(study::read_study(folder.file("b.toml"), catalogue),
                      folder.file("b.toml") + ": No such file or directory; give the path of a study, a TOML file");
  REQUIRE_THROWS_WITH(study::read_study(folder.file(""), catalogue), check::contains("is a directory"));
  REQUIRE_THROWS_AS(study::read_study("", catalogue), base::FileError);
  REQUIRE_THROWS_WITH(study::read_study("/dev/zero", catalogue), check::contains("is a device, not a regular file"));
  write(folder.file("c.toml"), std::string((4u << 20) + 1, '#'));
  REQUIRE_THROWS_WITH(study::read_study(folder.file("c.toml"), catalogue), check::contains("larger than 4 MiB"));
  write(folder.file("d.toml"), "");
  REQUIRE_THROWS_AS(study::read_study(folder.file("d.toml"), catalogue), study::StudyErrors);
  if (::geteuid() != 0) {
    write(folder.file("e.toml"), "");
    ::chmod(folder.file("e.toml").c_str(), 0);
    REQUIRE_THROWS_WITH(study::read_study(folder.file("e.toml"), catalogue), check::contains("Permission denied"));
  }
}

TEST_CASE("what poslab itself has written is no study, and is told with what reads it") {
  const TemporaryFolder folder;
  const data::Catalogue catalogue = fake::catalogue();
  const std::string path = folder.file("a.h5");
  write(path, std::string("\x89HDF\r\n\x1a\n", 8) + std::string(5 << 20, '\0'));
  REQUIRE_THROWS_WITH(study::read_study(path, catalogue),
                      check::starts_with(path + ": holds results, and a study is wanted; run the study (.toml)"));
  write(path, std::string("SQLite format 3\0", 16));
  REQUIRE_THROWS_WITH(study::read_study(path, catalogue), check::contains("is a journal, and a study is wanted"));
  write(path,
        "\x7f"
        "ELF");
  REQUIRE_THROWS_WITH(study::read_study(path, catalogue), check::contains("is a plugin or a program"));
}

TEST_CASE("a folder in place of a study is answered with the studies that are in it") {
  const TemporaryFolder folder;
  const data::Catalogue catalogue = fake::catalogue();
  const std::string path = folder.scratch.path.string();
  const std::string nothing = path + ": is a directory, not a regular file; give the path of a study, a TOML file";
  REQUIRE_THROWS_WITH(study::read_study(path, catalogue), nothing);
  for (const char* name : {"c.toml", "a.toml", "notes.txt"}) write(folder.file(name), "");
  const std::string both = "; name a study in it: " + folder.file("a.toml") + ", " + folder.file("c.toml");
  REQUIRE_THROWS_WITH(study::read_study(path, catalogue), path + ": is a directory, not a regular file" + both);
  for (const char* name : {"b.toml", "d.toml", "e.toml", "f.toml"}) write(folder.file(name), "");
  REQUIRE_THROWS_WITH(study::read_study(path, catalogue), check::contains("e.toml ..."));
}

TEST_CASE("a study may come through a pipe that was given open, one with a name is not opened") {
  const TemporaryFolder folder;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const std::string text = fake::study_with("");
  REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const std::string given = "/dev/fd/" + std::to_string(ends[0]);
  CHECK(study::is_given_open(given));
  for (int time = 0; time < 3; ++time) {  // as `poslab run` does
    CHECK(study::names_of_files_in(given).empty());
    CHECK(study::read_study(given, fake::catalogue()).text == text);
  }
  ::close(ends[0]);
  const std::string path = folder.file("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  REQUIRE_THROWS_WITH(study::read_study(path, fake::catalogue()), check::contains("is a FIFO, not a regular file"));
}

TEST_CASE("a study that was given open is read from where it stands, as often as it is asked for") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.toml"), before = "[[scheme]]\nuse = \"before.py\"\n",
                    text = fake::study_with("");
  write(path, before + text);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(file >= 0);
  const std::string given = "/dev/fd/" + std::to_string(file);
  CHECK(study::names_of_files_in(given) == std::vector<std::string>{"before.py"});
  REQUIRE(::lseek(file, static_cast<off_t>(before.size()), SEEK_SET) > 0);
  for (int time = 0; time < 2; ++time) CHECK(study::read_study(given, fake::catalogue()).text == text);
  ::close(file);
  CHECK(!study::is_given_open(path));
}

TEST_CASE("a pipe that was given open and brings more than a study is refused as often as it is read") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const std::string results = "\x89HDF\r\n\x1a\n";
  REQUIRE(::write(ends[1], results.data(), results.size()) == static_cast<ssize_t>(results.size()));
  ::close(ends[1]);
  const std::string given = "/dev/fd/" + std::to_string(ends[0]);
  for (int time = 0; time < 2; ++time)
    CHECK_THROWS_WITH(study::read_study(given, fake::catalogue()), check::contains("holds results"));
  ::close(ends[0]);
}

TEST_CASE("the study in the reference page is right, and resolves to what the page says") {
  std::ifstream page(std::string(POSLAB_SOURCE_DIR) + "/core/study/study-format.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const std::size_t begin = text.find("```toml\n") + 8, end = text.find("```", begin);
  REQUIRE(end != std::string::npos);
  const std::string study = text.substr(begin, end - begin);
  REQUIRE(fake::mistakes(study) == "");
  const study::Plan plan = fake::plan(study);
  REQUIRE(plan.cells.size() ==
          3 * 6 * 2 + 3 * 10);  // three variants: lengths x model sizes, and ten repeats of the other
  int skipped = 0;
  for (const data::Cell& cell : plan.cells) skipped += cell.skip == base::Refusal("does not fit the memory budget");
  REQUIRE(skipped == 3);
}
