// SPDX-License-Identifier: Apache-2.0
// Mixed schemes: what they are called, and that no two of them are taken for one.
#include "poslab/data/mixed.hpp"

#include "catch.hpp"

using namespace poslab::data;

namespace {

SchemeInfo plugin(const char* id, const char* version, const char* hash) {
  SchemeInfo info;
  info.id = id, info.version = version, info.file = std::string("/") + id + ".so", info.file_hash = hash;
  info.linked = {{std::string("/lib") + id + ".so", std::string("l") + hash}};
  return info;
}

const std::vector<SchemeInfo> schemes{plugin("none", "1.0", "aa"), plugin("rope", "1.2", "bb"),
                                      plugin("alibi", "2.0", "cc")};

LayerVariant rope(double base) {
  return {"rope", {{"base", Value(base)}, {"style", Value(std::string("half-split"))}}};
}
const LayerVariant none{"none", {}};

}  // namespace

TEST_CASE("mixed: the text says every layer with all parameters, and a label what was set") {
  const std::vector<LayerVariant> layers{rope(1e4), rope(1e4), rope(1e6), none};
  CHECK(by_layer_text(layers) ==
        "2 rope(base=10000.0, style=half-split), rope(base=1000000.0, style=half-split), none");
  CHECK(mixed_label(layers, {{}, {}, {}, {}}) == "3 rope, none");
  CHECK(mixed_label(layers, {{}, {}, {{"base", Value(1e6)}}, {}}) ==
        "2 rope(base=10000.0), rope(base=1000000.0), none");
}

TEST_CASE("mixed: the scheme is made of its plugins, each once, whatever their parameters") {
  const SchemeInfo mixed = mixed_scheme({rope(1e4), none, rope(1e6)}, schemes);
  CHECK(mixed.id == "rope+none+rope");
  CHECK(mixed.version == "rope 1.2, none 1.0");
  CHECK(mixed.file == "/rope.so, /none.so");
  REQUIRE(mixed.parts.size() == 2);
  CHECK(mixed.parts[0].id == "rope");
  CHECK(mixed.parts[1].id == "none");
  CHECK(mixed.parameter(by_layer) != nullptr);
  CHECK(mixed_scheme({rope(1), rope(1), none}, schemes).id == "rope+none");
  CHECK(plugins_of(mixed).size() == 2);
  CHECK(plugins_of(schemes[0]).front().id == "none");
}

TEST_CASE("mixed: another build of any plugin, or of what it links, is other code, and the difference names it") {
  const std::vector<LayerVariant> layers{rope(1e4), none};
  const std::string before = mixed_scheme(layers, schemes).code_hash();
  for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
    std::vector<SchemeInfo> other = schemes;
    other[which].file_hash = "dd";
    CHECK(mixed_scheme(layers, other).code_hash() != before);
    other = schemes;
    other[which].linked.front().hash = "ee";
    CHECK(mixed_scheme(layers, other).code_hash() != before);
    CHECK(code_difference(mixed_scheme(layers, other).code_hash(), before) ==
          "lib" + schemes[which].id + ".so ee, done with l" + schemes[which].file_hash);
  }
  SchemeInfo one = schemes[0], changed = one;
  one.linked = changed.linked = {{"/a/lib tables.so", "11"}, {"/b/lib tables.so", "22"}};
  changed.linked.back().hash = "33";
  CHECK(code_difference(changed.code_hash(), one.code_hash()) ==
        "lib%20tables.so (another of this name) 33, done with 22");
  std::vector<SchemeInfo> other = schemes;
  other[2].file_hash = "dd";  // ALiBi is in none of these layers
  CHECK(mixed_scheme(layers, other).code_hash() == before);
}
