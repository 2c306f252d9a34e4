// SPDX-License-Identifier: Apache-2.0
// A results file may come from a stranger. Each of these was good before one object was changed in it; each is refused
// by the name of that object, and nothing that it names is opened.
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "poslab/results/compare.hpp"
#include "poslab/results/output_content.hpp"
#include "read/vetting.hpp"
#include "spoilt_file.hpp"
#include "thrown.hpp"

using namespace poslab;
using namespace poslab::sample;

namespace {

void link_elsewhere(hid_t file, const std::string& target) {
  REQUIRE(H5Lcreate_external(target.c_str(), "/", file, "uniqueness/more", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

}  // namespace

TEST_CASE("a good file stays good when it is vetted") { CHECK(SpoiltFile().refusal() == ""); }

TEST_CASE("what leads out of a results file is refused by name and not followed") {
  SpoiltFile file;
  const std::string fifo = file.directory / "fifo";  // opening it would block
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  SECTION("external link") {
    CHECK_THAT(file.refusal([&](hid_t h5) { link_elsewhere(h5, fifo); }),
               check::contains("/uniqueness/more is a link into another file"));
  }
  SECTION("soft link") {
    const auto change = [](hid_t h5) { H5Lcreate_soft("/id", h5, "more", H5P_DEFAULT, H5P_DEFAULT); };
    CHECK_THAT(file.refusal(change), check::contains("/more is a soft link"));
  }
  SECTION("a link class of somebody's own") {
    const auto change = [](hid_t h5) {
      const auto follow = [](const char*, hid_t, const void*, std::size_t, hid_t, hid_t) -> hid_t { std::abort(); };
      const H5L_class_t own{H5L_LINK_CLASS_T_VERS,
                            static_cast<H5L_type_t>(100),
                            "own",
                            nullptr,
                            nullptr,
                            nullptr,
                            follow,
                            nullptr,
                            nullptr};
      REQUIRE(H5Lregister(&own) >= 0);
      REQUIRE(H5Lcreate_ud(h5, "more", static_cast<H5L_type_t>(100), "x", 1, H5P_DEFAULT, H5P_DEFAULT) >= 0);
      REQUIRE(H5Lunregister(static_cast<H5L_type_t>(100)) >= 0);
    };
    CHECK_THAT(file.refusal(change), check::contains("/more is a link of a class that its maker defined"));
  }
  SECTION("values in another file") {
    const auto change = [&](hid_t h5) {
      replace(h5, "status", {45}, [&](hid_t list) { H5Pset_external(list, fifo.c_str(), 0, H5F_UNLIMITED); });
    };
    CHECK_THAT(file.refusal(change), check::contains("/status keeps its values in other files"));
  }
  SECTION("virtual dataset") {
    const auto change = [&](hid_t h5) {
      const hsize_t extent = 45;
      const hid_t space = H5Screate_simple(1, &extent, nullptr);
      replace(h5, "status", {45}, [&](hid_t list) { H5Pset_virtual(list, space, fifo.c_str(), "status", space); });
      H5Sclose(space);
    };
    CHECK_THAT(file.refusal(change), check::contains("/status is a virtual dataset"));
  }
  SECTION("virtual dataset without end, whose extent lies in the other file") {
    const auto change = [&](hid_t h5) {
      const hsize_t extent = 1, unlimited = H5S_UNLIMITED, start = 0, one = 1;
      const hid_t space = H5Screate_simple(1, &extent, &unlimited);
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &unlimited, &one);
      const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
      REQUIRE(H5Pset_virtual(list, space, fifo.c_str(), "status", space) >= 0);
      H5Ldelete(h5, "status", H5P_DEFAULT);
      H5Dclose(H5Dcreate2(h5, "status", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    };
    CHECK_THAT(file.refusal(change), check::contains("/status is a virtual dataset"));
  }
}

TEST_CASE("no object of a results file has two names, and groups make no circle") {
  SpoiltFile file;
  SECTION("a circle of groups") {
    const auto change = [](hid_t h5) { H5Lcreate_hard(h5, "/", h5, "uniqueness/up", H5P_DEFAULT, H5P_DEFAULT); };
    CHECK_THAT(file.refusal(change), check::contains("/uniqueness/up is a second name of another object"));
  }
  SECTION("a dataset twice") {
    const auto change = [](hid_t h5) { H5Lcreate_hard(h5, "/id", h5, "more", H5P_DEFAULT, H5P_DEFAULT); };
    CHECK_THAT(file.refusal(change), check::contains("/more is a second name of another object"));
  }
  SECTION("groups without end") {
    const auto change = [](hid_t h5) {
      const hid_t list = H5Pcreate(H5P_LINK_CREATE);
      H5Pset_create_intermediate_group(list, 1);
      H5Gclose(H5Gcreate2(h5, "a/b/c/d/e/f/g", list, H5P_DEFAULT, H5P_DEFAULT));
    };
    CHECK_THAT(file.refusal(change), check::contains("/a/b/c/d/e lies in more than 4 groups"));
  }
  SECTION("more objects than can be looked at") {
    const auto change = [](hid_t h5) {
      const hid_t group = H5Gcreate2(h5, "many", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      for (int i = 0; i <= 100'000; ++i)
        H5Lcreate_hard(h5, "/id", group, std::to_string(i).c_str(), H5P_DEFAULT, H5P_DEFAULT);
      H5Gclose(group);
    };
    CHECK_THAT(file.refusal(change), check::contains("/many has more than 100000 objects"));
  }
  SECTION("a type with a name") {
    const auto change = [](hid_t h5) {
      const hid_t type = H5Tcopy(H5T_STD_I32LE);
      REQUIRE(H5Tcommit2(h5, "more", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
      H5Tclose(type);
    };
    CHECK_THAT(file.refusal(change), check::contains("/more is a named type"));
  }
}

TEST_CASE("filters that poslab does not write are refused, whatever libraries are there") {
  SpoiltFile file;
  SECTION("another filter") {
    const auto change = [](hid_t h5) {
      replace(h5, "status", {45}, [](hid_t list) { in_chunks(list, {45}), H5Pset_scaleoffset(list, H5Z_SO_INT, 0); });
    };
    CHECK_THAT(file.refusal(change), check::contains("/status needs the filter 6"));
  }
  SECTION("deflate twice") {
    const auto change = [](hid_t h5) {
      replace(h5, "status", {45},
              [](hid_t list) { in_chunks(list, {45}), H5Pset_deflate(list, 9), H5Pset_deflate(list, 9); });
    };
    CHECK_THAT(file.refusal(change), check::contains("/status has the filter deflate twice"));
  }
  unsigned loading = 1;
  CHECK(H5PLget_loading_state(&loading) >= 0);
  CHECK(loading == 0);
}

TEST_CASE("a refusal carries the object and what is wrong with it") {
  SpoiltFile file;
  const auto change = [](hid_t h5) { H5Lcreate_soft("/id", h5, "more", H5P_DEFAULT, H5P_DEFAULT); };
  file.refusal(change);
  {
    const poslab::base::Error error = check::thrown([&] { results::read_output_content(file.path); });
    CHECK(error.kind == check::Kind::damaged);
    CHECK_THAT(error.what(), check::contains(file.path));
    CHECK_THAT(error.what(), check::contains("/more is a soft link"));
  }
}

TEST_CASE("types that poslab does not write are refused") {
  SpoiltFile file;
  CHECK_THAT(file.refusal([](hid_t h5) { add(h5, "more", H5T_STD_REF_OBJ, {4}, as_is); }),
             check::contains("/more has a type that poslab does not write"));
}

TEST_CASE("what is no regular file is not opened") {
  const sample::Directory directory;
  const auto why_not = [](const std::string& path) {
    try {
      results::compare_exact(path, path);
    } catch (const base::FileError& refused) {
      return std::string(refused.what());
    }
    return std::string();
  };
  REQUIRE(mkfifo((directory / "fifo").c_str(), 0600) == 0);
  REQUIRE(symlink("circle", (directory / "circle").c_str()) == 0);
  CHECK_THAT(why_not(directory / "fifo"), check::contains("is a FIFO, not a regular file"));
  CHECK_THAT(why_not("/dev/zero"), check::contains("is a device, not a regular file"));
  CHECK_THAT(why_not(directory.path()), check::contains("is a directory"));
  CHECK_THAT(why_not(directory / "circle"), check::contains("symbolic links"));
  CHECK_THAT(why_not(directory / "nothing"), check::contains("does not exist"));
  std::ofstream(directory / "empty").close();
  CHECK_THAT(why_not(directory / "empty"), check::contains("is it a results file of poslab?"));
}
