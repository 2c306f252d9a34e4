// SPDX-License-Identifier: Apache-2.0
// A results file comes from anybody. Each of these was good before one object was changed in it through HDF5's own
// functions; each is refused by the name of that object, and nothing that it names is opened.
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

#include "catch.hpp"
#include "h5.hpp"
#include "poslab/base/error.hpp"
#include "poslab/results/compare.hpp"
#include "poslab/results/writer.hpp"
#include "sample.hpp"

using namespace poslab;
using Shape = std::vector<hsize_t>;

namespace {

class Spoilt {
 public:
  Spoilt() { sample::make_run().write(path); }

  /// Changes the file, and says how it is refused; empty: it is not.
  std::string refusal(const std::function<void(hid_t file)>& change) {
    {
      const results::h5::Silence silence;
      const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      change(file);
      REQUIRE(H5Fclose(file) >= 0);
    }
    return why_not();
  }

  std::string why_not() {
    std::string reason = "";
    try {
      results::found_in(path);
      results::compare_exact(path, path);
      results::compare_within_tolerance(path, path);
    } catch (const base::FileError& refused) {
      reason = refused.what();
      CHECK_THAT(reason, check::starts_with(path + ": "));
    }
    return reason;
  }

  sample::Directory directory;
  const std::string path = directory / "a.h5";
};

void link_elsewhere(hid_t file, const std::string& target) {
  REQUIRE(H5Lcreate_external(target.c_str(), "/", file, "uniqueness/more", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

// A dataset at the root with this extent, and what `prepare` does to its creation list.
void add(hid_t file, const char* name, hid_t type, const Shape& shape, const std::function<void(hid_t)>& prepare) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  prepare(list);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  REQUIRE(made >= 0);
  H5Dclose(made), H5Sclose(space), H5Pclose(list);
}

void replace(hid_t file, const char* name, const Shape& shape, const std::function<void(hid_t)>& prepare) {
  REQUIRE(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  add(file, name, H5T_IEEE_F64LE, shape, prepare);
}

void as_is(hid_t) {}

void in_chunks(hid_t list, Shape chunk) { H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()); }

}  // namespace

TEST_CASE("a good file stays good when it is vetted") { CHECK(Spoilt().why_not() == ""); }

TEST_CASE("what leads out of a results file is refused by name and not followed") {
  Spoilt file;
  const std::string fifo = file.directory / "fifo";  // to open it would wait for ever
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
  Spoilt file;
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
    CHECK_THAT(file.refusal(change), check::contains("/a/b/c/d/e lies in too many groups"));
  }
  SECTION("a type with a name") {
    const auto change = [](hid_t h5) {
      const hid_t type = H5Tcopy(H5T_STD_I32LE);
      REQUIRE(H5Tcommit2(h5, "more", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
      H5Tclose(type);
    };
    CHECK_THAT(file.refusal(change), check::contains("/more is a type that stands by itself"));
  }
}

TEST_CASE("filters that poslab does not write are refused, whatever libraries are there") {
  Spoilt file;
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

TEST_CASE("sizes that cannot be are refused before memory is asked for") {
  Spoilt file;
  const hsize_t huge = hsize_t{1} << 60;
  SECTION("more values than there can be") {
    CHECK_THAT(file.refusal([&](hid_t h5) { replace(h5, "status", {huge}, [](hid_t l) { in_chunks(l, {8192}); }); }),
               check::contains("/status claims more values than poslab can write"));
  }
  SECTION("rows that no memory holds") {
    const auto change = [](hid_t h5) {
      add(h5, "more", H5T_IEEE_F64LE, {2, 1 << 28}, [](hid_t list) { in_chunks(list, {1, 8192}); });
    };
    CHECK_THAT(file.refusal(change), check::contains("/more has rows of more than 1 GiB"));
  }
  SECTION("of which little is stored") {
    CHECK_THAT(file.refusal([&](hid_t h5) { replace(h5, "row", {1 << 20}, [](hid_t l) { in_chunks(l, {8192}); }); }),
               check::contains("/row claims far more values than are stored of it"));
  }
  SECTION("of which all is stored, a thousand times smaller") {
    const hsize_t many = hsize_t{40} << 20;  // 320 MiB as numbers, some ten thousand bytes in the file
    for (const char* column : {"row", "status"}) {
      CHECK_THAT(file.refusal([&](hid_t h5) {
        H5Ldelete(h5, column, H5P_DEFAULT);
        add(h5, column, H5T_STD_U8LE, {many}, [](hid_t list) {
          in_chunks(list, {1 << 18}), H5Pset_deflate(list, 9), H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
        });
      }),
                 check::contains(std::string("has 41943040 values, too many for a column")));
    }
    CHECK(std::filesystem::file_size(file.path) < 1000000);
  }
  SECTION("extents whose product is small again") {
    CHECK_THAT(file.refusal([&](hid_t h5) {
      replace(h5, "status", {huge, huge}, [](hid_t l) { in_chunks(l, {1, 8192}); });
    }),
               check::contains("/status claims more values than poslab can write"));
  }
  SECTION("more bytes than the file has") {
    const auto change = [](hid_t h5) {
      replace(h5, "status", {1 << 20}, [](hid_t list) {
        H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY), H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
      });
    };
    CHECK_THAT(file.refusal(change), check::contains("differ in length"));
    std::filesystem::resize_file(file.path, std::filesystem::file_size(file.path) - (1 << 22));
    CHECK(file.why_not() != "");
  }
  SECTION("a large chunk") {
    CHECK_THAT(file.refusal([](hid_t h5) {
      replace(h5, "status", {1 << 20}, [](hid_t l) { in_chunks(l, {1 << 20}), H5Pset_deflate(l, 9); });
    }),
               check::contains("/status has larger chunks than poslab writes"));
  }
  SECTION("an attribute of many values where there is one") {
    const auto change = [](hid_t h5) {
      H5Adelete(h5, "schema_version");
      const hsize_t many = 1000;
      const hid_t space = H5Screate_simple(1, &many, nullptr);
      H5Aclose(H5Acreate2(h5, "schema_version", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT));
      H5Sclose(space);
    };
    CHECK_THAT(file.refusal(change), check::contains("schema_version"));
  }
  SECTION("attributes of another type") {
    const char* name = GENERATE("schema_version", "study_hash", "complete");
    const auto change = [&](hid_t h5) {
      H5Adelete(h5, name);
      const hid_t space = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
      H5Tset_size(text, 4);
      H5Aclose(H5Acreate2(h5, name, text, space, H5P_DEFAULT, H5P_DEFAULT));
      H5Sclose(space), H5Tclose(text);
    };
    file.refusal(change);
    CHECK_THROWS_WITH(results::found_in(file.path), check::starts_with(file.path + ": H5Aread"));
  }
  SECTION("a text that many elements share") {
    constexpr std::size_t many = 2000;
    haddr_t place = 0;
    const auto change = [&](hid_t h5) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, H5T_VARIABLE), H5Tset_cset(type, H5T_CSET_UTF8);
      H5Ldelete(h5, "id", H5P_DEFAULT);
      add(h5, "id", type, {many}, as_is);
      std::vector<const char*> texts(many, "x");
      const std::string large(1 << 20, 'x');
      texts[0] = large.c_str();
      const hid_t dataset = H5Dopen2(h5, "id", H5P_DEFAULT);
      REQUIRE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0);
      place = H5Dget_offset(dataset);
      H5Dclose(dataset), H5Tclose(type);
    };
    file.refusal(change);
    std::fstream bytes(file.path, std::ios::in | std::ios::out | std::ios::binary);
    char first[16];
    bytes.seekg(static_cast<std::streamoff>(place)).read(first, sizeof first);
    for (std::size_t i = 0; i < many; ++i)
      bytes.seekp(static_cast<std::streamoff>(place + 16 * i)).write(first, sizeof first);
    bytes.close();
    CHECK_THAT(file.why_not(), check::contains("/id holds texts of more than 1 GiB"));
  }
}

TEST_CASE("types that poslab does not write are refused") {
  Spoilt file;
  CHECK_THAT(file.refusal([](hid_t h5) { add(h5, "more", H5T_STD_REF_OBJ, {4}, as_is); }),
             check::contains("/more has a type that poslab does not write"));
}

TEST_CASE("what the index and the groups say of each other must fit") {
  Spoilt file;
  const auto write = [](hid_t h5, const char* name, double value) {
    const hid_t dataset = H5Dopen2(h5, name, H5P_DEFAULT), space = H5Dget_space(dataset);
    const std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), value);
    REQUIRE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    H5Sclose(space), H5Dclose(dataset);
  };
  SECTION("rows that are not there") {
    CHECK_THAT(file.refusal([&](hid_t h5) { write(h5, "row", 1e6); }), check::contains("is row 1000000"));
  }
  SECTION("states that are none") {
    CHECK_THAT(file.refusal([&](hid_t h5) { write(h5, "status", 200); }), check::contains("without a state"));
  }
  SECTION("counts beyond the coordinates") {
    CHECK_THAT(file.refusal([&](hid_t h5) { write(h5, "uniqueness/position_count", 1e6); }),
               check::contains("position_count that does not count position"));
  }
  SECTION("columns of another length") {
    CHECK_THAT(file.refusal([](hid_t h5) { replace(h5, "row", {3}, as_is); }), check::contains("differ in length"));
  }
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
  CHECK_THAT(why_not(directory / "fifo"), check::contains("is no regular file"));
  CHECK_THAT(why_not("/dev/zero"), check::contains("is no regular file"));
  CHECK_THAT(why_not(directory.path()), check::contains("is a directory"));
  CHECK_THAT(why_not(directory / "circle"), check::contains("symbolic links"));
  CHECK_THAT(why_not(directory / "nothing"), check::contains("does not exist"));
  std::ofstream(directory / "empty");
  CHECK_THAT(why_not(directory / "empty"), check::contains("is it a results file of poslab?"));
}
