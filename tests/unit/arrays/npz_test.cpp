// SPDX-License-Identifier: Apache-2.0
// Archives as numpy writes them, and others.
#include "poslab/arrays/npz.hpp"

#include "bytes.hpp"
#include "catch.hpp"

using namespace poslab::arrays;

namespace {

// numpy.savez_compressed(file, cos=[[1, 2, 3]] * 2 as float32, pos=arange(3)): deflated.
const std::string compressed = bytes::from_hex(
#include "npz_compressed.inc"
);
// numpy.savez(file, a=float64 [0.5, -2]): stored, with sizes of 64 bits.
const std::string stored = bytes::from_hex(
#include "npz_stored.inc"
);
// torch.save({"a": 1}, file): an archive with a pickle in it.
const std::string of_torch = bytes::from_hex(
#include "npz_torch.inc"
);

void refuses(const std::string& bytes, const std::string& word) {
  const Source source = source_of(std::string_view(bytes));
  CHECK_THROWS_WITH(
      [&] {
        const Npz archive(source);
        for (const std::string& name : archive.names()) archive.read(name, Accept::reals_and_whole);
      }(),
      Catch::Contains(word));
}

}  // namespace

TEST_CASE("arrays of an archive, deflated or not") {
  const Source source = source_of(std::string_view(compressed));
  CHECK(format_of(source) == Format::npz);
  const Npz archive(source);
  CHECK(archive.names() == std::vector<std::string>{"cos", "pos"});
  const auto cosines = archive.read("cos");
  CHECK(cosines.shape == std::vector<std::int64_t>{2, 3});
  CHECK(cosines.value(5) == 3);
  CHECK_THROWS_WITH(archive.read("pos"), Catch::Contains("<i8"));
  const auto positions = archive.read("pos", Accept::reals_and_whole);
  CHECK(positions.value(2) == 2);
  CHECK_THROWS_WITH(archive.read("cosine"), Catch::Contains("did you mean \"cos\""));
  const Source other = source_of(std::string_view(stored));
  CHECK(Npz(other).read("a").value(1) == -2);
}

TEST_CASE("what is no archive of arrays is refused") {
  refuses(of_torch, "torch.save");
  refuses("PK\x03\x04 and no more", "no whole zip archive");
  refuses(compressed.substr(0, compressed.size() / 2), "no whole zip archive");
  std::string other = compressed;  // the name in the archive's directory and at the file
  for (std::size_t at = other.find("pos.npy"); at != std::string::npos; at = other.find("pos.npy"))
    other.replace(at, 7, "pos.txt");
  refuses(other, "pos.txt");
}

TEST_CASE("no changed byte of an archive makes numbers that were not there") {
  for (std::size_t at = 0; at < compressed.size(); ++at)
    for (const int change : {1, 128}) {
      std::string bytes = compressed;
      bytes[at] = static_cast<char>(bytes[at] ^ change);
      const Source source = source_of(std::string_view(bytes));
      try {
        const Npz archive(source);
        for (const std::string& name : archive.names()) {
          const auto array = archive.read(name, Accept::reals_and_whole);
          CHECK_FALSE(poslab::data::why_not_kept(array));
          if (name == "cos") CHECK(array.value(5) == 3);  // a checksum guards them
        }
      } catch (const BadArray&) {
      }
    }
}
