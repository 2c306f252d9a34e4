// SPDX-License-Identifier: Apache-2.0
// What is known of plugins, as it is kept.
#include "poslab/data/plugin_check.hpp"

#include "catch.hpp"

using namespace poslab;
using Result = data::PluginCheck::Result;

TEST_CASE("what is known of plugins is read back as it was written, and nothing else is believed") {
  const data::PluginChecks checks{
      {"a", {Result::passed}}, {"b", {Result::ships}}, {"c", {Result::never}}, {"d", {Result::failed, {"x", "y"}}}};
  CHECK(data::plugin_checks_of(data::to_json(checks)) == checks);
  for (const char* text : {"", "[]", "{", R"({"a": "passed"})", R"({"a": {"result": "well"}})",
                           R"({"a": {"result": 1}})", R"({"a": {"result": "failed"}})"})
    CHECK(data::plugin_checks_of(text).empty());
  CHECK(data::plugin_checks_of(R"({"a": {"result": "failed", "failed": [1, "x"]}})").at("a").text() == "failed: x");
}

TEST_CASE("in doubt is what was refuted, or never checked, of several reports the worst counts") {
  CHECK_FALSE(data::PluginCheck{Result::passed}.is_in_doubt());
  CHECK_FALSE(data::PluginCheck{Result::ships}.is_in_doubt());
  CHECK(data::PluginCheck{Result::never}.is_in_doubt());
  CHECK(data::PluginCheck{Result::failed, {"x"}}.is_in_doubt());
  data::PluginChecks checks{{"a", {Result::passed}}, {"b", {Result::failed, {"x"}}}};
  data::add(checks, {{"a", {Result::never}}, {"b", {Result::passed}}, {"c", {Result::ships}}});
  CHECK(checks == data::PluginChecks{{"a", {Result::never}}, {"b", {Result::failed, {"x"}}}, {"c", {Result::ships}}});
}
