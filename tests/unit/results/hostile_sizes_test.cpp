// SPDX-License-Identifier: Apache-2.0
// Files that claim sizes, rows or states that cannot be: refused before memory is allocated or an index is used.
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "catch.hpp"
#include "poslab/results/output_content.hpp"
#include "spoilt_file.hpp"

using namespace poslab;
using namespace poslab::sample;

TEST_CASE("sizes that cannot be are refused before memory is asked for") {
  SpoiltFile file;
  const hsize_t huge = hsize_t{1} << 60;
  SECTION("more values than there can be") {
    CHECK_THAT(file.refusal([&](hid_t h5) { replace(h5, "status", {huge}, [](hid_t l) { in_chunks(l, {8192}); }); }),
               check::contains("/status claims more values than poslab can write"));
  }
  SECTION("rows that no memory holds") {
    const auto change = [](hid_t h5) {
      add(h5, "large", H5T_IEEE_F64LE, {1 << 20}, [](hid_t list) { H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY); });
      add(h5, "more", H5T_IEEE_F64LE, {2, 1 << 28}, [](hid_t list) { in_chunks(list, {1, 8192}); });
    };
    CHECK_THAT(file.refusal(change), check::contains("/more has rows of more than 1 GiB"));
  }
  SECTION("out of all proportion to the file") {
    const auto change = [](hid_t h5) {
      add(h5, "more", H5T_IEEE_F64LE, {hsize_t{1} << 36}, [](hid_t list) { in_chunks(list, {8192}); });
    };
    CHECK_THAT(file.refusal(change),
               check::contains("/more declares values of 512.0 GiB, with what comes before it 512.0 GiB: more than 1.0 "
                               "GiB and 10000 times the "));
    CHECK(std::filesystem::file_size(file.path) < 1000000);
  }
  SECTION("out of all proportion together") {
    const auto change = [](hid_t h5) {
      for (int i = 0; i < 40; ++i)
        add(h5, ("more" + std::to_string(i)).c_str(), H5T_IEEE_F64LE, {1 << 10, 1 << 16}, [](hid_t list) {
          in_chunks(list, {1, 8192});
        });
    };
    CHECK_THAT(file.refusal(change), check::contains(" declares values of 512.0 MiB, with what comes before it "));
  }
  SECTION("an attribute whose extents multiply to little") {
    const auto change = [](hid_t h5) {
      const hsize_t extents[] = {hsize_t{1} << 32, hsize_t{1} << 32};
      const hid_t space = H5Screate_simple(2, extents, nullptr);
      const hid_t made = H5Acreate2(h5, "wide", H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT);
      if (made >= 0) H5Aclose(made);
      H5Sclose(space);
      REQUIRE(made >= 0);
    };
    CHECK_THAT(file.refusal(change), check::contains("/@wide is larger than a mebibyte"));
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
    CHECK(file.refusal() != "");
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
    CHECK_THROWS_WITH(results::read_output_content(file.path), check::starts_with(file.path + ": H5Aread"));
  }
  SECTION("a text that many elements share") {
    constexpr std::size_t many = 2000;
    haddr_t offset = 0;
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
      offset = H5Dget_offset(dataset);
      H5Dclose(dataset), H5Tclose(type);
    };
    file.refusal(change);
    std::fstream bytes(file.path, std::ios::in | std::ios::out | std::ios::binary);
    char first[16];
    bytes.seekg(static_cast<std::streamoff>(offset)).read(first, sizeof first);
    for (std::size_t i = 0; i < many; ++i)
      bytes.seekp(static_cast<std::streamoff>(offset + 16 * i)).write(first, sizeof first);
    bytes.close();
    CHECK_THAT(file.refusal(), check::contains("/id holds texts of more than 1 GiB"));
  }
}

TEST_CASE("what the index and the groups say of each other must fit") {
  SpoiltFile file;
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
