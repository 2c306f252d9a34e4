// SPDX-License-Identifier: Apache-2.0
#include "worker_exit.hpp"

#include "catch.hpp"

using namespace poslab;

namespace {

data::SchemeInfo scheme(const std::string& id, const std::string& hash) {
  data::SchemeInfo info;
  info.id = id, info.file = "/plugins/" + id + ".so", info.file_hash = hash;
  return info;
}

}  // namespace

TEST_CASE("a plugin is quarantined at its third crash, by the hash of its file, and listed once") {
  const std::string hash(64, 'a');
  const data::SchemeInfo bad = scheme("bad", hash), good = scheme("good", std::string(64, 'b'));
  workers::PluginQuarantine quarantine;
  quarantine.count_crash(bad);
  quarantine.count_crash(good);
  quarantine.count_crash(bad);
  CHECK(quarantine.reason(bad).empty());
  CHECK(quarantine.quarantined().empty());
  quarantine.count_crash(bad);
  quarantine.count_crash(bad);
  CHECK(quarantine.reason(bad) ==
        "not performed: 3 cells of this plugin ended their workers, so it was quarantined for this run "
        "(/plugins/bad.so, sha256 aaaaaaaaaaaa)");
  CHECK(quarantine.reason(good).empty());
  CHECK(!quarantine.reason(scheme("copy", hash)).empty());
  REQUIRE(quarantine.quarantined().size() == 1);
  CHECK(quarantine.quarantined()[0].scheme == "bad");
  CHECK(quarantine.quarantined()[0].file == "/plugins/bad.so");
  CHECK(quarantine.quarantined()[0].file_hash == hash);
}
