// SPDX-License-Identifier: Apache-2.0
// A kept network as a .safetensors file: there and back, and what is none.
#include "poslab/run/exported_network.hpp"

#include <fstream>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "scratch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

results::TrainedCell cell() {
  results::TrainedCell kept{"language-model",
                            "learned+none",
                            "mine",
                            "{\"max_length\": 8}",
                            "{\"layers\": 11}",
                            16,
                            2,
                            3,
                            {"copy, 11 layers", 2000},
                            {}};
  const std::vector<float> numbers{1.5F, -2, 0.25F};
  for (const char* name :
       {"network/layer0/query/weight", "network/layer10/norm1/bias", "network/token_embedding", "network/unembedding",
        "network/norm/weight", "scheme/table", "scheme/keys/1", "text/symbols", "example/tokens"})
    kept.arrays.push_back({name, {3, 1}, numbers});
  kept.arrays.push_back({"network/embedding_scale", {}, std::vector<double>{4}});
  return kept;
}

std::string write(const check::Scratch& scratch, const std::string& bytes) {
  const std::string path = scratch / "net.safetensors";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  REQUIRE(text.find(old) != std::string::npos);
  return text.replace(text.find(old), old.size(), by);
}

}  // namespace

TEST_CASE("an exported network comes back as it was kept") {
  const check::Scratch scratch;
  const results::TrainedCell kept = cell(), back = run::read_exported(write(scratch, run::exported(kept)));
  CHECK(back.experiment == kept.experiment);
  CHECK(back.scheme == kept.scheme);
  CHECK(back.variant == kept.variant);
  CHECK(back.parameters == kept.parameters);
  CHECK(back.axes == kept.axes);
  CHECK(back.d_model == 16);
  CHECK(back.heads == 2);
  CHECK(back.repeat == 3);
  CHECK(back.training == kept.training);
  CHECK(back.has_network);
  REQUIRE(back.arrays.size() == kept.arrays.size());
  for (const data::KeptArray& array : kept.arrays) {
    CAPTURE(array.name);
    const data::KeptArray* found = data::find_array(back.arrays, array.name);
    REQUIRE(found);
    CHECK(found->shape == array.shape);
    CHECK(found->values == array.values);
  }
}

TEST_CASE("an exported network leaves the optimiser behind") {
  results::TrainedCell with_moments = cell();
  with_moments.arrays.push_back({"optimiser/first/network/norm/weight", {3, 1}, std::vector<float>{1, 2, 3}});
  with_moments.arrays.push_back({"optimiser/steps", {}, std::vector<double>{7}});
  CHECK(run::exported(with_moments) == run::exported(cell()));
}

TEST_CASE("an exported network has the names of a PyTorch module") {
  const std::string bytes = run::exported(cell());
  const auto place = [&](const std::string& name) { return bytes.find("\"" + name + "\":{\"dtype\""); };
  // The longer numbers first, where they lie at multiples of eight.
  for (const char* name :
       {"layers.0.query.weight", "layers.10.norm1.bias", "token_embedding.weight", "unembedding.weight", "norm.weight",
        "scheme.table", "scheme.keys.1", "text.symbols", "example.tokens"}) {
    CAPTURE(name);
    REQUIRE(place(name) != std::string::npos);
    CHECK(place(name) > place("embedding_scale"));
  }
}

TEST_CASE("what poslab has not exported is no network") {
  const check::Scratch scratch;
  const std::string bytes = run::exported(cell());
  for (const auto& [old, by] : {std::pair("\"poslab\":", "\"paslab\":"),
                                {"network 1", "network 2"},
                                {"\"d_model\":\"16\"", "\"d_model\":\"1x\""},
                                {"\"axes\"", "\"exes\""},
                                {"layers.0.query", "layers.0.q-%ry"}}) {
    CAPTURE(by);
    CHECK(check::thrown([&] { run::read_exported(write(scratch, replaced(bytes, old, by))); }).kind ==
          base::Error::Kind::file);
  }
  CHECK(check::thrown([&] { run::read_exported(write(scratch, bytes.substr(0, bytes.size() - 1))); }).kind ==
        base::Error::Kind::file);
}
