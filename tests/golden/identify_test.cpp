// SPDX-License-Identifier: Apache-2.0
// Every golden case as a dump: the arrays that other people's code computed, and nothing said of what they are.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

#include "catch.hpp"
#include "golden_dump.hpp"

using namespace poslab;
using namespace poslab::golden;
using identify::Verdict;

namespace {

bool names(const Verdict& verdict, const std::string& scheme) {
  const auto is = [&](const identify::Named& named) { return named.scheme == scheme; };
  return (verdict.named && is(verdict.named->named)) || std::any_of(verdict.equals.begin(), verdict.equals.end(), is) ||
         std::any_of(verdict.others.begin(), verdict.others.end(),
                     [&](const identify::Fit& fit) { return is(fit.named); });
}

}  // namespace

// What no operation that `poslab identify` looks at shows: why such a case is no dump.
const std::map<std::string, std::string> no_dump{
    {"cope", "its logits are given apart, and no query and key of that width make them"},
    {"deberta_log_bucket", "bare numbers of buckets, which choose vectors for queries to meet and are no bias"},
    {"rope_yarn_mscale", "two factors, and no array that they are in"}};

// Right: the scheme is named, and with the parameters of the case it fits at every number.
TEST_CASE("every golden case as a dump") {
  const std::string folder = POSLAB_SOURCE_DIR "/tests/golden";
  const Table table(folder + "/schemes");
  const host::Library library =
      host::Library::scan({std::filesystem::path(POSLAB_PLUGIN_DIR)},
                          [](const std::filesystem::path& file) { return host::Plugin::open(file)->info(); });
  identify::Plugins plugins;
  for (const data::SchemeInfo& scheme : library.schemes()) plugins.push_back(host::Plugin::open(scheme.file));
  const char* only = std::getenv("POSLAB_GOLDEN_ONLY");
  std::string report;
  int right = 0, wrong_and_certain = 0, dumps = 0;
  std::map<std::string, int> left_out;
  for (const Case& golden : read_cases(folder + "/schemes.h5")) {
    if (only && golden.path().find(only) == std::string::npos) continue;
    const std::string name = golden.path().substr(0, golden.path().find('/'));
    if (no_dump.contains(name)) {
      ++left_out[name];
      continue;
    }
    ++dumps;
    std::string text;
    try {
      const auto made = dump_of(golden, table, library);
      if (!made) {
        text = "no dump";
      } else {
        const Verdict verdict = identify::identify(made->dump, made->request, plugins, made->made_by);
        const bool fits = verdict.expected && verdict.expected->inside;
        const bool named = verdict.kind != Verdict::Kind::nothing && names(verdict, made->made_by.scheme);
        const bool is_right = fits && named;
        right += is_right ? 1 : 0;
        const bool is_wrong = verdict.kind == Verdict::Kind::certain && !named;
        wrong_and_certain += is_wrong ? 1 : 0;
        text = fmt::format("{} {} {}{}: {}",
                           is_right   ? "right"
                           : is_wrong ? "WRONG"
                                      : "not named",
                           static_cast<int>(verdict.kind), verdict.named ? verdict.named->named.text() : "-",
                           fits ? "" : " (truth does not fit)", made->made_by.text());
        for (const auto& fit : verdict.others) text += " | " + fit.named.text();
        for (const auto& equal : verdict.equals) text += " = " + equal.text();
      }
    } catch (const std::exception& error) {
      text = std::string("no dump: ") + error.what();
    }
    report += fmt::format("  {:<40} {}\n", golden.path(), text);
  }
  std::string cannot;
  int others = 0;
  for (const auto& [name, count] : left_out) {
    cannot += fmt::format("\n  {} of {}: {}", count, name, no_dump.at(name));
    others += count;
  }
  std::cout << report
            << fmt::format(
                   "golden cases: {} named right of {} that can be dumped, {} wrong and called certain; {} "
                   "cannot{}\n",
                   right, dumps, wrong_and_certain, others, cannot);
  CHECK(wrong_and_certain == 0);
  CHECK(100 * right >= 95 * dumps);
  if (!only) CHECK(dumps + others == 181);
}
