// SPDX-License-Identifier: Apache-2.0
#include "poslab/check/plugin_checks.hpp"

#include "catch.hpp"
#include "poslab/host/library.hpp"
#include "scratch.hpp"

namespace checks = poslab::check;

TEST_CASE("what is known of a plugin: its result, or that it ships with poslab, or that nobody has looked") {
  const check::Scratch scratch;
  const checks::FindingStore store(scratch.path / "findings", "poslab 1");
  const auto scheme = [&](const std::string& id, const std::filesystem::path& folder) {
    poslab::data::SchemeInfo info;
    info.id = id, info.file = folder / (id + ".so"), info.file_hash = "hash of " + id;
    return info;
  };
  const auto beside = poslab::host::Library::search_path({}).back().path;
  std::filesystem::create_directories(beside);
  REQUIRE(store.keep("hash of bad", {"bounds"}));
  REQUIRE(store.keep("hash of good", {}));
  using Result = poslab::data::PluginCheck::Result;
  const poslab::data::PluginChecks known =
      checks::known_checks(store, {scheme("bad", beside), scheme("good", scratch.path), scheme("new", scratch.path),
                                   scheme("other", scratch.path), scheme("shipped", beside)});
  CHECK(known == poslab::data::PluginChecks{{"bad", {Result::failed, {"bounds"}}},
                                            {"good", {Result::passed}},
                                            {"new", {Result::never}},
                                            {"other", {Result::never}},
                                            {"shipped", {Result::ships}}});
  CHECK(checks::unchecked(known) == std::vector<std::string>{"new", "other"});
}
